/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: the jobs that squeue prints. */
#include "cli/live/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "cli/common/rows.h"
#include "cli/common/slurmcall.h"
#include "cli/why/why.h"

#define GPUS_MAX 1000000

/* What may hold bars stands last: a name can then not be taken for what is Slurm's. */
static const enum lw_column needs[] = {
	LW_COL_JOB,  LW_COL_USER,           LW_COL_STATE,      LW_COL_PARTITION,    LW_COL_NODES,
	LW_COL_CPUS, LW_COL_TRES,           LW_COL_NODE_TRES,  LW_COL_JOB_TRES,     LW_COL_START,
	LW_COL_END,  LW_COL_LIMIT,          LW_COL_NODE_LIST,  LW_COL_PLANNED_LIST, LW_COL_REASON,
	LW_COL_NAME, LW_COL_SYSTEM_COMMENT, LW_COL_END_OF_LIST
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

static int64_t time_of(struct live *live, const struct lw_row *row, enum lw_column column)
{
	struct lw_error why;
	int64_t time_s;

	if (lw_row_value(row, column, &time_s, &why)) {
		note_odd(live, row->job, &why, LIVE_NONE);
		return LIVE_NONE;
	}
	return time_s <= 0 ? LIVE_NONE : time_s;
}

static uint32_t count_of(struct live *live, const struct lw_row *row, enum lw_column column)
{
	int64_t count = lw_sacct_amount(row->text[column]), as_told;
	struct lw_error why;

	if (lw_row_value(row, column, &as_told, &why))
		note_odd(live, row->job, &why, count);
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
static uint32_t gpus_of(struct live *live, const struct lw_row *row, uint32_t nodes)
{
	struct lw_error why;
	int64_t told = 0;
	bool odd = lw_row_value(row, LW_COL_TRES, &told, &why) != 0;
	uint64_t gpus = (uint64_t)told;

	if (!gpus && !odd) {
		lw_error_set(&why, 0, "the GPUs of %.60s, %.60s are more than anything can have",
			     row->job_tres, row->node_tres);
		gpus = gpus_of_request(row->job_tres, &odd);
	}
	if (!gpus)
		gpus = gpus_of_request(row->node_tres, &odd) * nodes;
	if (gpus > UINT32_MAX)
		gpus = UINT32_MAX;
	if (odd)
		note_odd(live, row->job, &why, (int64_t)gpus);
	return (uint32_t)gpus;
}

/* As leeway when tells it. */
static void set_likely(struct live *live, struct lw_live_job *job, const struct lw_row *row)
{
	struct lw_why_job told = { .id = (char *)row->job,
				   .waits = !job->runs,
				   .reason = (char *)row->reason };
	struct lw_why_jobs one = { .jobs = &told, .count = 1 };

	job->p50_s = job->p90_s = LIVE_NONE;
	told.start_s = job->start_s < 0 ? TOOLS_WHY_NONE : job->start_s;
	told.latest_s = job->latest_s < 0 ? TOOLS_WHY_NONE : job->latest_s;
	told.deadline_s = TOOLS_WHY_NONE;
	told.told = told.waits && !lw_why_decode(row->system_comment, &told.why);
	lw_why_doubt(&one, live->now_s);
	if (told.told && told.why.zoned && !live->zoned.zoned)
		live->zoned = told.why;
	if (told.waits) {
		job->start_s = told.why.planned_s ? told.why.planned_s : LIVE_NONE;
		job->latest_s = told.why.latest_s ? told.why.latest_s : LIVE_NONE;
		job->fails = told.why.unkept != 0;
	}
	if (lw_why_judge(&told, live->now_s) != TOOLS_WHY_LIKELY)
		return;
	job->p50_s = lw_why_at(&told, told.why.p50_s);
	job->p90_s = lw_why_at(&told, told.why.p90_s);
}

/* By its limit; LIVE_NONE: it has none. */
static int64_t end_of(struct live *live, int64_t start_s, const struct lw_row *row)
{
	int64_t limit_s;
	struct lw_error why;

	if (lw_row_value(row, LW_COL_LIMIT, &limit_s, &why)) {
		note_odd(live, row->job, &why, LIVE_NONE);
		return LIVE_NONE;
	}
	return start_s >= 0 && limit_s >= 0 ? start_s + limit_s : LIVE_NONE;
}

static void set_numbers(struct live *live, struct lw_live_job *job, const struct lw_row *row)
{
	bool cut;

	job->runs = strcmp(row->state, "PENDING") != 0;
	job->tasks = job->runs ? 1 : lw_sacct_tasks(row->job, &cut);
	job->cpus = count_of(live, row, LW_COL_CPUS);
	job->node_count = count_of(live, row, LW_COL_NODES);
	job->gpus = gpus_of(live, row, job->node_count);
	job->start_s = time_of(live, row, LW_COL_START);
	job->end_s = job->runs ? time_of(live, row, LW_COL_END) : end_of(live, job->start_s, row);
	job->latest_s = job->runs ? LIVE_NONE : lw_slurm_latest_start(row->system_comment);
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

static int add_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_live_job job = { 0 };
	struct live *live = to;

	(void)err;
	if (!is_of_queue(row->state))
		return 0;

	if (lw_grow((void **)&live->jobs, &live->job_room, live->job_count + 1,
		    sizeof(*live->jobs)))
		return -ENOMEM;
	set_numbers(live, &job, row);
	set_likely(live, &job, row);
	job.id = strdup(row->job);
	job.user = strdup(row->user);
	job.partition = strdup(row->partition);
	job.name = strdup(row->name);
	job.reason = strdup(job.runs ? row->state : row->reason);
	job.nodes = strdup(none_if_null(job.runs ? row->node_list : row->planned_list));
	if (!job.id || !job.user || !job.partition || !job.name || !job.reason || !job.nodes) {
		job_fini(&job);
		return -ENOMEM;
	}
	live->jobs[live->job_count++] = job;
	return 0;
}

static struct lw_rows live_reader(struct live *live)
{
	return (struct lw_rows){
		.needs = needs, .of_squeue = true, .command = "live", .take = add_job, .to = live
	};
}

int lw_live_add_jobs(struct live *live, const char *text, struct lw_error *err)
{
	struct lw_rows rows = live_reader(live);

	return lw_rows_of_text(&rows, text, err);
}

int lw_live_ask_jobs(struct live *live, struct lw_error *err)
{
	static const char *const options[] = { "-S", "-p,i", NULL };
	struct lw_rows rows = live_reader(live);

	return lw_rows_ask(&rows, "", options, err);
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
	free(live->suspects);
	memset(live, 0, sizeof(*live));
}
