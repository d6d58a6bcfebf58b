/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that are preempted for the sake of deadlines. */

/*
 * As Slurm's own preemption, of a partition or QOS with requeued jobs that go on from what they
 * saved, but used as little as possible: only for a job that would be too late at the next look.
 * First go jobs that are too late themselves, then jobs without a deadline, the longest first,
 * and then the jobs with the most time left, if it is enough to wait and start again.
 */
#include "lab/sim/engine_state.h"

#include "base/grow.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A job that is too late would miss its deadline in any case. */
enum yields { LATE, NO_DEADLINE, HAS_TIME, NEVER };

struct victim {
	uint32_t job; /* its place in jobs */
	uint32_t running;
	enum yields yields;
	int64_t rest_s; /* of its run, or the time it has left */
};

/* One look for jobs to preempt. */
struct look {
	struct lw_engine *run;
	int64_t now_s;
	struct lw_res *free; /* by node: what is free, or will be */
	struct victim *victims;
	uint32_t victim_count, victim_room, picked;
	uint32_t *urgent; /* by nearness of deadlines: places of records */
	uint32_t urgent_count, urgent_room;
};

int64_t lw_engine_next_tick_s(const struct lw_engine *run, int64_t now_s)
{
	int64_t every_s = run->hooks->preempt_s;

	if (!every_s || !run->snap->running_count || !run->snap->queue.count)
		return INT64_MAX;
	return (now_s / every_s + 1) * every_s;
}

int lw_engine_leave(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	struct lw_sim_job *job = &run->jobs[index];
	int64_t ran_s = now_s - job->start_s;
	int64_t worked_s = ran_s - job->save_s - (job->stops ? job->restart_s : 0);
	int rc = lw_engine_release(run, job);

	run->kinds[job->class_number].runs--;
	lw_agenda_stop(&run->agenda, index);
	if (run->hooks->stopped)
		run->hooks->stopped(run->hooks->arg, job, now_s);
	job->spent_s += ran_s;
	job->done_s += worked_s > 0 ? worked_s : 0;
	job->stops++;
	return rc;
}

int lw_engine_stop(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	int rc = lw_engine_leave(run, index, now_s);

	return rc ? rc : lw_engine_queue(run, index, now_s, UINT32_MAX);
}

static int64_t expected_s(const struct lw_engine *run, uint32_t place)
{
	const struct lw_queue *queue = &run->snap->queue;

	return queue->classes[queue->class_of[place]].expected.mean_s;
}

/* The last time to start at, as expected. */
static int64_t last_start_s(const struct lw_engine *run, uint32_t place)
{
	return run->snap->waiting[place].finish_by_s - expected_s(run, place);
}

static bool is_urgent(const struct look *look, uint32_t place)
{
	const struct lw_waiting *waiting = &look->run->snap->waiting[place];
	int64_t last_s = last_start_s(look->run, place);

	return waiting->finish_by_s && waiting->readiness == LW_READY && last_s >= look->now_s &&
	       last_s < look->now_s + look->run->hooks->preempt_s;
}

static int by_deadline(const void *a, const void *b, void *arg)
{
	const struct lw_snapshot *snap = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct lw_waiting *x = &snap->waiting[i], *y = &snap->waiting[j];

	if (x->finish_by_s != y->finish_by_s)
		return x->finish_by_s < y->finish_by_s ? -1 : 1;
	return snap->queue.seq[i] < snap->queue.seq[j] ? -1
						       : snap->queue.seq[i] > snap->queue.seq[j];
}

static int list_urgent(struct look *look)
{
	struct lw_snapshot *snap = look->run->snap;

	if (lw_grow((void **)&look->urgent, &look->urgent_room, snap->queue.count + 1,
		    sizeof(*look->urgent)))
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->queue.count; i++)
		if (is_urgent(look, snap->queue.order[i]))
			look->urgent[look->urgent_count++] = snap->queue.order[i];
	qsort_r(look->urgent, look->urgent_count, sizeof(*look->urgent), by_deadline, snap);
	return 0;
}

/* What would it cost that the job yields? */
static struct victim weigh_victim(const struct look *look, uint32_t running_index)
{
	const struct lw_running *running = &look->run->snap->running[running_index];
	struct victim victim = { .running = running_index, .yields = NEVER };
	const struct lw_sim_job *job;
	int64_t rest_s = lw_running_end_s(running, look->now_s, LW_ENDS_EXPECTED) - look->now_s;

	if (lw_engine_is_completing(look->run, running->job_id))
		return victim;
	victim.job = look->run->index_of[running->job_id];
	job = &look->run->jobs[victim.job];
	if (!job->resumable || job->after_count || job->leads || job->start_s >= look->now_s)
		return victim;
	victim.rest_s = job->finish_by_s - look->now_s - rest_s;
	victim.yields = !job->finish_by_s ? NO_DEADLINE : victim.rest_s < 0 ? LATE : HAS_TIME;
	if (victim.yields == HAS_TIME &&
	    victim.rest_s < job->save_s + job->restart_s + 2 * look->run->hooks->preempt_s)
		victim.yields = NEVER;
	if (victim.yields != HAS_TIME)
		victim.rest_s = rest_s;
	return victim;
}

