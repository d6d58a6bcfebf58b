/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much work is ahead of a waiting job. */
#include "planner/order/ahead.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* beyond any wait */
#define BEFORE_MAX_S 1e9

#define AHEAD_ALL_SETS UINT32_MAX

void lw_ahead_fini(struct lw_ahead *ahead)
{
	free(ahead->turns);
	free(ahead->before_s);
	free(ahead->jobs);
	free(ahead->shares);
	memset(ahead, 0, sizeof(*ahead));
}

static double ahead_share_of(const struct lw_ahead *ahead, double cpus, double gpus)
{
	double of_cpus = ahead->cpus > 0 ? cpus / ahead->cpus : 0;
	double of_gpus = ahead->gpus > 0 ? gpus / ahead->gpus : 0;
	double share = of_cpus > of_gpus ? of_cpus : of_gpus;

	return share < 1 ? share : 1;
}

double lw_ahead_share(const struct lw_ahead *ahead, const struct lw_request *req)
{
	double nodes = req->nodes_min;
	double cpus = nodes * req->cpus_per_node, gpus = nodes * req->gpus_per_node;

	return ahead_share_of(ahead, cpus > req->cpus_total ? cpus : req->cpus_total,
			      gpus > req->gpus_total ? gpus : req->gpus_total);
}

static void ahead_measure(struct lw_ahead *ahead, const struct lw_snapshot *snap)
{
	ahead->cpus = ahead->gpus = ahead->running_s = 0;
	for (uint32_t i = 0; i < snap->node_count; i++) {
		if (!snap->nodes[i].usable)
			continue;
		ahead->cpus += snap->nodes[i].total.cpus;
		ahead->gpus += lw_res_gpus(&snap->nodes[i].total);
	}
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *run = &snap->running[i];
		const struct lw_alloc *allocs = lw_running_allocs(snap, run);
		double cpus = 0, gpus = 0;

		for (uint32_t k = 0; k < run->alloc_count; k++) {
			cpus += allocs[k].res.cpus;
			gpus += lw_res_gpus(&allocs[k].res);
		}
		ahead->running_s +=
			ahead_share_of(ahead, cpus, gpus) *
			(double)(lw_running_end_s(run, snap->now_s, LW_ENDS_EXPECTED) -
				 snap->now_s);
	}
}

static int ahead_compare_turns(const void *x, const void *y)
{
	const struct lw_ahead_turn *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* By class, if jobs go by expected run time. */
static void ahead_by_class(struct lw_ahead *ahead, const struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;

	ahead->turn_count = 0;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		ahead->turns[ahead->turn_count++] =
			(struct lw_ahead_turn){ (double)class->expected.mean_s,
						queue->active[i] };
	}
	qsort(ahead->turns, ahead->turn_count, sizeof(*ahead->turns), ahead_compare_turns);
}

/* The work ahead of jobs of SET, if classes take their turns one after the other. */
static void ahead_add_classes(struct lw_ahead *ahead, const struct lw_snapshot *snap,
			      uint32_t set)
{
	const struct lw_queue *queue = &snap->queue;
	double before_s = 0;
	uint32_t jobs = 0;

	for (uint32_t i = 0; i < ahead->turn_count; i++) {
		const struct lw_class *class = &queue->classes[ahead->turns[i].number];
		double one_s =
			lw_ahead_share(ahead, &class->request) * (double)class->expected.mean_s;

		if (class->set != set &&
		    !lw_bitset_intersects(&snap->sets[class->set].nodes, &snap->sets[set].nodes))
			continue;
		for (uint32_t k = 0; k < class->member_count; k++) {
			if (class->set == set) {
				ahead->before_s[class->members[k]] = before_s;
				ahead->jobs[class->members[k]] = jobs;
			}
			jobs++;
			before_s += one_s * snap->waiting[class->members[k]].tasks;
		}
	}
}

/*
 * All jobs have all work before them ahead: with so many sets, shared nodes are not looked up,
 * and the jobs are not counted.
 */
static void ahead_add_all_classes(struct lw_ahead *ahead, const struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;
	double before_s = 0;

	for (uint32_t i = 0; i < ahead->turn_count; i++) {
		const struct lw_class *class = &queue->classes[ahead->turns[i].number];
		double one_s =
			lw_ahead_share(ahead, &class->request) * (double)class->expected.mean_s;

		for (uint32_t k = 0; k < class->member_count; k++) {
			ahead->before_s[class->members[k]] = before_s;
			before_s += one_s * snap->waiting[class->members[k]].tasks;
		}
	}
}

