/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history: ended jobs from what sacct printed. */
#include "cli/history/history.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/grow.h"
#include "base/number.h"
#include "tagger/tag.h"
#include "record/summary.h"
#include "cli/common/sacct.h"

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
	COL_TRES,
	COL_NAME,
	COLUMNS,
};

/* The first of the names that is there counts. */
static const char *const column_names[COLUMNS] = {
	"JobID|JobIDRaw",
	"UID",
	"Partition",
	"TimelimitRaw|Timelimit",
	"ElapsedRaw|Elapsed",
	"State",
	"End",
	"ReqCPUS|NCPUS|AllocCPUS",
	"NNodes|AllocNodes|ReqNodes",
	"AdminComment",
	"AllocTRES",
	"JobName",
};

struct reader {
	struct lw_sacct sacct;
	struct lw_error *err;
	int at[COLUMNS];
};

static int find_columns(struct reader *reader)
{
	for (int c = 0; c < COLUMNS; c++) {
		const char *names = column_names[c];

		reader->at[c] = lw_sacct_column(&reader->sacct, names);
		if (reader->at[c] < 0 && c < COL_CPUS)
			return lw_error_set(
				reader->err, -EINVAL,
				"%s:1: no column %.*s: print it with sacct --allusers "
				"--allocations --parsable2 --format=JobID,UID,"
				"Partition,TimelimitRaw,ElapsedRaw,State,End,ReqCPUS,"
				"NNodes,AdminComment,AllocTRES,JobName",
				reader->sacct.path, (int)strcspn(names, "|"), names);
	}
	return 0;
}

static int sacct_bad(const struct reader *reader, enum column column, const char *text)
{
	const char *names = column_names[column];

	return lw_error_set(reader->err, -EINVAL, "%.*s: \"%s\" is not what sacct prints",
			    (int)strcspn(names, "|"), names, text);
}

static int read_number(const struct reader *reader, enum column column, const char *text,
		       int64_t max, int64_t *ret_value)
{
	uint64_t value;

	if (!lw_number_read(text, (uint64_t)max, &value))
		return sacct_bad(reader, column, text);
	*ret_value = (int64_t)value;
	return 0;
}

static int read_end(const struct reader *reader, const char *text, int64_t *ret_end_s)
{
	struct lw_error err;
	int64_t end_s = 0;

	if (lw_sacct_time(text, "End", &end_s, &err) || end_s < 0 ||
	    end_s > LW_HISTORY_CLOCK_MAX_S)
		return sacct_bad(reader, COL_END, text);
	*ret_end_s = end_s;
	return 0;
}

/* Seconds, or [D-]HH:MM:SS. */
static int read_elapsed(const struct reader *reader, const char *text, int64_t *ret_s)
{
	if (!strchr(text, ':'))
		return read_number(reader, COL_ELAPSED, text, LW_HISTORY_CLOCK_MAX_S, ret_s);
	return lw_duration_parse(text, ret_s) ? sacct_bad(reader, COL_ELAPSED, text) : 0;
}

/* 64, or 1.5K. */
static int read_amount(const struct reader *reader, enum column column, const char *text,
		       int64_t *ret_value)
{
	if (!*text || lw_sacct_count(text, "", ret_value, NULL))
		return sacct_bad(reader, column, text);
	return 0;
}

