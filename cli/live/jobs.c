/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: the jobs that squeue prints. */
#include "cli/live/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "cli/common/sacct.h"
#include "cli/common/slurmcall.h"
#include "cli/why/why.h"

#define GPUS_MAX 1000000

/* What may hold bars stands last: a name can then not be taken for what is Slurm's. */
const char lw_live_squeue_format[] =
	"JobArrayID:|,UserName:|,State:|,Partition:|,NumNodes:|,NumCPUs:|,tres-alloc:|,"
	"tres-per-node:|,tres-per-job:|,StartTime:|,EndTime:|,TimeLimit:|,NodeList:|,SchedNodes:|,"
	"Reason:|,Name:|,system_comment:";

/* Names by which the reader of rows knows what a column may hold; the others are ours. */
static const char header[] =
	"JobID|User|State|Partition|NNodes|NCPUS|Tres|PerNode|PerJob|Start|End|Limit|NodeList|"
	"SchedNodes|Reason|JobName|SystemComment\n";

enum {
	ID,
	USER,
	STATE,
	PARTITION,
	NODES,
	CPUS,
	TRES,
	PER_NODE,
	PER_JOB,
	START,
	END,
	LIMIT,
	ON,
	PLANNED_ON,
	REASON,
	NAME,
	COMMENT,
	COLUMNS,
};

/* Job ID has what cannot be, as WHY says: TAKEN stands for it, or nothing. */
static void note_odd(struct live *live, const char *id, const struct lw_error *why, int64_t taken)
{
	char number[24] = "nothing";

	if (live->odd_count++)
		return;
	if (taken >= 0)
		snprintf(number, sizeof(number), "%" PRId64, taken);
	lw_error_set(&live->odd, 0, "job %.40s: %.250s; %s is taken for it", id, why->text, number);
}

static int64_t time_of(struct live *live, const char *id, const char *text, const char *column)
{
	struct lw_error why;
	int64_t time_s;

	if (lw_sacct_time(text, column, &time_s, &why)) {
		note_odd(live, id, &why, LIVE_NONE);
		return LIVE_NONE;
	}
	return time_s <= 0 ? LIVE_NONE : time_s;
}

static uint32_t count_of(struct live *live, const char *id, const char *text, const char *column)
{
	int64_t count = lw_sacct_amount(text), as_told;
	struct lw_error why;

	if (lw_sacct_count(text, column, &as_told, &why))
		note_odd(live, id, &why, count);
	return (uint32_t)count;
}

/* "gres/gpu:4", "gres:gpu:a100:4", "gpu": how many, in a list; "N/A" has none. */
static uint64_t gpus_of_request(const char *text, bool *ret_odd)
{
	uint64_t sum = 0;

	for (; *text; text += strcspn(text, ","), text += *text == ',') {
		size_t len = strcspn(text, ",");
		const char *gpu = memmem(text, len, "gpu", 3), *last;

		if (!gpu)
			continue;
		last = memrchr(gpu, ':', len - (size_t)(gpu - text));
		sum += lw_number_begins(last ? last + 1 : "", GPUS_MAX, 1);
	}
	*ret_odd |= sum >= GPUS_MAX;
	return sum;
}

/* Where accounting does not keep GPUs, what was asked for tells. */
static uint32_t gpus_of(struct live *live, char *const *f, uint32_t nodes)
{
	uint64_t gpus = (uint64_t)lw_sacct_gpus(f[TRES]);
	struct lw_error why;
	bool odd = lw_sacct_check_tres(f[TRES], "tres-alloc", &why) != 0;

	if (!gpus && !odd) {
		lw_error_set(&why, 0, "the GPUs of %.60s, %.60s are more than anything can have",
			     f[PER_JOB], f[PER_NODE]);
		gpus = gpus_of_request(f[PER_JOB], &odd);
	}
	if (!gpus)
		gpus = gpus_of_request(f[PER_NODE], &odd) * nodes;
	if (gpus > UINT32_MAX)
		gpus = UINT32_MAX;
	if (odd)
		note_odd(live, f[ID], &why, (int64_t)gpus);
	return (uint32_t)gpus;
}

/* As leeway when tells it. */
static void set_likely(const struct live *live, struct lw_live_job *job, const char *comment)
{
	struct lw_why_job told = { .waits = !job->runs };

	job->p50_s = job->p90_s = LIVE_NONE;
	told.latest_s = job->latest_s < 0 ? TOOLS_WHY_NONE : job->latest_s;
	told.told = told.waits && !lw_why_decode(comment, &told.why);
	if (lw_why_judge(&told, live->now_s) != TOOLS_WHY_LIKELY)
		return;
	job->p50_s = lw_why_by(&told, told.why.p50_s);
	job->p90_s = lw_why_by(&told, told.why.p90_s);
}

