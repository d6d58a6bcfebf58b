/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history: ended jobs from what sacct printed. */
#include "tools/history/history.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"
#include "policy/tag/tag.h"
#include "record/summary.h"
#include "sim/lines.h"
#include "tools/tools.h"

#define FIELDS_MAX 128

/* The columns we read; they are found by name, so more may be there, in any order. */
enum column {
	COL_ID,
	COL_UID,
	COL_PARTITION,
	COL_LIMIT,
	COL_ELAPSED,
	COL_STATE,
	COL_END,
	COL_CPUS, /* from here on they may be missing */
	COL_NODES,
	COL_COMMENT,
	COLUMNS,
};

static const char *const column_names[COLUMNS] = {
	"JobID", "UID", "Partition", "TimelimitRaw", "ElapsedRaw", "State", "End", "ReqCPUS",
	"NNodes", "AdminComment",
};

struct reader {
	const char *path;
	struct lw_error *err;
	uint32_t line;
	int at[COLUMNS];
};

static int find_columns(struct reader *reader, char *header)
{
	char *names[FIELDS_MAX];
	uint32_t count = lw_lines_split(header, '|', names, FIELDS_MAX);

	for (int c = 0; c < COLUMNS; c++) {
		reader->at[c] = -1;
		for (uint32_t i = 0; i < count && i < FIELDS_MAX; i++)
			if (strcmp(names[i], column_names[c]) == 0)
				reader->at[c] = (int)i;
		if (reader->at[c] < 0 && c < COL_CPUS)
			return lw_error_set(reader->err, -EINVAL,
					    "%s:1: no column %s: print it with sacct --allusers "
					    "--allocations --parsable2 --format=JobID,UID,"
					    "Partition,TimelimitRaw,ElapsedRaw,State,End,ReqCPUS,"
					    "NNodes,AdminComment",
					    reader->path, column_names[c]);
	}
	return 0;
}

static int bad(const struct reader *reader, enum column column, const char *text)
{
	return lw_error_set(reader->err, -EINVAL, "%s:%u: %s: \"%s\" is not what sacct prints",
			    reader->path, reader->line, column_names[column], text);
}

static int read_number(const struct reader *reader, enum column column, const char *text,
		       int64_t max, int64_t *ret_value)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value > max)
		return bad(reader, column, text);
	*ret_value = value;
	return 0;
}

/* "2026-01-31T12:00:00" in local time, or seconds since 1970. */
static int read_end(const struct reader *reader, const char *text, int64_t *ret_end_s)
{
	if (!strchr(text, 'T'))
		return read_number(reader, COL_END, text, LW_HISTORY_CLOCK_MAX_S, ret_end_s);
	return lw_tools_read_clock(text, ret_end_s) ? bad(reader, COL_END, text) : 0;
}

/* Minutes, or a word for none of its own: 0. */
static int read_limit(const struct reader *reader, const char *text, int64_t *ret_minutes)
{
	if (lw_tools_is_no_limit(text)) {
		*ret_minutes = 0;
		return 0;
	}
	return read_number(reader, COL_LIMIT, text, LW_HISTORY_TIME_MAX_S, ret_minutes);
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Ended, and having run: otherwise there is nothing to learn. */
static bool has_ended(const char *state, const char *end)
{
	static const char *const open[] = { "PENDING", "RUNNING", "SUSPENDED", "REQUEUED",
					    "RESIZING" };

	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		if (starts_with(state, open[i]))
			return false;
	return strcmp(end, "Unknown") != 0 && strcmp(end, "None") != 0;
}

/* Ended by somebody else than the job and its user: it would have run longer. */
static bool was_cut(const char *state)
{
	static const char *const cut[] = { "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL",
					   "DEADLINE" };

	for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++)
		if (starts_with(state, cut[i]))
			return true;
	return false;
}

/* FIELDS stand in the order of enum column. *ret_usable: there is something to learn. */
static int read_job(const struct reader *reader, char *const *fields,
		    struct lw_history_job *ret_job, bool *ret_usable)
{
	struct lw_history_job job = { 0 };
	int64_t uid = 0, minutes = 0, cpus = 0, nodes = 0;
	struct lw_tag tag;
	int rc;

