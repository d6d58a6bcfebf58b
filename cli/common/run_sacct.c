/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: the rows of sacct and the samples of squeue. */
#include "cli/common/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/past.h"
#include "cli/common/rows.h"
#include "record/summary.h"

/* More may be there, in any order. */
static const enum lw_column needs[] = { LW_COL_JOB,  LW_COL_SUBMIT, LW_COL_START,
					LW_COL_END,  LW_COL_STATE,  LW_COL_NODES,
					LW_COL_CPUS, LW_COL_TRES,   LW_COL_END_OF_LIST };
static const enum lw_column uses[] = { LW_COL_RAW_ID,     LW_COL_FLAGS,     LW_COL_NAME,
				       LW_COL_USER,       LW_COL_ACCOUNT,   LW_COL_LIMIT,
				       LW_COL_ASKED_TRES, LW_COL_NODE_LIST, LW_COL_COMMENT,
				       LW_COL_ELAPSED,    LW_COL_USER_COMMENT,
				       LW_COL_END_OF_LIST };

/* What a workload does without a column. */
static const struct {
	enum lw_column column;
	const char *says;
} lacks[] = {
	{ LW_COL_NAME, "no column JobName: no job has a name" },
	{ LW_COL_USER, "no column User: all jobs are one user's" },
	{ LW_COL_LIMIT, "no column TimelimitRaw or Timelimit: every job is given a day or more" },
	{ LW_COL_ASKED_TRES,
	  "no column ReqTRES: what a job was given stands for what it asked for" },
};

static void note_lacks(struct lw_run *run, const struct lw_rows *rows)
{
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		if (!lw_rows_has(rows, lacks[i].column))
			run->lacks[run->lack_count++] = lacks[i].says;
}

static enum lw_run_starter read_starter(const char *flags)
{
	if (strstr(flags, "SchedBackfill"))
		return LW_RUN_BY_BACKFILL;
	if (strstr(flags, "SchedMain"))
		return LW_RUN_BY_MAIN;
	if (strstr(flags, "SchedSubmit"))
		return LW_RUN_BY_SUBMIT;
	return LW_RUN_BY_NOBODY;
}

static int read_times(const struct lw_row *row, struct lw_run_job *job, struct lw_error *err)
{
	struct lw_row_times times;
	int rc = lw_row_times(row, &times, err);

	if (rc)
		return rc;
	job->submit_s = times.submit_s;
	job->start_s = times.start_s;
	job->end_s = times.end_s;
	job->shifted = times.shifted;
	return 0;
}

static void free_job(struct lw_run_job *job)
{
	free(job->id);
	free(job->raw_id);
	free(job->name);
	free(job->state);
	free(job->user);
	free(job->account);
	free(job->node_list);
}

/* What it was given. */
static int read_given(const struct lw_row *row, struct lw_run_job *job, struct lw_error *err)
{
	int rc = lw_row_value(row, LW_COL_NODES, &job->nodes, err);

	if (!rc)
		rc = lw_row_value(row, LW_COL_CPUS, &job->cpus, err);
	if (!rc)
		rc = lw_row_value(row, LW_COL_TRES, &job->gpus, err);
	job->gpus_held = lw_sacct_gpus_held(row->tres, row->comment);
	job->mem_mib = lw_sacct_mem_mib(row->tres);
	return rc;
}

/* What it asked for, not what it got: a whole node for one CPU, say. */
static int read_asked(const struct lw_row *row, struct lw_run_job *job, struct lw_error *err)
{
	if (lw_row_value(row, LW_COL_ASKED_TRES, &job->asked_gpus, err))
		return -EINVAL;
	job->asked_nodes = lw_sacct_tres(row->asked_tres, "node");
	job->asked_cpus = lw_sacct_tres(row->asked_tres, "cpu");
	job->asked_mem_mib = lw_sacct_mem_mib(row->asked_tres);
	return lw_row_value(row, LW_COL_LIMIT, &job->limit_s, err);
}

