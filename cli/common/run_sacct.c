/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: the rows of sacct and the samples of squeue. */
#include "cli/common/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/sacct.h"
#include "record/summary.h"

/* The columns we read; they are found by name, so more may be there, in any order. */
enum column {
	COL_RAW_ID,
	COL_ID,
	COL_SUBMIT,
	COL_START,
	COL_END,
	COL_STATE,
	COL_NODES,
	COL_CPUS,
	COL_ALLOC,
	COL_FLAGS,
	COL_NAME,
	COL_USER,
	COL_ACCOUNT,
	COL_LIMIT,
	COL_ASKED,
	COL_NODE_LIST,
	COL_COMMENT,
	COLUMNS,
};

/* The first of the names that is there counts. */
static const struct {
	const char *names;
	bool is_optional; /* a run can do without it */
	const char *lacks; /* what a workload then does, of a column it wants */
} columns[COLUMNS] = {
	[COL_RAW_ID] = { "JobIDRaw", true, NULL },
	[COL_ID] = { "JobID|JobIDRaw", false, NULL },
	[COL_SUBMIT] = { "Submit", false, NULL },
	[COL_START] = { "Start", false, NULL },
	[COL_END] = { "End", false, NULL },
	[COL_STATE] = { "State", false, NULL },
	[COL_NODES] = { "NNodes|AllocNodes|ReqNodes", false, NULL },
	[COL_CPUS] = { "NCPUS|AllocCPUS|ReqCPUS", false, NULL },
	[COL_ALLOC] = { "AllocTRES", false, NULL },
	[COL_FLAGS] = { "Flags", true, NULL },
	[COL_NAME] = { "JobName", true, "no column JobName: no job has a name" },
	[COL_USER] = { "User|UID", true, "no column User: all jobs are one user's" },
	[COL_ACCOUNT] = { "Account", true, NULL },
	[COL_LIMIT] = { "TimelimitRaw|Timelimit", true,
			"no column TimelimitRaw or Timelimit: every job is given a day or more" },
	[COL_ASKED] = { "ReqTRES", true,
			"no column ReqTRES: what a job was given stands for what it asked for" },
	[COL_NODE_LIST] = { "NodeList", true, NULL },
	[COL_COMMENT] = { "AdminComment", true, NULL },
};

