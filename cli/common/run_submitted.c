/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: how late the driver submitted, and what was refused. */
#include "cli/common/run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "measure/lines.h"

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

/* N fields of a line: add the tasks that sbatch refused. */
static int add_refused(struct lw_run *run, char *const *f, uint32_t n)
{
	uint64_t tasks = 1;

	if (n <= LW_SUBMITTED_ID || strcmp(f[LW_SUBMITTED_ID], "refused") != 0)
		return 0;
	if ((n > LW_SUBMITTED_TASKS &&
	     !lw_number_read(f[LW_SUBMITTED_TASKS], UINT32_MAX, &tasks)) ||
	    tasks > UINT32_MAX - run->refused)
		return -EINVAL;
	run->refused += (uint32_t)tasks;
	return 0;
}

static int add_line(struct lw_run *run, struct arrivals *arrivals, char *line)
{
	char *f[LW_SUBMITTED_COLUMNS];
	uint32_t n = lw_lines_split(line, '\t', f, LW_SUBMITTED_COLUMNS);
	int64_t time_s, late_s;
	int rc = add_refused(run, f, n);

	if (rc || !*line || *line == '#')
		return rc;
	if (n <= LW_SUBMITTED_LATE)
		return n > LW_SUBMITTED_ID && !strcmp(f[LW_SUBMITTED_ID], "refused") ? 0
										     : -EBADMSG;
	if (!lw_number_read_signed(f[LW_SUBMITTED_TIME], -LW_SUBMITTED_TIME_MAX_S,
				   LW_SUBMITTED_TIME_MAX_S, &time_s) ||
	    !lw_number_read_signed(f[LW_SUBMITTED_LATE], -LW_SUBMITTED_TIME_MAX_S,
				   LW_SUBMITTED_TIME_MAX_S, &late_s))
		return -EINVAL;
	add_arrival(arrivals, time_s, late_s);
	return lw_run_add_told(run, f, n);
}

int lw_run_load_submitted(struct lw_run *run, const char *path, struct lw_error *err)
{
	struct arrivals arrivals = { 0 };
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);
	char *line;

	if (rc)
		return rc;
	while (!rc && (line = lw_lines_next(&lines)))
		rc = add_line(run, &arrivals, line);
	if (rc == -ENOMEM)
		lw_error_set(err, rc, "out of memory");
	else if (rc == -EBADMSG)
		rc = lw_error_set(err, -EINVAL,
				  "%s:%" PRIu32 ": too few fields: number, job, time and "
				  "seconds late are parted by tabs",
				  path, lines.number);
	else if (rc)
		lw_error_set(err, rc, "%s:%" PRIu32 ": times or tasks are no numbers, or too large",
			     path, lines.number);
	lw_lines_fini(&lines);
	if (!rc && arrivals.count) {
		run->late_mean_s = arrivals.late_s / arrivals.count;
		run->late_max_s = arrivals.late_max_s;
		run->arrivals_s = arrivals.last_s - arrivals.first_s;
	}
	return rc;
}
