/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: the starts that an observer of squeue saw. */
#include "cli/common/run.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "measure/lines.h"

/* beyond any time and rank, and still safe to add to */
#define NUMBER_MAX (INT64_C(1) << 40)

enum column {
	COL_TIME,
	COL_ID,
	COL_STATE,
	COL_RANK,
	COL_START,
	COL_REASON,
	COLUMNS, /* sched_nodes and whatever follows are not needed */
};

static int read_whole(const char *text, const char *what, int64_t *ret_value,
		      struct lw_error *err)
{
	if (!lw_number_read_signed(text, -NUMBER_MAX, NUMBER_MAX, ret_value))
		return lw_error_set(err, -EINVAL, "%s: \"%s\" is not a whole number",
				    what, text);
	return 0;
}

/* Waits for nodes, not for a person, a date, another job or a quota. */
static bool waits_for_nodes(const char *reason)
{
	static const char *const others[] = { "JobHeld",       "Dependency",
					      "BeginTime",     "Assoc",
					      "QOS",           "JobArrayTaskLimit",
					      "PartitionDown", "Licenses" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strncmp(reason, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}

/* The first start shown for a job while it is first in line. */
static int read_sample(struct lw_run *run, char *const *f, struct lw_error *err)
{
	int64_t time_s, rank = 0, start_s = 0;
	struct lw_run_job *job;
	int rc = read_whole(f[COL_TIME], "time", &time_s, err);

	if (rc || strncmp(f[COL_STATE], "P", 1) != 0)
		return rc;
	/* a rank may be absent for what is not in line: "-", "N/A" */
	if (!isdigit((unsigned char)*f[COL_RANK]) ||
	    !isdigit((unsigned char)*f[COL_START]))
		return 0;
	rc = read_whole(f[COL_RANK], "priority rank", &rank, err);
	if (!rc)
		rc = read_whole(f[COL_START], "start time", &start_s, err);
	if (rc || rank != 1 || start_s <= 0 || !waits_for_nodes(f[COL_REASON]))
		return rc;
	job = lw_run_find(run, f[COL_ID]);
	if (job && job->shown_s == LW_RUN_NONE)
		job->shown_s = start_s;
	return 0;
}

static int read_samples(struct lw_run *run, struct lw_lines *lines, struct lw_error *err)
{
	char *line, *fields[COLUMNS];
	uint32_t n;
	int rc = 0;

	while (!rc && (line = lw_lines_next(lines))) {
		if (!*line || *line == '#')
			continue; /* a header, a comment or an empty line */
		n = lw_lines_split(line, '\t', fields, COLUMNS);
		if (n < COLUMNS)
			rc = lw_error_set(err, -EINVAL, "%" PRIu32 " fields, %d wanted",
					  n, COLUMNS);
		else
			rc = read_sample(run, fields, err);
	}
	return rc;
}

int lw_run_load_squeue(struct lw_run *run, const char *path, struct lw_error *err)
{
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	rc = read_samples(run, &lines, err);
	if (rc)
		lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", path, lines.number);
	run->has_samples = true;
	lw_lines_fini(&lines);
	return rc;
}
