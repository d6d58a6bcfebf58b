/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when the job of a row was submitted, started and ended, by all that its row says. */
#include "cli/common/rows.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* By so much local time is set back, and an hour comes twice. */
#define TWICE_S 3600

static int read_time(const struct lw_row *row, enum lw_column column, int64_t *ret_s,
		     struct lw_error *err)
{
	*ret_s = LW_SACCT_NONE;
	return *row->text[column] ? lw_row_value(row, column, ret_s, err) : 0;
}

/* The time that it ran by ElapsedRaw; LW_SACCT_NONE: that is not said. */
static int read_elapsed(const struct lw_row *row, int64_t *ret_s, struct lw_error *err)
{
	*ret_s = LW_SACCT_NONE;
	if (!*row->elapsed)
		return 0;
	return lw_row_value(row, LW_COL_ELAPSED, ret_s, err);
}

/* A job that was cancelled while it waited has times, but never had anything. */
static bool has_run(const struct lw_row *row, const struct lw_row_times *times)
{
	if (times->start_s == LW_SACCT_NONE)
		return false;
	if (*row->tres)
		return true;
	if (times->elapsed_s != LW_SACCT_NONE)
		return times->elapsed_s > 0;
	return times->end_s > times->start_s && strncmp(row->state, "CANCELLED", 9) != 0 &&
	       strncmp(row->state, "PENDING", 7) != 0;
}

/* Is TIME_S, of local time, also an hour later by the clock? */
static bool comes_twice(int64_t time_s)
{
	time_t first = (time_t)time_s, second = first + TWICE_S;
	struct tm a, b;

	return localtime_r(&first, &a) && localtime_r(&second, &b) && a.tm_hour == b.tm_hour &&
	       a.tm_mday == b.tm_mday;
}

/* Local time does not say which of two hours is meant: the time that the job ran does. */
static int mend_end(const struct lw_row *row, struct lw_row_times *times, struct lw_error *err)
{
	if (times->elapsed_s != LW_SACCT_NONE &&
	    times->end_s < times->start_s + times->elapsed_s) {
		times->end_s = times->start_s + times->elapsed_s;
		times->shifted = true;
	} else if (times->end_s < times->start_s && comes_twice(times->end_s)) {
		times->end_s += TWICE_S;
		times->shifted = true;
	}
	if (times->end_s < times->start_s)
		return lw_error_set(err, -EINVAL, "job %s ends before it starts", row->job);
	return 0;
}

int lw_row_times(const struct lw_row *row, struct lw_row_times *ret_times, struct lw_error *err)
{
	struct lw_row_times times = { 0 };
	int rc = read_time(row, LW_COL_SUBMIT, &times.submit_s, err);

	if (!rc)
		rc = read_time(row, LW_COL_START, &times.start_s, err);
	if (!rc)
		rc = read_time(row, LW_COL_END, &times.end_s, err);
	if (!rc)
		rc = read_elapsed(row, &times.elapsed_s, err);
	if (rc)
		return rc;
	if (times.submit_s == LW_SACCT_NONE)
		return lw_error_set(err, -EINVAL, "job %s has no Submit time", row->job);
	if (!has_run(row, &times))
		times.start_s = LW_SACCT_NONE;
	else if (times.end_s != LW_SACCT_NONE)
		rc = mend_end(row, &times, err);
	*ret_times = times;
	return rc;
}
