/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report --live: the jobs that squeue prints. */
#include "tools/live/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "tools/sacct.h"
#include "tools/slurmcall.h"
#include "tools/why/why.h"

/* What may hold bars stands last: a name can then not be taken for what is Slurm's. */
const char live_squeue_format[] =
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

static int64_t time_of(const char *text)
{
	int64_t time_s;

	return lw_sacct_time(text, "", &time_s, NULL) || time_s <= 0 ? LIVE_NONE : time_s;
}

/* "gres/gpu:4", "gres:gpu:a100:4", "gpu": how many, in a list; "N/A" has none. */
static uint32_t gpus_of_request(const char *text)
{
	uint64_t sum = 0;

	for (; *text; text += strcspn(text, ","), text += *text == ',') {
		size_t len = strcspn(text, ",");
		const char *gpu = memmem(text, len, "gpu", 3), *last;

		if (!gpu)
			continue;
		last = memrchr(gpu, ':', len - (size_t)(gpu - text));
		sum += lw_number_begins(last ? last + 1 : "", 1000000, 1);
	}
	return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Where accounting does not keep GPUs, what was asked for tells. */
static uint32_t gpus_of(char *const *f, uint32_t nodes)
{
	uint64_t gpus = (uint64_t)lw_sacct_gpus(f[TRES]);

	if (!gpus)
		gpus = gpus_of_request(f[PER_JOB]);
	if (!gpus)
		gpus = (uint64_t)gpus_of_request(f[PER_NODE]) * nodes;
	return gpus < UINT32_MAX ? (uint32_t)gpus : UINT32_MAX;
}

/* As leeway when tells it. */
static void set_likely(const struct live *live, struct live_job *job, const char *comment)
{
	struct tools_why_job told = { .waits = !job->runs };

	job->p50_s = job->p90_s = LIVE_NONE;
	told.latest_s = job->latest_s < 0 ? TOOLS_WHY_NONE : job->latest_s;
	told.told = told.waits && !lw_why_decode(comment, &told.why);
	if (tools_why_judge(&told, live->now_s) != TOOLS_WHY_LIKELY)
		return;
	job->p50_s = tools_why_by(&told, told.why.p50_s);
	job->p90_s = tools_why_by(&told, told.why.p90_s);
}

static void set_numbers(struct live_job *job, char *const *f)
{
	int64_t limit_s = LW_SACCT_NONE;
	bool cut;

	job->runs = strcmp(f[STATE], "PENDING") != 0;
	job->tasks = job->runs ? 1 : lw_sacct_tasks(f[ID], &cut);
	job->cpus = (uint32_t)lw_sacct_amount(f[CPUS]);
	job->node_count = (uint32_t)lw_sacct_amount(f[NODES]);
	job->gpus = gpus_of(f, job->node_count);
	job->start_s = time_of(f[START]);
	job->end_s = job->runs ? time_of(f[END]) : LIVE_NONE;
	job->latest_s = job->runs ? LIVE_NONE : lw_slurm_latest_start(f[COMMENT]);
	if (!job->runs && job->start_s >= 0 && !lw_sacct_limit(f[LIMIT], &limit_s, NULL) &&
	    limit_s >= 0)
		job->end_s = job->start_s + limit_s;
}

static void job_fini(struct live_job *job)
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
	struct live_job job = { 0 };

	if (lw_grow((void **)&live->jobs, &live->job_room, live->job_count + 1,
		    sizeof(*live->jobs)))
		return -ENOMEM;
	set_numbers(&job, f);
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
	return rc ? rc : lw_sacct_passed(table, "report", err);
}

int live_add_jobs(struct live *live, const char *text, struct lw_error *err)
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

static void node_fini(struct live_node *node)
{
	free(node->name);
	free(node->state);
	free(node->type);
}

void live_fini(struct live *live)
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
