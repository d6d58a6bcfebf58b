/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: the rows of sacct and the samples of squeue. */
#include "tools/report/run.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sim/lines.h"
#include "tools/tools.h"

#define FIELDS_MAX 64
/* Slurm's largest MaxArraySize */
#define TASKS_MAX 4000001
#define MIB_MAX   ((double)UINT32_MAX)
/* far beyond the time_t of any job, and still safe to add to */
#define CLOCK_MAX_S (INT64_C(1) << 40)

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
	COL_LIMIT,
	COL_ASKED,
	COL_NODE_LIST,
	COLUMNS,
};

static const char *const column_names[COLUMNS] = {
	"JobIDRaw", "JobID",     "Submit", "Start",   "End",  "State",        "NNodes",
	"NCPUS",    "AllocTRES", "Flags",  "JobName", "User", "TimelimitRaw", "ReqTRES",
	"NodeList",
};

/* columns a run can do without */
static bool is_optional(int column)
{
	return column == COL_NAME || column == COL_FLAGS || column == COL_RAW_ID ||
	       column == COL_USER || column == COL_LIMIT || column == COL_ASKED ||
	       column == COL_NODE_LIST;
}

static int find_columns(char *header, int *ret_at, struct lw_error *err)
{
	char *names[FIELDS_MAX];
	uint32_t n = lw_lines_split(header, '|', names, FIELDS_MAX);

	for (int c = 0; c < COLUMNS; c++) {
		ret_at[c] = -1;
		for (uint32_t i = 0; i < n && i < FIELDS_MAX; i++)
			if (strcmp(names[i], column_names[c]) == 0)
				ret_at[c] = (int)i;
		if (ret_at[c] < 0 && !is_optional(c))
			return lw_error_set(err, -EINVAL,
					    "no column %s in the header line; wanted are JobID,"
					    "Submit,Start,End,State,NNodes,NCPUS,AllocTRES of "
					    "sacct --parsable2",
					    column_names[c]);
	}
	return 0;
}

static int read_local_time(const char *text, const char *what, int64_t *ret_s,
			   struct lw_error *err)
{
	int64_t at_s;

	if (lw_tools_read_clock(text, &at_s) || at_s > CLOCK_MAX_S)
		return lw_error_set(err, -EINVAL, "%s \"%s\" is no time", what, text);
	*ret_s = at_s;
	return 0;
}

