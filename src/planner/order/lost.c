/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the time that a waiting job has lost to later jobs. */
#include "planner/order/lost.h"

#include "base/grow.h"
#include "base/search.h"
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

/* PLACE: where it may be; set to the place behind it. Queues mostly come in the same order. */
static const struct lw_lost_job *lost_find(const struct lw_lost *lost, uint32_t job_id,
					   uint32_t *place)
{
	uint32_t at = *place;

	if (at >= lost->count || lost->jobs[at].job_id != job_id)
		LW_SEARCH(at, lost->count, lost->jobs[at].job_id < job_id);
	if (at >= lost->count || lost->jobs[at].job_id != job_id)
		return NULL;
	*place = at + 1;
	return &lost->jobs[at];
}

/* The first place in since_s that is TIME_S or later. */
static uint32_t lost_place(const struct lw_lost *lost, int64_t time_s)
{
	uint32_t at;

	LW_SEARCH(at, lost->since_count, lost->since_s[at] < time_s);
	return at;
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
	uint32_t count = lost->since_count;

	memset(lost->before, 0, ((size_t)count + 1) * sizeof(*lost->before));
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		/* later than all: it is before none */
		if (job->since_s <= lost->since_s[count - 1])
			lost->before[lost_place(lost, job->since_s)] +=
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

/* Which jobs of SET lose time from now on? None from where the sum is more than there is. */
static void lost_judge(struct lw_lost *lost, const struct lw_scale *scale,
		       const struct lw_snapshot *snap, uint32_t set)
{
	const struct lw_queue *queue = &snap->queue;
	double room = set == ALL_SETS ? scale->cpus : lw_width_of_set(scale, snap, set);
	double front = 0;

	lost_sum_running(lost, scale, snap, set);
	for (uint32_t i = 0; i < lost->since_count && front < room; i++) {
		const struct lw_waiting *job = &snap->waiting[queue->order[i]];
		double width;

		if (job->readiness != LW_READY || !lost_shares(snap, job, set))
			continue;
		width = lw_width(scale, &job->request);
		if (set == ALL_SETS || job->set == set)
			lost->next[i].loses =
				front + width +
					lost->before[lost_place(lost, lw_order_since_s(job))] <=
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

/* Note since when the jobs wait that the whole cluster could hold together. */
static void lost_note_since(struct lw_lost *lost, const struct lw_scale *scale,
			    const struct lw_snapshot *snap, bool by_set)
{
	const struct lw_queue *queue = &snap->queue;
	bool sorted = true;
	double front = 0;

	lost->since_count = 0;
	for (uint32_t i = 0; i < queue->count && (by_set || front < scale->cpus); i++) {
		const struct lw_waiting *job = &snap->waiting[queue->order[i]];

		lost->since_s[i] = lw_order_since_s(job);
		sorted &= !i || lost->since_s[i - 1] <= lost->since_s[i];
		if (job->readiness == LW_READY)
			front += lw_width(scale, &job->request) * job->tasks;
		lost->since_count++;
	}
	if (!sorted)
		qsort(lost->since_s, lost->since_count, sizeof(*lost->since_s),
		      lost_compare_times);
}

static void lost_judge_all(struct lw_lost *lost, const struct lw_snapshot *snap)
{
	uint64_t jobs = (uint64_t)snap->queue.count + snap->running_count;
	bool by_set = snap->set_count > 1 && snap->set_count * jobs <= LW_LOST_LOOKS_MAX;
	struct lw_scale scale;

	lw_scale_init(&scale, snap);
	lost_note_since(lost, &scale, snap, by_set);
	if (!lost->since_count)
		return;
	if (!by_set)
		lost_judge(lost, &scale, snap, snap->set_count == 1 ? 0 : ALL_SETS);
	for (uint32_t set = 0; by_set && set < snap->set_count; set++)
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
	bool sorted = true;

	for (uint32_t i = 1; i < count && sorted; i++)
		sorted = jobs[i - 1].job_id < jobs[i].job_id;
	if (!sorted)
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

/* What is known of each job; with COUNTS the time since the last look is added. */
static void lost_tell(const struct lw_lost *lost, struct lw_snapshot *snap, bool counts)
{
	const struct lw_queue *queue = &snap->queue;
	uint32_t place = 0;

	for (uint32_t i = 0; i < queue->count; i++) {
		struct lw_waiting *job = &snap->waiting[queue->order[i]];
		const struct lw_lost_job *known = lost_find(lost, job->job_id, &place);

		job->lost_s = known ? known->lost_s : 0;
		if (known && known->loses && counts)
			job->lost_s += snap->now_s - lost->at_s;
	}
}

int lw_lost_note(struct lw_lost *lost, struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;
	int64_t passed_s = snap->now_s - lost->at_s;

	if (passed_s >= 0 && passed_s < LW_LOST_STEP_S) {
		lost_tell(lost, snap, false);
		return 0;
	}
	if (lost_grow(lost, queue->count))
		return -ENOMEM;
	lost_tell(lost, snap, passed_s > 0);
	for (uint32_t i = 0; i < queue->count; i++) {
		const struct lw_waiting *job = &snap->waiting[queue->order[i]];

		lost->next[i] = (struct lw_lost_job){ job->job_id, false, job->lost_s };
	}
	lost_judge_all(lost, snap);
	lost_keep(lost, queue->count);
	lost->at_s = snap->now_s;
	return 0;
}