/* Which sets share nodes with SET? */
static void ahead_find_shares(struct lw_ahead *ahead, const struct lw_snapshot *snap,
			      uint32_t set)
{
	for (uint32_t i = 0; i < snap->set_count; i++)
		ahead->shares[i] = i == set || lw_bitset_intersects(&snap->sets[i].nodes,
								    &snap->sets[set].nodes);
}

/* The work ahead of jobs of SET in the queue; AHEAD_ALL_SETS: of all, as if they shared all
 * nodes. */
static void ahead_add_in_order(struct lw_ahead *ahead, const struct lw_snapshot *snap,
			       uint32_t set)
{
	const struct lw_queue *queue = &snap->queue;
	bool all = set == AHEAD_ALL_SETS;
	double before_s = 0;
	uint32_t jobs = 0;

	for (uint32_t i = 0; i < queue->count; i++) {
		const struct lw_waiting *job = &snap->waiting[queue->order[i]];

		if (!all && !ahead->shares[job->set])
			continue;
		if (all || job->set == set) {
			ahead->before_s[queue->order[i]] = before_s;
			ahead->jobs[queue->order[i]] = all ? 0 : jobs;
		}
		if (job->readiness != LW_READY)
			continue;
		jobs++;
		before_s += lw_ahead_share(ahead, &job->request) *
			    (double)lw_waiting_expect_s(job) * job->tasks;
	}
}

static bool ahead_queue_has(const struct lw_snapshot *snap, uint32_t set)
{
	for (uint32_t i = 0; i < snap->queue.count; i++)
		if (snap->waiting[snap->queue.order[i]].set == set)
			return true;
	return false;
}

static void ahead_add_queue(struct lw_ahead *ahead, const struct lw_snapshot *snap, bool many)
{
	if (many)
		ahead_add_in_order(ahead, snap, AHEAD_ALL_SETS);
	for (uint32_t set = 0; !many && set < snap->set_count; set++) {
		if (!ahead_queue_has(snap, set))
			continue;
		ahead_find_shares(ahead, snap, set);
		ahead_add_in_order(ahead, snap, set);
	}
}

static bool ahead_has_class_of(const struct lw_ahead *ahead, const struct lw_snapshot *snap,
			       uint32_t set)
{
	for (uint32_t i = 0; i < ahead->turn_count; i++)
		if (snap->queue.classes[ahead->turns[i].number].set == set)
			return true;
	return false;
}

/* Would a look at the whole queue for each set take too long? */
static bool ahead_has_many_sets(const struct lw_snapshot *snap)
{
	return (uint64_t)snap->set_count * (snap->queue.active_count + snap->queue.count) >
	       LW_AHEAD_LOOKS_MAX;
}

int lw_ahead_make(struct lw_ahead *ahead, const struct lw_snapshot *snap,
		  const struct lw_policy_params *params)
{
	if (lw_grow((void **)&ahead->turns, &ahead->turn_room, snap->queue.active_count + 1,
		    sizeof(*ahead->turns)) ||
	    lw_grow((void **)&ahead->before_s, &ahead->before_room, snap->waiting_count + 1,
		    sizeof(*ahead->before_s)) ||
	    lw_grow((void **)&ahead->jobs, &ahead->jobs_room, snap->waiting_count + 1,
		    sizeof(*ahead->jobs)) ||
	    lw_grow((void **)&ahead->shares, &ahead->shares_room, snap->set_count + 1,
		    sizeof(*ahead->shares)))
		return -ENOMEM;
	ahead_measure(ahead, snap);
	memset(ahead->before_s, 0, (snap->waiting_count + 1) * sizeof(*ahead->before_s));
	memset(ahead->jobs, 0, (snap->waiting_count + 1) * sizeof(*ahead->jobs));
	if (!lw_policy_has(params->kind, LW_PREDICTS)) {
		ahead_add_queue(ahead, snap, ahead_has_many_sets(snap));
		return 0;
	}
	ahead_by_class(ahead, snap);
	if (ahead_has_many_sets(snap)) {
		ahead_add_all_classes(ahead, snap);
		return 0;
	}
	for (uint32_t set = 0; set < snap->set_count; set++)
		if (ahead_has_class_of(ahead, snap, set))
			ahead_add_classes(ahead, snap, set);
	return 0;
}

uint32_t lw_ahead_jobs(const struct lw_ahead *ahead, uint32_t index)
{
	return ahead->jobs[index];
}

int64_t lw_ahead_before_s(const struct lw_ahead *ahead, uint32_t index)
{
	double before_s = ahead->before_s[index] + ahead->running_s;

	return before_s < BEFORE_MAX_S ? (int64_t)before_s : (int64_t)BEFORE_MAX_S;
}