static void read_use(const char *admin_comment, struct lw_run_job *job)
{
	if (lw_summary_decode(admin_comment, &job->use) || !job->use.energy_gpus)
		return;
	job->energy_known = true;
	job->energy_j = (double)job->use.energy_j;
}

/* All tasks of an array have the first of the whole. */
static int64_t read_planned(const struct lw_row *row)
{
	struct lw_past past;

	if (strchr(row->job, '_') || lw_past_decode(row->comment, &past) ||
	    past.events[0].kind != LW_PAST_PLANNED)
		return LW_RUN_NONE;
	return past.events[0].then_s;
}

static int copy_texts(const struct lw_row *row, struct lw_run_job *job)
{
	job->id = strdup(row->job);
	job->raw_id = strdup(*row->raw_id ? row->raw_id : row->job);
	job->name = strdup(row->name);
	job->user = strdup(row->user);
	job->account = strdup(row->account);
	job->node_list = strdup(row->node_list);
	job->state = strdup(row->state);
	if (job->id && job->raw_id && job->name && job->state && job->user && job->account &&
	    job->node_list)
		return 0;
	free_job(job);
	return -ENOMEM;
}

static int read_job(const struct lw_row *row, struct lw_run_job *job, struct lw_error *err)
{
	int rc;

	memset(job, 0, sizeof(*job));
	rc = read_times(row, job, err);
	if (!rc)
		rc = read_asked(row, job, err);
	if (!rc)
		rc = read_given(row, job, err);
	if (rc)
		return rc;
	job->shown_s = LW_RUN_NONE;
	job->planned_s = read_planned(row);
	job->tasks = lw_sacct_tasks(row->job, &job->tasks_cut);
	if (job->tasks > LW_SACCT_TASKS_MAX)
		return lw_error_set(err, -EINVAL, "job %s has more tasks than Slurm allows",
				    row->job);
	if (job->start_s != LW_RUN_NONE)
		job->starter = read_starter(row->flags);
	read_use(row->comment, job);
	job->has_pace = lw_pace_read(row->user_comment, &job->pace);
	return copy_texts(row, job);
}

static int add_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_run *run = to;
	struct lw_run_job job;
	int rc;

	if (lw_grow((void **)&run->jobs, &run->room, run->job_count + 1, sizeof(job)))
		return -ENOMEM;
	rc = read_job(row, &job, err);
	if (!rc) {
		job.row = run->job_count;
		run->shifted += job.shifted;
		run->jobs[run->job_count++] = job;
		run->preempted += strcmp(job.state, "PREEMPTED") == 0;
	}
	return rc;
}

static int compare_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_jobs(const void *a, const void *b)
{
	const struct lw_run_job *x = a, *y = b;
	int order = compare_i64(strtol(x->raw_id, NULL, 10), strtol(y->raw_id, NULL, 10));

	if (!order)
		order = strcmp(x->raw_id, y->raw_id);
	if (!order)
		order = compare_i64(x->submit_s, y->submit_s);
	if (!order)
		order = compare_i64(x->start_s, y->start_s);
	return order ? order : compare_i64(x->row, y->row);
}

/* Did LATER go on with what JOB, of the same id, had to leave? Else it is another job. */
static bool is_requeue(const struct lw_run_job *job, const struct lw_run_job *later)
{
	return lw_ettr_has_left(job->state) &&
	       (later->start_s == LW_RUN_NONE || job->end_s <= later->start_s);
}

static struct lw_ettr_attempt attempt_of(const struct lw_run_job *job)
{
	return (struct lw_ettr_attempt){ .gpus = job->gpus,
					 .start_s = job->start_s,
					 .end_s = job->end_s,
					 .interrupted = lw_ettr_is_interrupted(job->state),
					 .restart = job->restart,
					 .has_pace = job->has_pace,
					 .pace = job->pace,
					 .recorded = job->use.gpus > 0,
					 .idle_s = (double)job->use.idle_s };
}

