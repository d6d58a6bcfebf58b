/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a meter of the scheduler's metrics, and the lines that it prints. */
#ifndef LW_TESTS_UNIT_METER_LINES_H
#define LW_TESTS_UNIT_METER_LINES_H

#include "slurm/keep/meter.h"
#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct lw_meter meter;
static const struct lw_meter_info info = { "0.1", "24.11.5", "leeway", "given", "leeway" };

/* The text; the caller's to free. */
static inline char *printed(void)
{
	struct lw_strbuf out = LW_STRBUF_INIT;

	ck_assert_int_eq(lw_meter_print(&meter, &info, &out), 0);
	return out.text;
}

static inline bool has_line(const char *line)
{
	char *text = printed();
	char *found = strstr(text, line);
	bool has = found && (found == text || found[-1] == '\n') && found[strlen(line)] == '\n';

	free(text);
	return has;
}

#endif