static int find_columns(struct lw_run *run, const struct lw_sacct *sacct, int *ret_at,
			struct lw_error *err)
{
	for (int c = 0; c < COLUMNS; c++) {
		ret_at[c] = lw_sacct_column(sacct, columns[c].names);
		if (ret_at[c] >= 0)
			continue;
		if (!columns[c].is_optional)
			return lw_error_set(err, -EINVAL,
					    "%s:1: no column %.*s in the header line; wanted are "
					    "JobID,Submit,Start,End,State,NNodes,NCPUS,AllocTRES "
					    "of sacct --parsable2",
					    sacct->path, (int)strcspn(columns[c].names, "|"),
					    columns[c].names);
		if (columns[c].lacks)
			run->lacks[run->lack_count++] = columns[c].lacks;
	}
	return 0;
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

static int read_times(char *const *f, const int *at, struct lw_run_job *job, struct lw_error *err)
{
	int rc = lw_sacct_time(f[at[COL_SUBMIT]], "Submit", &job->submit_s, err);

	if (!rc)
		rc = lw_sacct_time(f[at[COL_START]], "Start", &job->start_s, err);
	if (!rc)
		rc = lw_sacct_time(f[at[COL_END]], "End", &job->end_s, err);
	if (rc)
		return rc;
	if (job->submit_s == LW_RUN_NONE)
		return lw_error_set(err, -EINVAL, "job %s has no Submit time", f[at[COL_ID]]);
	/* a job cancelled while it waited has times but never had anything */
	if (!*f[at[COL_ALLOC]])
		job->start_s = LW_RUN_NONE;
	if (job->start_s != LW_RUN_NONE && job->end_s != LW_RUN_NONE && job->end_s < job->start_s)
		return lw_error_set(err, -EINVAL, "job %s ends before it starts", f[at[COL_ID]]);
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
static int read_given(char *const *f, const int *at, struct lw_run_job *job, struct lw_error *err)
{
	const char *alloc = f[at[COL_ALLOC]];
	int rc = lw_sacct_count(f[at[COL_NODES]], "NNodes", &job->nodes, err);

	if (!rc)
		rc = lw_sacct_count(f[at[COL_CPUS]], "NCPUS", &job->cpus, err);
	if (!rc)
		rc = lw_sacct_check_tres(alloc, "AllocTRES", err);
	job->gpus = lw_sacct_gpus(alloc);
	job->gpus_held =
		lw_sacct_gpus_held(alloc, at[COL_COMMENT] >= 0 ? f[at[COL_COMMENT]] : "");
	job->mem_mib = lw_sacct_mem_mib(alloc);
	return rc;
}

/* What it asked for, not what it got: a whole node for one CPU, say. */
static int read_asked(char *const *f, const int *at, struct lw_run_job *job, struct lw_error *err)
{
	const char *asked = at[COL_ASKED] >= 0 ? f[at[COL_ASKED]] : "";

	if (lw_sacct_check_tres(asked, "ReqTRES", err))
		return -EINVAL;
	job->asked_nodes = lw_sacct_tres(asked, "node");
	job->asked_cpus = lw_sacct_tres(asked, "cpu");
	job->asked_gpus = lw_sacct_gpus(asked);
	job->asked_mem_mib = lw_sacct_mem_mib(asked);
	return lw_sacct_limit(at[COL_LIMIT] >= 0 ? f[at[COL_LIMIT]] : "", &job->limit_s, err);
}

static void read_use(const char *admin_comment, struct lw_run_job *job)
{
	if (lw_summary_decode(admin_comment, &job->use) || !job->use.energy_gpus)
		return;
	job->energy_known = true;
	job->energy_j = (double)job->use.energy_j;
}

static int read_job(char *const *f, const int *at, struct lw_run_job *job, struct lw_error *err)
{
	int rc;

	memset(job, 0, sizeof(*job));
	rc = read_times(f, at, job, err);
	if (!rc)
		rc = read_asked(f, at, job, err);
	if (!rc)
		rc = read_given(f, at, job, err);
	if (rc)
		return rc;
	job->shown_s = LW_RUN_NONE;
	job->tasks = lw_sacct_tasks(f[at[COL_ID]], &job->tasks_cut);
	if (job->tasks > LW_SACCT_TASKS_MAX)
		return lw_error_set(err, -EINVAL, "job %s has more tasks than Slurm allows",
				    f[at[COL_ID]]);
	if (at[COL_FLAGS] >= 0 && job->start_s != LW_RUN_NONE)
		job->starter = read_starter(f[at[COL_FLAGS]]);
	if (at[COL_COMMENT] >= 0)
		read_use(f[at[COL_COMMENT]], job);
	job->id = strdup(f[at[COL_ID]]);
	job->raw_id = strdup(at[COL_RAW_ID] >= 0 ? f[at[COL_RAW_ID]] : job->id ? job->id : "");
	job->name = strdup(at[COL_NAME] >= 0 ? f[at[COL_NAME]] : "");
	job->user = strdup(at[COL_USER] >= 0 ? f[at[COL_USER]] : "");
	job->account = strdup(at[COL_ACCOUNT] >= 0 ? f[at[COL_ACCOUNT]] : "");
	job->node_list = strdup(at[COL_NODE_LIST] >= 0 ? f[at[COL_NODE_LIST]] : "");
	/* "CANCELLED by 1000" */
	job->state = strndup(f[at[COL_STATE]], strcspn(f[at[COL_STATE]], " +"));
	if (job->id && job->raw_id && job->name && job->state && job->user && job->account &&
	    job->node_list)
		return 0;
	free_job(job);
	return lw_error_set(err, -ENOMEM, "out of memory");
}

static int add_row(struct lw_run *run, char *const *fields, const int *at, struct lw_error *err)
{
	struct lw_run_job job;
	int rc;

	/* a step is a part of its job */
	if (lw_sacct_is_step(fields[at[COL_ID]]))
		return 0;
	if (lw_grow((void **)&run->jobs, &run->room, run->job_count + 1, sizeof(job)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = read_job(fields, at, &job, err);
	if (!rc) {
		run->jobs[run->job_count++] = job;
		run->preempted += strcmp(job.state, "PREEMPTED") == 0;
	}
	return rc;
}

static int read_rows(struct lw_run *run, struct lw_sacct *sacct, const int *at,
		     struct lw_error *err)
{
	char **fields;
	int rc;

	while ((rc = lw_sacct_next(sacct, &fields, err))) {
		if (rc > 0)
			rc = add_row(run, fields, at, err);
		if (rc == -EINVAL && run->lenient) {
			if (!run->bad_rows++)
				lw_error_set(&run->bad, rc, "%" PRIu32 ": %s", sacct->line,
					     err->text);
			rc = 0;
		}
		if (rc)
			return lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", sacct->path,
					       sacct->line);
	}
	return 0;
}

static int compare_jobs(const void *a, const void *b)
{
	const struct lw_run_job *x = a, *y = b;
	long x_id = strtol(x->raw_id, NULL, 10), y_id = strtol(y->raw_id, NULL, 10);
	int order = (x_id > y_id) - (x_id < y_id);

	if (!order)
		order = strcmp(x->raw_id, y->raw_id);
	return order ? order : (x->submit_s > y->submit_s) - (x->submit_s < y->submit_s);
}

/* A requeue (sacct -D) gives a job one more row: it must not hide a lost one. */
static void merge_requeues(struct lw_run *run)
{
	uint32_t kept = 0;

	if (!run->job_count)
		return;
	qsort(run->jobs, run->job_count, sizeof(run->jobs[0]), compare_jobs);
	for (uint32_t i = 1; i < run->job_count; i++) {
		if (strcmp(run->jobs[kept].raw_id, run->jobs[i].raw_id) != 0) {
			run->jobs[++kept] = run->jobs[i];
			continue;
		}
		free_job(&run->jobs[kept]);
		run->jobs[kept] = run->jobs[i];
		run->requeues++;
	}
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
	struct lw_sacct sacct;
	int at[COLUMNS], rc = lw_sacct_open(&sacct, path, err);

	if (rc)
		return add_remedy(rc, err);
	rc = find_columns(run, &sacct, at, err);
	if (!rc)
		rc = read_rows(run, &sacct, at, err);
	if (!rc)
		merge_requeues(run);
	lw_sacct_fini(&sacct);
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
