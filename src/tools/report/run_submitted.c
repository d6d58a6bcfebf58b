/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: how late the driver submitted, and what was refused. */
#include "tools/report/run.h"

#include <stdlib.h>
#include <string.h>

#include "sim/lines.h"

enum column {
	COL_NUMBER,
	COL_ID, /* or "refused" */
	COL_TIME,
	COL_LATE,
	COL_TASKS, /* if known */
	COLUMNS,
};

struct arrivals {
	uint32_t count;
	double late_s; /* of all together */
	int64_t late_max_s, first_s, last_s;
};

/* By the workload's own times: how late they come does not stretch the span of arrivals. */
static void add_arrival(struct arrivals *arrivals, int64_t time_s, int64_t late_s)
{
	int64_t meant_s = time_s - late_s;

	if (!arrivals->count || meant_s < arrivals->first_s)
		arrivals->first_s = meant_s;
	if (!arrivals->count || meant_s > arrivals->last_s)
		arrivals->last_s = meant_s;
	if (late_s > arrivals->late_max_s)
		arrivals->late_max_s = late_s;
	arrivals->late_s += (double)late_s;
	arrivals->count++;
}

int lw_run_load_submitted(struct lw_run *run, const char *path, struct lw_error *err)
{
	struct arrivals arrivals = { 0 };
	char *line, *f[COLUMNS];
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	while ((line = lw_lines_next(&lines))) {
		uint32_t n = lw_lines_split(line, '\t', f, COLUMNS);

		if (n > COL_ID && strcmp(f[COL_ID], "refused") == 0)
			run->refused += n > COL_TASKS ? (uint32_t)atoi(f[COL_TASKS]) : 1;
		if (n > COL_LATE)
			add_arrival(&arrivals, atoll(f[COL_TIME]), atoll(f[COL_LATE]));
	}
	lw_lines_fini(&lines);
	if (arrivals.count) {
		run->late_mean_s = arrivals.late_s / arrivals.count;
		run->late_max_s = arrivals.late_max_s;
		run->arrivals_s = arrivals.last_s - arrivals.first_s;
	}
	return 0;
}