/* 0 for none of its own. */
static int read_limit(const struct reader *reader, const char *text, int64_t *ret_s)
{
	struct lw_error err;
	int64_t limit_s;

	if (lw_sacct_limit(text, &limit_s, &err) || limit_s > LW_HISTORY_TIME_MAX_S * 60)
		return sacct_bad(reader, COL_LIMIT, text);
	*ret_s = limit_s == LW_SACCT_NONE ? 0 : limit_s;
	return 0;
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

/* Not ended by the job or its user: it would have run longer. */
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
	int64_t uid = 0, cpus = 0, nodes = 0;
	struct lw_tag tag;
	int rc;

	*ret_usable = false;
	/* a step, or a job that sacct cannot say more of */
	if (lw_sacct_is_step(fields[COL_ID]) || !has_ended(fields[COL_STATE], fields[COL_END]))
		return 0;
	rc = read_number(reader, COL_UID, fields[COL_UID], LW_HISTORY_NOBODY - 1, &uid);
	if (!rc)
		rc = read_elapsed(reader, fields[COL_ELAPSED], &job.run_s);
	if (!rc)
		rc = read_end(reader, fields[COL_END], &job.end_s);
	if (!rc && fields[COL_CPUS])
		rc = read_amount(reader, COL_CPUS, fields[COL_CPUS], &cpus);
	if (!rc && fields[COL_NODES])
		rc = read_amount(reader, COL_NODES, fields[COL_NODES], &nodes);
	if (!rc && fields[COL_TRES])
		rc = lw_sacct_check_tres(fields[COL_TRES], "AllocTRES", reader->err);
	if (!rc)
		rc = read_limit(reader, fields[COL_LIMIT], &job.limit_s);
	/*
	 * without a limit there is no class to learn for, and below 0 s nothing ran; beside
	 * others on its GPU it took longer than it takes
	 */
	if (rc || !job.limit_s || !job.run_s || lw_summary_had_company(fields[COL_COMMENT]))
		return rc;
	job.user = (uint32_t)uid;
	job.partition = lw_history_name_id(fields[COL_PARTITION]);
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

/* The name in the list that all jobs share; NULL: none, several, or one too many. */
static const char *type_of(struct lw_jobs *jobs, const char *tres)
{
	char name[LW_SPEED_TYPE_NAME];
	uint32_t t = 0;

	if (!tres || !lw_sacct_gpu_type(tres, name, sizeof(name)) || !lw_speed_is_type(name))
		return NULL;
	while (t < jobs->type_count && strcmp(jobs->types[t], name) != 0)
		t++;
	if (t == LW_SPEED_TYPES_MAX)
		return NULL;
	if (t == jobs->type_count)
		strcpy(jobs->types[jobs->type_count++], name);
	return jobs->types[t];
}

/* ALL is a row as it stands in the file. */
static int read_row(const struct reader *reader, char *const *all, struct lw_jobs *jobs)
{
	char *fields[COLUMNS];
	struct lw_history_job job;
	bool usable;
	int rc;

	for (int c = 0; c < COLUMNS; c++)
		fields[c] = reader->at[c] < 0 ? NULL : all[reader->at[c]];
	rc = read_job(reader, fields, &job, &usable);
	if (rc)
		return rc;
	if (!usable) {
		jobs->unusable++;
		return 0;
	}
	job.gpu_type = type_of(jobs, fields[COL_TRES]);
	job.gpus = fields[COL_TRES] ? (uint32_t)lw_sacct_gpus(fields[COL_TRES]) : 0;
	if (fields[COL_NAME] && *fields[COL_NAME])
		job.name = lw_history_name_id(fields[COL_NAME]);
	if (lw_grow((void **)&jobs->jobs, &jobs->room, jobs->count + 1, sizeof(job)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	jobs->jobs[jobs->count++] = job;
	return 0;
}

static int read_rows(struct reader *reader, bool lenient, struct lw_jobs *jobs)
{
	char **fields;
	int rc = find_columns(reader);

	if (rc)
		return rc;
	while ((rc = lw_sacct_next(&reader->sacct, &fields, reader->err))) {
		if (rc > 0)
			rc = read_row(reader, fields, jobs);
		if (rc == -EINVAL && lenient) {
			jobs->bad++;
			rc = 0;
		}
		if (rc)
			return lw_error_prefix(reader->err, rc, "%s:%" PRIu32 ": ",
					       reader->sacct.path, reader->sacct.line);
	}
	return 0;
}

int lw_read_sacct(const char *path, bool lenient, struct lw_jobs *jobs, struct lw_error *err)
{
	struct reader reader = { .err = err };
	int rc = lw_sacct_open(&reader.sacct, path, err);

	if (rc)
		return rc;
	rc = read_rows(&reader, lenient, jobs);
	lw_sacct_fini(&reader.sacct);
	return rc;
}
