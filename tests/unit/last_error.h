/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a log that keeps the last error, for tests of what is reported. */
#ifndef LW_TESTS_LAST_ERROR_H
#define LW_TESTS_LAST_ERROR_H

#include "base/log.h"

#include <stdio.h>

static char last_error[512]; /* "": none; a test's setup empties it */

static void keep_error(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", line);
}

static const struct lw_log test_log = { .write = keep_error, .level = LW_LOG_INFO };

#endif