/* NEXT: the next run of the job, or NULL. */
static void count_attempt(struct lw_run *run, const struct lw_run_job *job,
			  const struct lw_run_job *next)
{
	struct lw_ettr_attempt attempt = attempt_of(job), following;

	if (job->start_s == LW_RUN_NONE || job->end_s == LW_RUN_NONE)
		return;
	if (next)
		following = attempt_of(next);
	lw_ettr_add(&run->ettr, &attempt, next && next->end_s != LW_RUN_NONE ? &following : NULL);
}

/* One row twice, as when two outputs of sacct are joined. */
static bool is_twice(const struct lw_run_job *a, const struct lw_run_job *b)
{
	return strcmp(a->raw_id, b->raw_id) == 0 && a->submit_s == b->submit_s &&
	       a->start_s == b->start_s && a->end_s == b->end_s;
}

/* A requeue (sacct -D) gives a job one more row: it must not hide a lost one. */
static void merge_requeues(struct lw_run *run)
{
	uint32_t kept = 0;

	if (!run->job_count)
		return;
	qsort(run->jobs, run->job_count, sizeof(run->jobs[0]), compare_jobs);
	for (uint32_t i = 1; i < run->job_count; i++) {
		bool same = strcmp(run->jobs[kept].raw_id, run->jobs[i].raw_id) == 0;

		if (is_twice(&run->jobs[kept], &run->jobs[i])) {
			free_job(&run->jobs[i]);
			continue;
		}
		if (!same || !is_requeue(&run->jobs[kept], &run->jobs[i])) {
			run->doubles += same;
			count_attempt(run, &run->jobs[kept], NULL);
			run->jobs[++kept] = run->jobs[i];
			continue;
		}
		run->jobs[i].restart = run->jobs[kept].restart ||
				       lw_ettr_is_interrupted(run->jobs[kept].state);
		count_attempt(run, &run->jobs[kept], &run->jobs[i]);
		free_job(&run->jobs[kept]);
		run->jobs[kept] = run->jobs[i];
		run->requeues++;
	}
	count_attempt(run, &run->jobs[kept], NULL);
	run->job_count = kept + 1;
}

/* Add what it is, and which users may read it, unless that is said already. */
static int add_remedy(int rc, struct lw_error *err)
{
	struct lw_error said = { "" };

	if (err)
		said = *err;
	if (strstr(said.text, "sacct --parsable2"))
		return rc;
	return lw_error_set(err, rc, "%s; %s", said.text,
			    rc == -EACCES ? "run as a user that may read it"
					  : "it is what sacct -a -X -P prints (leeway-report(1))");
}

int lw_run_load_sacct(struct lw_run *run, const char *path, struct lw_error *err)
{
	return lw_run_load_sacct_fd(run, -1, path, err);
}

int lw_run_load_sacct_fd(struct lw_run *run, int fd, const char *path, struct lw_error *err)
{
	struct lw_rows rows = {
		.needs = needs, .uses = uses, .lenient = run->lenient, .take = add_job, .to = run
	};
	int rc = fd < 0 ? lw_rows_of_file(&rows, path, err)
			: lw_rows_of_fd(&rows, fd, path, err);

	if (!rows.opened)
		return add_remedy(rc, err);
	note_lacks(run, &rows);
	run->bad_rows = rows.bad;
	if (rows.bad)
		lw_error_set(&run->bad, -EINVAL, "%" PRIu32 ": %s", rows.first_bad_line,
			     rows.first_bad.text);
	if (!rc)
		merge_requeues(run);
	return rc;
}

struct lw_run_job *lw_run_find(const struct lw_run *run, const char *id)
{
	size_t base = strcspn(id, "[");
	bool is_rest = id[base] == '[';
	char first[64];

	if (is_rest) {
		if (base + 24 > sizeof(first))
			return NULL;
		memcpy(first, id, base);
		snprintf(first + base, sizeof(first) - base, "%lu",
			 strtoul(id + base + 1, NULL, 10));
	}
	for (uint32_t i = 0; i < run->job_count; i++) {
		struct lw_run_job *job = &run->jobs[i];

		if (strcmp(job->id, id) == 0 || strcmp(job->raw_id, id) == 0)
			return job;
		if (is_rest && strcmp(job->id, first) == 0)
			return job;
	}
	return NULL;
}
