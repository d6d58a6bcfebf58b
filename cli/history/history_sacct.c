/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history: ended jobs from what sacct printed. */
#include "cli/history/history.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "tagger/tag.h"
#include "record/summary.h"
#include "cli/common/rows.h"

/* More may be there, in any order. */
static const enum lw_column needs[] = { LW_COL_JOB,   LW_COL_USER, LW_COL_PARTITION,
					LW_COL_LIMIT, LW_COL_END,  LW_COL_STATE,
					LW_COL_END_OF_LIST };
static const enum lw_column uses[] = { LW_COL_UID,     LW_COL_SUBMIT,  LW_COL_START,
				       LW_COL_ELAPSED, LW_COL_NODES,   LW_COL_ASKED_CPUS,
				       LW_COL_COMMENT, LW_COL_TRES,    LW_COL_NAME,
				       LW_COL_END_OF_LIST };

/* The value of COLUMN, of 0 to MOST. */
static int read_value(const struct lw_row *row, enum lw_column column, int64_t most,
		      int64_t *ret_value, struct lw_error *err)
{
	int64_t value;

	if (!*row->text[column] || lw_row_value(row, column, &value, NULL) || value < 0 ||
	    value > most)
		return lw_error_set(err, -EINVAL, "%s: \"%s\" is not what sacct prints",
				    lw_row_name(row, column), row->text[column]);
	*ret_value = value;
	return 0;
}

/* The same of a column that may be missing. */
static int read_if_there(const struct lw_row *row, enum lw_column column, int64_t *ret_value,
			 struct lw_error *err)
{
	if (!lw_rows_has(row->rows, column))
		return 0;
	return read_value(row, column, UINT32_MAX, ret_value, err);
}

/* 0 for none of its own. */
static int read_limit(const struct lw_row *row, int64_t *ret_s, struct lw_error *err)
{
	int64_t limit_s;

	if (lw_row_value(row, LW_COL_LIMIT, &limit_s, NULL) ||
	    limit_s > LW_HISTORY_TIME_MAX_S * 60)
		return lw_error_set(err, -EINVAL, "%s: \"%s\" is not what sacct prints",
				    lw_row_name(row, LW_COL_LIMIT), row->limit);
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

/* By Elapsed, or from Start to End. */
static int read_run(const struct lw_row *row, struct lw_history_job *job, struct lw_error *err)
{
	struct lw_row_times times;
	int rc = read_value(row, LW_COL_END, LW_HISTORY_CLOCK_MAX_S, &job->end_s, err);

	if (rc || lw_rows_has(row->rows, LW_COL_ELAPSED))
		return rc ? rc
			  : read_value(row, LW_COL_ELAPSED, LW_HISTORY_CLOCK_MAX_S, &job->run_s,
				       err);
	if (!lw_rows_has(row->rows, LW_COL_START))
		return lw_error_set(err, -EINVAL, "neither ElapsedRaw nor Start says how long job "
						  "%s ran", row->job);
	rc = lw_row_times(row, &times, err);
	if (!rc && times.start_s != LW_SACCT_NONE)
		job->run_s = times.end_s - times.start_s;
	return rc;
}

/* UID; else that of the user's name on this machine. 1; 0: the machine does not know it. */
static int read_user(const struct lw_row *row, uint32_t *ret_uid, struct lw_error *err)
{
	const struct passwd *entry;
	int64_t uid;
	int rc;

	if (lw_rows_has(row->rows, LW_COL_UID)) {
		rc = read_value(row, LW_COL_UID, LW_HISTORY_NOBODY - 1, &uid, err);
		*ret_uid = rc ? 0 : (uint32_t)uid;
		return rc ? rc : 1;
	}
	entry = getpwnam(row->user);
	*ret_uid = entry ? entry->pw_uid : 0;
	return entry != NULL;
}

static int read_numbers(const struct lw_row *row, struct lw_history_job *job,
			struct lw_error *err)
{
	int64_t cpus = 0, nodes = 0, gpus = 0;
	int rc = read_run(row, job, err);

	if (!rc)
		rc = read_if_there(row, LW_COL_ASKED_CPUS, &cpus, err);
	if (!rc)
		rc = read_if_there(row, LW_COL_NODES, &nodes, err);
	if (!rc)
		rc = lw_row_value(row, LW_COL_TRES, &gpus, err);
	if (!rc)
		rc = read_limit(row, &job->limit_s, err);
	job->width = (uint32_t)cpus;
	job->nodes = (uint32_t)nodes;
	job->gpus = (uint32_t)gpus;
	return rc;
}

/* *ret_usable: there is something to learn. */
static int read_job(const struct lw_row *row, struct lw_history_job *ret_job, bool *ret_usable,
		    struct lw_error *err)
{
	struct lw_history_job job = { 0 };
	struct lw_tag tag;
	int rc;

	*ret_usable = false;
	/* a job that sacct cannot say more of */
	if (!has_ended(row->state, row->end))
		return 0;
	rc = read_numbers(row, &job, err);
	/*
	 * without a limit there is no class to learn for, and below 0 s nothing ran; beside
	 * others on its GPU it took longer than it takes
	 */
	if (rc || !job.limit_s || !job.run_s || lw_summary_had_company(row->comment))
		return rc;
	job.partition = lw_history_name_id(row->partition);
	job.killed_at_limit = was_cut(row->state);
	job.tag = lw_tag_decode(row->comment, &tag) ? LW_HABIT_UNTAGGED : (uint32_t)tag.class;
	job.gpu = lw_summary_use(row->comment, job.run_s);
	*ret_usable = true;
	*ret_job = job;
	return 0;
}

/* The name in the list that all jobs share; NULL: none, several, or one too many. */
static const char *type_of(struct lw_jobs *jobs, const char *tres)
{
	char name[LW_SPEED_TYPE_NAME];
	uint32_t t = 0;

	if (!lw_sacct_gpu_type(tres, name, sizeof(name)) || !lw_speed_is_type(name))
		return NULL;
	while (t < jobs->type_count && strcmp(jobs->types[t], name) != 0)
		t++;
	if (t == LW_SPEED_TYPES_MAX)
		return NULL;
	if (t == jobs->type_count)
		strcpy(jobs->types[jobs->type_count++], name);
	return jobs->types[t];
}

static int add_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_jobs *jobs = to;
	struct lw_history_job job;
	bool usable;
	int rc = read_job(row, &job, &usable, err);

	if (rc)
		return rc;
	if (!usable) {
		jobs->unusable++;
		return 0;
	}
	rc = read_user(row, &job.user, err);
	jobs->strangers += !rc;
	if (rc <= 0)
		return rc;
	job.gpu_type = type_of(jobs, row->tres);
	if (*row->name)
		job.name = lw_history_name_id(row->name);
	if (lw_grow((void **)&jobs->jobs, &jobs->room, jobs->count + 1, sizeof(job)))
		return -ENOMEM;
	jobs->jobs[jobs->count++] = job;
	return 0;
}

int lw_read_sacct(const char *path, bool lenient, struct lw_jobs *jobs, struct lw_error *err)
{
	struct lw_rows rows = {
		.needs = needs, .uses = uses, .lenient = lenient, .take = add_job, .to = jobs
	};
	int rc = lw_rows_of_file(&rows, path, err);

	jobs->bad += rows.bad;
	jobs->unusable += rows.steps;
	return rc;
}