static int by_cost(const void *a, const void *b)
{
	const struct victim *x = a, *y = b;

	if (x->yields != y->yields)
		return x->yields < y->yields ? -1 : 1;
	if (x->rest_s != y->rest_s)
		return x->rest_s > y->rest_s ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static int list_victims(struct look *look)
{
	uint32_t count = look->run->snap->running_count;

	if (lw_grow((void **)&look->victims, &look->victim_room, count + 1,
		    sizeof(*look->victims)))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		look->victims[look->victim_count] = weigh_victim(look, i);
		look->victim_count += look->victims[look->victim_count].yields != NEVER;
	}
	qsort(look->victims, look->victim_count, sizeof(*look->victims), by_cost);
	return 0;
}

static void give_room(struct look *look, const struct victim *victim, bool back)
{
	const struct lw_snapshot *snap = look->run->snap;
	const struct lw_running *running = &snap->running[victim->running];
	const struct lw_alloc *allocs = lw_running_allocs(snap, running);

	for (uint32_t i = 0; i < running->alloc_count; i++) {
		if (back)
			lw_res_add(&look->free[allocs[i].node], &allocs[i].res);
		else
			lw_res_sub(&look->free[allocs[i].node], &allocs[i].res);
	}
}

static bool node_holds(const struct lw_res *free, const struct lw_request *req)
{
	return free->cpus >= req->cpus_per_node && lw_res_gpus(free) >= req->gpus_per_node &&
	       free->mem_mib >= req->mem_per_node_mib;
}

/* Are there nodes enough? With TAKES they are taken. */
static bool nodes_fit(struct look *look, const struct lw_request *req, bool takes)
{
	const struct lw_snapshot *snap = look->run->snap;
	uint32_t count = 0;

	for (uint32_t node = 0; node < snap->node_count && count < req->nodes_min; node++) {
		struct lw_res part = { .cpus = req->cpus_per_node,
				       .mem_mib = req->mem_per_node_mib };

		if (!snap->nodes[node].usable || !node_holds(&look->free[node], req))
			continue;
		count++;
		/* the simulator's machines have GPUs of one type */
		part.gpus[0] = req->gpus_per_node;
		if (takes)
			lw_res_sub(&look->free[node], &part);
	}
	return count >= req->nodes_min;
}

/* May this one yield to a job that is to finish by then? */
static bool may_yield(const struct look *look, const struct victim *victim, int64_t finish_by_s)
{
	return victim->yields != HAS_TIME ||
	       look->run->jobs[victim->job].finish_by_s > finish_by_s;
}

/* As few of the victims as it takes, the first at hand moved to the front of those not picked. */
static bool pick_victims(struct look *look, const struct lw_waiting *waiting)
{
	uint32_t first = look->picked, end = first;

	for (uint32_t i = first; i < look->victim_count; i++) {
		struct victim victim = look->victims[i];

		if (nodes_fit(look, &waiting->request, false))
			break;
		if (!may_yield(look, &victim, waiting->finish_by_s))
			continue;
		give_room(look, &victim, true);
		memmove(&look->victims[end + 1], &look->victims[end],
			(i - end) * sizeof(*look->victims));
		look->victims[end++] = victim;
	}
	if (!nodes_fit(look, &waiting->request, false)) {
		while (end > first)
			give_room(look, &look->victims[--end], false);
		qsort(look->victims + first, look->victim_count - first, sizeof(*look->victims),
		      by_cost);
		return false;
	}
	/* jobs that need not go stay after all; the last picked cost most */
	for (uint32_t i = end; i-- > first;) {
		struct victim victim = look->victims[i];

		give_room(look, &victim, false);
		if (!nodes_fit(look, &waiting->request, false)) {
			give_room(look, &victim, true);
			continue;
		}
		end--;
		memmove(&look->victims[i], &look->victims[i + 1],
			(end - i) * sizeof(*look->victims));
		look->victims[end] = victim;
	}
	look->picked = end;
	qsort(look->victims + end, look->victim_count - end, sizeof(*look->victims), by_cost);
	return true;
}

/* In the plan of this second it comes first. */
static int put_first(struct lw_engine *run, uint32_t place)
{
	struct lw_waiting waiting = run->snap->waiting[place];
	uint32_t index = run->job_of[place];

	waiting.constraints.tier = 1;
	waiting.expected = run->snap->queue.classes[run->snap->queue.class_of[place]].expected;
	if (lw_snapshot_remove_waiting(run->snap, place))
		return -ENOMEM;
	return lw_engine_place(run, index, &waiting);
}

static int engine_look(struct look *look)
{
	const struct lw_snapshot *snap = look->run->snap;
	int rc = list_urgent(look);

	if (rc || !look->urgent_count)
		return rc;
	for (uint32_t i = 0; i < snap->node_count; i++) {
		look->free[i] = snap->nodes[i].total;
		lw_res_sub(&look->free[i], &snap->used[i]);
	}
	rc = list_victims(look);
	for (uint32_t i = 0; !rc && i < look->urgent_count; i++) {
		const struct lw_waiting *waiting = &snap->waiting[look->urgent[i]];
		struct lw_request req = waiting->request;

		if (!pick_victims(look, waiting))
			continue;
		nodes_fit(look, &req, true);
		rc = put_first(look->run, look->urgent[i]);
	}
	for (uint32_t i = 0; !rc && i < look->picked; i++)
		rc = lw_engine_stop(look->run, look->victims[i].job, look->now_s);
	return rc;
}

int lw_engine_preempt(struct lw_engine *run, int64_t now_s)
{
	struct look look = { .run = run, .now_s = now_s };
	int rc;

	look.free = calloc((size_t)run->snap->node_count + 1, sizeof(*look.free));
	rc = look.free ? engine_look(&look) : -ENOMEM;
	free(look.free);
	free(look.victims);
	free(look.urgent);
	return rc;
}
