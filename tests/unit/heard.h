/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last line that was logged. */
#ifndef LW_TESTS_HEARD_H
#define LW_TESTS_HEARD_H

#include "record/watch.h"

#include <stdatomic.h>
#include <stdio.h>

struct heard {
	unsigned errors;
	char last[512];
	atomic_uint lines; /* counted last: the thread may write what the test waits for */
};

static inline void hear(void *arg, enum lw_log_level level, const char *line)
{
	struct heard *heard = arg;

	heard->errors += level == LW_LOG_ERROR;
	snprintf(heard->last, sizeof(heard->last), "%s", line);
	heard->lines++;
}

#endif