/* By its limit; LIVE_NONE: it has none. */
static int64_t end_of(struct live *live, int64_t start_s, char *const *f)
{
	int64_t limit_s;
	struct lw_error why;

	if (lw_sacct_limit(f[LIMIT], &limit_s, &why)) {
		note_odd(live, f[ID], &why, LIVE_NONE);
		return LIVE_NONE;
	}
	return start_s >= 0 && limit_s >= 0 ? start_s + limit_s : LIVE_NONE;
}

static void set_numbers(struct live *live, struct lw_live_job *job, char *const *f)
{
	bool cut;

	job->runs = strcmp(f[STATE], "PENDING") != 0;
	job->tasks = job->runs ? 1 : lw_sacct_tasks(f[ID], &cut);
	job->cpus = count_of(live, f[ID], f[CPUS], "NumCPUs");
	job->node_count = count_of(live, f[ID], f[NODES], "NumNodes");
	job->gpus = gpus_of(live, f, job->node_count);
	job->start_s = time_of(live, f[ID], f[START], "StartTime");
	job->end_s = job->runs ? time_of(live, f[ID], f[END], "EndTime")
			       : end_of(live, job->start_s, f);
	job->latest_s = job->runs ? LIVE_NONE : lw_slurm_latest_start(f[COMMENT]);
}

static void job_fini(struct lw_live_job *job)
{
	free(job->id);
	free(job->user);
	free(job->partition);
	free(job->name);
	free(job->reason);
	free(job->nodes);
}

static const char *none_if_null(const char *text)
{
	return strcmp(text, "(null)") == 0 || strcmp(text, "N/A") == 0 ? "" : text;
}

static int add_job(struct live *live, char *const *f)
{
	struct lw_live_job job = { 0 };

	if (lw_grow((void **)&live->jobs, &live->job_room, live->job_count + 1,
		    sizeof(*live->jobs)))
		return -ENOMEM;
	set_numbers(live, &job, f);
	set_likely(live, &job, f[COMMENT]);
	job.id = strdup(f[ID]);
	job.user = strdup(f[USER]);
	job.partition = strdup(f[PARTITION]);
	job.name = strdup(f[NAME]);
	job.reason = strdup(job.runs ? f[STATE] : f[REASON]);
	job.nodes = strdup(none_if_null(f[job.runs ? ON : PLANNED_ON]));
	if (!job.id || !job.user || !job.partition || !job.name || !job.reason || !job.nodes) {
		job_fini(&job);
		return -ENOMEM;
	}
	live->jobs[live->job_count++] = job;
	return 0;
}

/* What has ended stays in squeue for a while where the user's environment asks for it. */
static bool is_of_queue(const char *state)
{
	static const char *const states[] = { "PENDING",   "RUNNING",     "SUSPENDED",
					      "RESIZING",  "CONFIGURING", "COMPLETING",
					      "SIGNALING", "STOPPED",     "STAGE_OUT" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(state, states[i]) == 0)
			return true;
	return false;
}

static int add_rows(struct live *live, struct lw_sacct *table, struct lw_error *err)
{
	char **row;
	int rc;

	while ((rc = lw_sacct_next_row(table, &row, err)) > 0) {
		rc = is_of_queue(row[STATE]) ? add_job(live, row) : 0;
		if (rc)
			return lw_error_set(err, rc, "out of memory");
	}
	return rc ? rc : lw_sacct_passed(table, "live", err);
}

int lw_live_add_jobs(struct live *live, const char *text, struct lw_error *err)
{
	struct lw_strbuf whole = LW_STRBUF_INIT;
	struct lw_sacct table;
	int rc;

	lw_strbuf_add(&whole, "%s%s", header, text);
	rc = whole.error ? lw_error_set(err, -ENOMEM, "out of memory")
			 : lw_sacct_of_text(&table, lw_strbuf_text(&whole), "squeue", err);
	lw_strbuf_fini(&whole);
	if (rc)
		return rc;
	rc = add_rows(live, &table, err);
	lw_sacct_fini(&table);
	return rc;
}

static void node_fini(struct lw_live_node *node)
{
	free(node->name);
	free(node->state);
	free(node->type);
}

void lw_live_fini(struct live *live)
{
	for (uint32_t i = 0; i < live->job_count; i++)
		job_fini(&live->jobs[i]);
	for (uint32_t i = 0; i < live->node_count; i++)
		node_fini(&live->nodes[i]);
	for (uint32_t i = 0; i < live->metric_count; i++) {
		free(live->metrics[i].part);
		free(live->metrics[i].name);
		free(live->metrics[i].value);
	}
	free(live->jobs);
	free(live->nodes);
	free(live->metrics);
	free(live->promises);
	free(live->idle);
	free(live->no_idle);
	free(live->cluster);
	free(live->release);
	free(live->state_dir);
	free(live->no_metrics);
	free(live->no_promises);
	memset(live, 0, sizeof(*live));
}
