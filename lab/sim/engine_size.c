/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run for which the plan chooses the number of nodes (size.mode). */
#include "lab/sim/engine_state.h"

#include "lab/sim/expect.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>

/* A job that agrees to be stopped, since it is not left on few nodes for ever. */
bool lw_engine_has_sizes(const struct lw_engine *run, const struct lw_sim_job *job)
{
	return run->hooks->sizes && job->size.shared && job->agrees;
}

int64_t lw_engine_size_s(const struct lw_engine *run, const struct lw_sim_job *job,
			 const struct lw_request *req, int64_t limit_s, int64_t mean_s)
{
	int64_t there_s;

	if (!lw_engine_has_sizes(run, job))
		return mean_s;
	there_s = lw_size_run_s(&job->size, req->nodes_max, mean_s);
	return there_s < limit_s ? there_s : limit_s;
}

void lw_engine_size_start(const struct lw_engine *run, struct lw_sim_job *job, uint32_t nodes,
			  struct lw_running *running)
{
	const struct lw_sim_hooks *hooks = run->hooks;

	job->nodes = nodes;
	if (hooks->expect)
		running->expect_s = lw_size_run_s(&job->size, nodes,
						  hooks->expect(hooks->arg, job, run->snap->now_s));
}

/* Of the machine, a node of the job. */
static double size_part(const struct lw_engine *run, const struct lw_request *req)
{
	const struct lw_snapshot *snap = run->snap;
	double gpus = 0, cpus = 0, part;

	for (uint32_t i = 0; i < snap->node_count; i++) {
		gpus += lw_res_gpus(&snap->nodes[i].total);
		cpus += snap->nodes[i].total.cpus;
	}
	part = cpus > 0 ? req->cpus_per_node / cpus : 0;
	return gpus > 0 && req->gpus_per_node / gpus > part ? req->gpus_per_node / gpus : part;
}

static int size_ask_anew(struct lw_engine *run, uint32_t place, uint32_t index, int64_t now_s)
{
	const struct lw_sim_job *job = &run->jobs[index];
	struct lw_waiting waiting = run->snap->waiting[place];
	struct lw_request *req = &waiting.request;
	uint32_t least = req->nodes_min, most = req->nodes_max;
	int64_t run_s = run->hooks->expect ? run->hooks->expect(run->hooks->arg, job, now_s)
					   : waiting.limit_s;
	int rc;

	req->nodes_min = lw_size_floor(&job->size, run_s, waiting.limit_s);
	/* it was promised room for so few */
	if (waiting.promise_s != LW_NO_TIME && req->nodes_min > least)
		req->nodes_min = least;
	req->nodes_max = lw_size_choose(&job->size, req->nodes_min, size_part(run, req),
					run->snap->queue.count - 1);
	if (req->nodes_min == least && req->nodes_max == most)
		return 0;
	lw_expect_new(run, &run->jobs[index], now_s, &waiting);
	run->kept_seq = run->snap->queue.seq[place];
	rc = lw_snapshot_remove_waiting(run->snap, place);
	if (!rc)
		lw_expect_rank(run, job->class_number);
	if (!rc)
		rc = lw_engine_place(run, index, &waiting);
	run->kept_seq = 0;
	if (!rc)
		lw_expect_rank(run, job->class_number);
	if (!rc)
		lw_expect_fresh(run, job->class_number, job, now_s);
	return rc;
}

int lw_engine_size(struct lw_engine *run, int64_t now_s)
{
	const struct lw_queue *queue = &run->snap->queue;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < queue->count; i++) {
		uint32_t place = queue->order[i], index = run->job_of[place];

		if (lw_engine_has_sizes(run, &run->jobs[index]))
			rc = size_ask_anew(run, place, index, now_s);
	}
	return rc;
}

static uint32_t size_free(const struct lw_engine *run, const struct lw_request *req)
{
	const struct lw_snapshot *snap = run->snap;
	uint32_t count = 0;

	for (uint32_t i = 0; i < snap->node_count; i++) {
		struct lw_res free = snap->nodes[i].total;

		lw_res_sub(&free, &snap->used[i]);
		count += snap->nodes[i].usable && free.cpus >= req->cpus_per_node &&
			 lw_res_gpus(&free) >= req->gpus_per_node &&
			 free.mem_mib >= req->mem_per_node_mib;
	}
	return count;
}

int64_t lw_engine_size_gain_s(const struct lw_engine *run, uint32_t index,
			      const struct lw_running *running, int64_t cost_s)
{
	const struct lw_sim_job *job = &run->jobs[index];
	int64_t now_s = run->snap->now_s;
	struct lw_size_rest rest = {
		.rest_s = lw_running_end_s(running, now_s, LW_ENDS_EXPECTED) - now_s,
		.cost_s = cost_s,
	};

	if (!lw_engine_has_sizes(run, job))
		return 0;
	return lw_size_gain_s(&job->size, job->nodes, size_free(run, &job->request), &rest);
}
