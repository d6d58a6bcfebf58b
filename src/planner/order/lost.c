/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the time that a waiting job has lost to later jobs. */
#include "planner/order/lost.h"

#include "base/grow.h"
#include "planner/order/order.h"
#include "planner/order/width.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* of all sets: what the whole cluster has counts as the nodes of a job */
#define ALL_SETS UINT32_MAX

void lw_lost_fini(struct lw_lost *lost)
{
	free(lost->jobs);
	free(lost->next);
	free(lost->since_s);
	free(lost->before);
	memset(lost, 0, sizeof(*lost));
}

static int lost_compare_times(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static int lost_compare_ids(const void *x, const void *y)
{
	const struct lw_lost_job *a = x, *b = y;

	if (a->job_id != b->job_id)
		return a->job_id < b->job_id ? -1 : 1;
	/* of records of one job, the first is kept: whether one of them loses */
	return (int)b->loses - (int)a->loses;
}

static const struct lw_lost_job *lost_find(const struct lw_lost *lost, uint32_t job_id)
{
	uint32_t from = 0, to = lost->count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (lost->jobs[middle].job_id < job_id)
			from = middle + 1;
		else
			to = middle;
	}
	return from < lost->count && lost->jobs[from].job_id == job_id ? &lost->jobs[from] : NULL;
}

/* The first place in since_s[COUNT] that is TIME_S or later. */
static uint32_t lost_place(const struct lw_lost *lost, uint32_t count, int64_t time_s)
{
	uint32_t from = 0, to = count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (lost->since_s[middle] < time_s)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* What the running job holds on nodes of SET, in CPUs: as lw_width(). */
static double lost_held(const struct lw_scale *scale, const struct lw_snapshot *snap,
			const struct lw_running *job, uint32_t set)
{
	const struct lw_alloc *allocs = lw_running_allocs(snap, job);
	double cpus = 0, gpus = 0, mib = 0;

	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_res *res = &allocs[i].res;

		if (set != ALL_SETS && !lw_bitset_test(&snap->sets[set].nodes, allocs[i].node))
			continue;
		cpus += res->cpus;
		gpus += lw_res_gpus(res);
		mib += (double)res->mem_mib;
	}
	gpus *= scale->cpus_per_gpu;
	mib *= scale->cpus_per_mib;
	cpus = cpus > gpus ? cpus : gpus;
	return cpus > mib ? cpus : mib;
}

static void lost_sum_running(struct lw_lost *lost, const struct lw_scale *scale,
			     const struct lw_snapshot *snap, uint32_t set)
{
	uint32_t count = snap->queue.count;

	memset(lost->before, 0, ((size_t)count + 1) * sizeof(*lost->before));
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		lost->before[lost_place(lost, count, job->since_s)] +=
			lost_held(scale, snap, job, set);
	}
	for (uint32_t i = 1; i < count; i++)
		lost->before[i] += lost->before[i - 1];
}

/* Does the record want nodes of SET? */
static bool lost_shares(const struct lw_snapshot *snap, const struct lw_waiting *job,
			uint32_t set)
{
	return set == ALL_SETS || job->set == set ||
	       lw_bitset_intersects(&snap->sets[job->set].nodes, &snap->sets[set].nodes);
}

/* Which jobs of SET lose time from now on? */
static void lost_judge(struct lw_lost *lost, const struct lw_scale *scale,
		       const struct lw_snapshot *snap, uint32_t set)
{
	const struct lw_queue *queue = &snap->queue;
	double room = set == ALL_SETS ? scale->cpus : lw_width_of_set(scale, snap, set);
	double front = 0;

	lost_sum_running(lost, scale, snap, set);
	for (uint32_t i = 0; i < queue->count; i++) {
		const struct lw_waiting *job = &snap->waiting[queue->order[i]];
		double width;

		if (job->readiness != LW_READY || !lost_shares(snap, job, set))
			continue;
		width = lw_width(scale, &job->request);
		if (set == ALL_SETS || job->set == set)
			lost->next[i].loses =
				front + width +
					lost->before[lost_place(lost, queue->count,
								lw_order_since_s(job))] <=
				room;
		front += width * job->tasks;
	}
}

static bool lost_set_waits(const struct lw_snapshot *snap, uint32_t set)
{
	const struct lw_queue *queue = &snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++)
		if (queue->classes[queue->active[i]].set == set)
			return true;
	return false;
}

static void lost_judge_all(struct lw_lost *lost, const struct lw_snapshot *snap)
{
	uint64_t jobs = (uint64_t)snap->queue.count + snap->running_count;
	struct lw_scale scale;

	lw_scale_init(&scale, snap);
	if (snap->set_count * jobs > LW_LOST_LOOKS_MAX) {
		lost_judge(lost, &scale, snap, ALL_SETS);
		return;
	}
	for (uint32_t set = 0; set < snap->set_count; set++)
		if (lost_set_waits(snap, set))
			lost_judge(lost, &scale, snap, set);
}

static int lost_grow(struct lw_lost *lost, uint32_t count)
{
	return lw_grow((void **)&lost->next, &lost->next_room, count, sizeof(*lost->next)) ||
			       lw_grow((void **)&lost->since_s, &lost->since_room, count,
				       sizeof(*lost->since_s)) ||
			       lw_grow((void **)&lost->before, &lost->before_room, count + 1,
				       sizeof(*lost->before))
		       ? -ENOMEM
		       : 0;
}

/* Sort what is known of this cycle for the next one, a job once. */
static void lost_keep(struct lw_lost *lost, uint32_t count)
{
	struct lw_lost_job *jobs = lost->next;
	uint32_t room = lost->next_room, kept = 0;

	qsort(jobs, count, sizeof(*jobs), lost_compare_ids);
	for (uint32_t i = 0; i < count; i++)
		if (!kept || jobs[kept - 1].job_id != jobs[i].job_id)
			jobs[kept++] = jobs[i];
	lost->next = lost->jobs;
	lost->next_room = lost->jobs_room;
	lost->jobs = jobs;
	lost->jobs_room = room;
	lost->count = kept;
}

int lw_lost_note(struct lw_lost *lost, struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;
	int64_t passed_s = snap->now_s - lost->at_s;

	if (lost_grow(lost, queue->count))
		return -ENOMEM;
	for (uint32_t i = 0; i < queue->count; i++) {
		struct lw_waiting *job = &snap->waiting[queue->order[i]];
		const struct lw_lost_job *known = lost_find(lost, job->job_id);

		job->lost_s = known ? known->lost_s : 0;
		if (known && known->loses && passed_s > 0)
			job->lost_s += passed_s;
		lost->next[i] = (struct lw_lost_job){ job->job_id, false, job->lost_s };
		lost->since_s[i] = lw_order_since_s(job);
	}
	qsort(lost->since_s, queue->count, sizeof(*lost->since_s), lost_compare_times);
	lost_judge_all(lost, snap);
	lost_keep(lost, queue->count);
	lost->at_s = snap->now_s;
	return 0;
}