/* What sacct prints where there is no time. */
static bool is_no_time(const char *text)
{
	static const char *const words[] = { "", "Unknown", "None", "N/A" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Seconds since the epoch, or local time. */
static int read_time(const char *text, const char *what, int64_t *ret_s, struct lw_error *err)
{
	char *end;
	long long value = strtoll(text, &end, 10);

	*ret_s = LW_RUN_NONE;
	if (is_no_time(text))
		return 0;
	if (strchr(text, 'T'))
		return read_local_time(text, what, ret_s, err);
	if (end == text || *end || value > CLOCK_MAX_S)
		return lw_error_set(err, -EINVAL,
				    "%s \"%s\" is no time as sacct prints it by default or with "
				    "SLURM_TIME_FORMAT=%%s",
				    what, text);
	if (value > 0)
		*ret_s = value;
	return 0;
}

/* A count as it stands at the begin of TEXT, 0 without one; none is above UINT32_MAX. */
static int64_t read_amount(const char *text)
{
	unsigned long long value = isdigit((unsigned char)*text) ? strtoull(text, NULL, 10) : 0;

	return value > UINT32_MAX ? UINT32_MAX : (int64_t)value;
}

/* "billing=4,cpu=4,gres/gpu=2,node=1": the value of KEY, else 0. */
static int64_t read_tres(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = text; *p;) {
		if (strncmp(p, key, len) == 0 && p[len] == '=')
			return read_amount(p + len + 1);
		p += strcspn(p, ",");
		p += *p == ',';
	}
	return 0;
}

/* "12_[3-5,9%2]" stands for 4 tasks that still wait. More than TASKS_MAX are no array. */
static uint32_t count_tasks(const char *id)
{
	const char *p = strchr(id, '[');
	uint64_t tasks = 0;

	if (!p)
		return 1;
	for (p++; isdigit((unsigned char)*p);) {
		char *end;
		unsigned long low = strtoul(p, &end, 10), high = low;

		if (*end == '-')
			high = strtoul(end + 1, &end, 10);
		if (high > TASKS_MAX || (tasks += high >= low ? high - low + 1 : 0) > TASKS_MAX)
			return TASKS_MAX + 1;
		p = *end == ',' ? end + 1 : end;
	}
	return tasks ? (uint32_t)tasks : 1;
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
	int rc = read_time(f[at[COL_SUBMIT]], "Submit", &job->submit_s, err);

	if (!rc)
		rc = read_time(f[at[COL_START]], "Start", &job->start_s, err);
	if (!rc)
		rc = read_time(f[at[COL_END]], "End", &job->end_s, err);
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
	free(job->node_list);
}

/* "250G", "32000M": in MiB; sacct may print fractions. */
static int64_t read_mem_mib(const char *text)
{
	const char *at = strstr(text, "mem=");
	double value;
	char *unit;

	if (!at || (at != text && at[-1] != ','))
		return 0;
	value = strtod(at + 4, &unit);
	switch (*unit) {
	case 'K':
		value /= 1024;
		break;
	case 'G':
		value *= 1024;
		break;
	case 'T':
		value *= 1024 * 1024;
		break;
	}
	if (!(value > 0)) /* nor a NaN */
		return 0;
	return (int64_t)(value < MIB_MAX ? value : MIB_MAX);
}

static int read_limit(const char *text, struct lw_run_job *job, struct lw_error *err)
{
	job->limit_s = LW_RUN_NONE;
	if (lw_tools_is_no_limit(text))
		return 0;
	if (text[strspn(text, "0123456789")])
		return lw_error_set(err, -EINVAL,
				    "TimelimitRaw \"%s\" is no number of minutes, UNLIMITED or "
				    "Partition_Limit",
				    text);
	job->limit_s = 60 * read_amount(text);
	return 0;
}

/* What it asked for, not what it got: a whole node for one CPU, say. */
static int read_asked(char *const *f, const int *at, struct lw_run_job *job, struct lw_error *err)
{
	const char *asked = at[COL_ASKED] >= 0 ? f[at[COL_ASKED]] : "";

	job->asked_nodes = read_tres(asked, "node");
	job->asked_cpus = read_tres(asked, "cpu");
	job->asked_gpus = read_tres(asked, "gres/gpu");
	job->asked_mem_mib = read_mem_mib(asked);
	return read_limit(at[COL_LIMIT] >= 0 ? f[at[COL_LIMIT]] : "", job, err);
}

static int read_job(char *const *f, const int *at, struct lw_run_job *job, struct lw_error *err)
{
	int rc;

	memset(job, 0, sizeof(*job));
	rc = read_times(f, at, job, err);
	if (!rc)
		rc = read_asked(f, at, job, err);
	if (rc)
		return rc;
	job->promise_s = LW_RUN_NONE;
	job->nodes = read_amount(f[at[COL_NODES]]);
	job->cpus = read_amount(f[at[COL_CPUS]]);
	job->gpus = read_tres(f[at[COL_ALLOC]], "gres/gpu");
	job->mem_mib = read_mem_mib(f[at[COL_ALLOC]]);
	job->tasks = count_tasks(f[at[COL_ID]]);
	if (job->tasks > TASKS_MAX)
		return lw_error_set(err, -EINVAL, "job %s has more tasks than Slurm allows",
				    f[at[COL_ID]]);
	if (at[COL_FLAGS] >= 0 && job->start_s != LW_RUN_NONE)
		job->starter = read_starter(f[at[COL_FLAGS]]);
	job->id = strdup(f[at[COL_ID]]);
	job->raw_id = strdup(at[COL_RAW_ID] >= 0 ? f[at[COL_RAW_ID]] : job->id ? job->id : "");
	job->name = strdup(at[COL_NAME] >= 0 ? f[at[COL_NAME]] : "");
	job->user = strdup(at[COL_USER] >= 0 ? f[at[COL_USER]] : "");
	job->node_list = strdup(at[COL_NODE_LIST] >= 0 ? f[at[COL_NODE_LIST]] : "");
	/* "CANCELLED by 1000" */
	job->state = strndup(f[at[COL_STATE]], strcspn(f[at[COL_STATE]], " +"));
	if (job->id && job->raw_id && job->name && job->state && job->user && job->node_list)
		return 0;
	free_job(job);
	return lw_error_set(err, -ENOMEM, "out of memory");
}

static int add_row(struct lw_run *run, char *line, const int *at, uint32_t wanted,
		   struct lw_error *err)
{
	char *fields[FIELDS_MAX];
	struct lw_run_job job;
	uint32_t n;
	int rc;

	/* a name of many lines: users give jobs what names they like, also with the separator */
	if (run->job_count && (!at[COL_ID] || !at[COL_RAW_ID]) && !lw_tools_is_row(line))
		return 0;
	n = lw_lines_split(line, '|', fields, FIELDS_MAX);
	/* a comment may hold the separator; what we need stands before it */
	if (n < wanted)
		return lw_error_set(err, -EINVAL, "%" PRIu32 " fields, %" PRIu32 " wanted", n,
				    wanted);
	if (lw_grow((void **)&run->jobs, &run->room, run->job_count + 1, sizeof(job)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = read_job(fields, at, &job, err);
	if (!rc)
		run->jobs[run->job_count++] = job;
	return rc;
}

static int read_rows(struct lw_run *run, struct lw_lines *lines, struct lw_error *err)
{
	char *line = lw_lines_next(lines);
	uint32_t wanted = 1;
	int at[COLUMNS], rc;

	if (!line)
		return lw_error_set(err, -EINVAL, "empty: not even a header line");
	for (const char *p = line; *p; p++)
		wanted += *p == '|';
	if (wanted > FIELDS_MAX)
		return lw_error_set(err, -EINVAL, "more than %d columns", FIELDS_MAX);
	rc = find_columns(line, at, err);
	while (!rc && (line = lw_lines_next(lines))) {
		if (*line)
			rc = add_row(run, line, at, wanted, err);
		if (rc == -EINVAL && run->lenient) {
			if (!run->bad_rows++)
				lw_error_set(&run->bad, rc, "%" PRIu32 ": %s", lines->number,
					     err->text);
			rc = 0;
		}
	}
	return rc;
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

int lw_run_load_sacct(struct lw_run *run, const char *path, struct lw_error *err)
{
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	rc = read_rows(run, &lines, err);
	if (rc)
		lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", path,
				lines.number ? lines.number : 1);
	else
		merge_requeues(run);
	lw_lines_fini(&lines);
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