	*ret_usable = false;
	/* a step, or a job that sacct cannot say more of */
	if (strchr(fields[COL_ID], '.') || !has_ended(fields[COL_STATE], fields[COL_END]))
		return 0;
	rc = read_number(reader, COL_UID, fields[COL_UID], LW_HISTORY_NOBODY - 1, &uid);
	if (!rc)
		rc = read_number(reader, COL_ELAPSED, fields[COL_ELAPSED], LW_HISTORY_CLOCK_MAX_S,
				 &job.run_s);
	if (!rc)
		rc = read_end(reader, fields[COL_END], &job.end_s);
	if (!rc && fields[COL_CPUS])
		rc = read_number(reader, COL_CPUS, fields[COL_CPUS], UINT32_MAX, &cpus);
	if (!rc && fields[COL_NODES])
		rc = read_number(reader, COL_NODES, fields[COL_NODES], UINT32_MAX, &nodes);
	if (!rc)
		rc = read_limit(reader, fields[COL_LIMIT], &minutes);
	/* without a limit there is no class to learn for, and below 0 s nothing ran */
	if (rc || !minutes || !job.run_s)
		return rc;
	job.user = (uint32_t)uid;
	job.partition = lw_history_name_id(fields[COL_PARTITION]);
	job.limit_s = minutes * 60;
	job.width = (uint32_t)cpus;
	job.nodes = (uint32_t)nodes;
	job.killed_at_limit = was_cut(fields[COL_STATE]);
	job.tag = lw_tag_decode(fields[COL_COMMENT], &tag) ? LW_HABIT_UNTAGGED
							    : (uint32_t)tag.class;
	job.gpu = lw_summary_use(fields[COL_COMMENT], job.run_s);
	*ret_usable = true;
	*ret_job = job;
	return 0;
}

static int read_line(struct reader *reader, char *line, struct tools_jobs *jobs)
{
	char *all[FIELDS_MAX], *fields[COLUMNS];
	bool is_rest = !reader->at[COL_ID] && reader->line > 2 && !lw_tools_is_row(line);
	uint32_t count = lw_lines_split(line, '|', all, FIELDS_MAX);
	struct lw_history_job job;
	bool usable;
	int rc;

	for (int c = 0; c < COLUMNS; c++) {
		if (reader->at[c] < 0) {
			fields[c] = NULL;
			continue;
		}
		if ((uint32_t)reader->at[c] >= count && is_rest)
			return 0; /* of a name or a comment of many lines */
		if ((uint32_t)reader->at[c] >= count)
			return lw_error_set(reader->err, -EINVAL, "%s:%u: no column %s",
					    reader->path, reader->line, column_names[c]);
		fields[c] = all[reader->at[c]];
	}
	rc = read_job(reader, fields, &job, &usable);
	if (rc)
		return rc;
	if (!usable) {
		jobs->unusable++;
		return 0;
	}
	if (lw_grow((void **)&jobs->jobs, &jobs->room, jobs->count + 1, sizeof(job)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	jobs->jobs[jobs->count++] = job;
	return 0;
}

static int read_lines(struct reader *reader, struct lw_lines *lines, bool lenient,
		      struct tools_jobs *jobs)
{
	char *line = lw_lines_next(lines);
	int rc;

	if (!line)
		return lw_error_set(reader->err, -EINVAL, "%s: the file is empty", reader->path);
	rc = find_columns(reader, line);
	while (!rc && (line = lw_lines_next(lines))) {
		reader->line = lines->number;
		rc = read_line(reader, line, jobs);
		if (rc == -EINVAL && lenient) {
			jobs->bad++;
			rc = 0;
		}
	}
	return rc;
}

int tools_read_sacct(const char *path, bool lenient, struct tools_jobs *jobs,
		     struct lw_error *err)
{
	struct reader reader = { .path = path, .err = err };
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	rc = read_lines(&reader, &lines, lenient, jobs);
	lw_lines_fini(&lines);
	return rc;
}
