/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the division of jobs among GPU types that adds least to the sum of their times. */
#include "planner/place/type_sum.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Steps of all tries to move one job: each job of both types is one step of some 30 ns. */
#define STEPS_MAX 300000

/* The account that has less; then time / weight on its type; of equal ones the first in the
 * queue. */
static bool type_sum_goes_before(const struct lw_type_job *jobs, uint32_t a, uint32_t b, int type)
{
	double x = jobs[a].time_s[type] / jobs[a].weight;
	double y = jobs[b].time_s[type] / jobs[b].weight;

	if (jobs[a].has < jobs[b].has || jobs[b].has < jobs[a].has)
		return jobs[a].has < jobs[b].has;
	return x != y ? x < y : a < b;
}

struct turn_order {
	const struct lw_type_job *jobs;
	int type;
};

static int type_sum_compare_turns(const void *a, const void *b, void *arg)
{
	const struct turn_order *order = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	return i == j ? 0 : type_sum_goes_before(order->jobs, i, j, order->type) ? -1 : 1;
}

/* List the jobs that can have TYPE, in order of their turns there. */
static int type_sum_list_turns(struct lw_types_plan *plan, int type)
{
	struct lw_type_pool *pool = &plan->pools[type];
	struct turn_order order = { plan->jobs, type };

	pool->turn_count = 0;
	if (lw_grow((void **)&pool->turns, &pool->turn_room, plan->job_count + 1,
		    sizeof(*pool->turns)))
		return -ENOMEM;
	for (uint32_t i = 0; i < plan->job_count; i++)
		if (plan->jobs[i].time_s[type] && plan->jobs[i].gpus <= pool->gpus)
			pool->turns[pool->turn_count++] = i;
	if (pool->turn_count)
		qsort_r(pool->turns, pool->turn_count, sizeof(*pool->turns),
			type_sum_compare_turns, &order);
	return 0;
}

/*
 * Set the ends of the jobs of plan->tried with TYPE, and return the sum of these times, with what
 * lateness costs.
 */
static int follow_type(struct lw_types_plan *plan, int type, struct lw_type_chunk *scratch,
		       int64_t now_s, double *ret_sum)
{
	const struct lw_type_pool *pool = &plan->pools[type];

	*ret_sum = 0;
	if (lw_types_begin_pool(plan, type))
		return -ENOMEM;
	for (uint32_t i = 0; i < pool->turn_count; i++) {
		struct lw_type_job *job = &plan->tried[pool->turns[i]];

		if (job->type != type)
			continue;
		lw_types_put(plan, job, type, scratch);
		*ret_sum += job->weight *
			    ((double)(job->done_s - now_s) + lw_types_late_s(plan, job));
	}
	return 0;
}

/* What job AT on TYPE adds to the sum of the jobs there. */
static double type_sum_added(const struct lw_types_plan *plan, uint32_t at, int type)
{
	const struct lw_type_job *jobs = plan->tried, *job = &jobs[at];
	const struct lw_type_pool *pool = &plan->pools[type];
	double own = pool->mean_s + job->time_s[type], others = 0;

	for (uint32_t i = 0; i < plan->job_count; i++) {
		if (i == at || jobs[i].type != type)
			continue;
		if (type_sum_goes_before(jobs, i, at, type))
			own += (double)jobs[i].gpus * jobs[i].time_s[type] / (double)pool->gpus;
		else
			others += jobs[i].weight;
	}
	return job->weight * own + others * job->gpus * job->time_s[type] / (double)pool->gpus;
}

static void type_sum_choose_least(struct lw_types_plan *plan, uint32_t at)
{
	struct lw_type_job *job = &plan->tried[at];
	int best = LW_GPU_ANY;
	double least = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		double sum;

		if (!job->time_s[type] || plan->pools[type].gpus < job->gpus)
			continue;
		sum = type_sum_added(plan, at, type);
		if (best == LW_GPU_ANY || sum < least) {
			best = type;
			least = sum;
		}
	}
	job->type = best;
}

static void type_sum_find_means(struct lw_types_plan *plan, int64_t now_s)
{
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		struct lw_type_pool *pool = &plan->pools[type];
		double sum = 0;

		for (uint32_t i = 0; i < pool->count; i++)
			sum += (double)(pool->chunks[i].at_s - now_s) * pool->chunks[i].gpus;
		pool->mean_s = pool->gpus ? sum / (double)pool->gpus : 0;
	}
}

static double type_sum_sum_of(const struct lw_type_job *jobs, uint32_t count, int64_t now_s)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		if (jobs[i].type != LW_GPU_ANY)
			sum += jobs[i].weight * (double)(jobs[i].done_s - now_s);
	return sum;
}

/* A sum for each type. */
static int type_sum_follow_types(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
				 int64_t now_s, double *sums)
{
	int rc = 0;

	lw_frugal_begin(&plan->frugal);
	for (int type = 0; !rc && type < LW_GPU_TYPES_MAX; type++)
		rc = follow_type(plan, type, scratch, now_s, &sums[type]);
	return rc;
}

/* Do the jobs of plan->tried end earlier than those of plan->jobs? Then use these. */
static void type_sum_keep_better(struct lw_types_plan *plan, int64_t now_s, double *best)
{
	double sum = type_sum_sum_of(plan->tried, plan->job_count, now_s);

	if (sum >= *best)
		return;
	*best = sum;
	memcpy(plan->jobs, plan->tried, plan->job_count * sizeof(*plan->jobs));
}

/* Move the job to TYPE if that reduces the sum. SUMS are by type. */
static int try_type(struct lw_types_plan *plan, uint32_t index, int type,
		    struct lw_type_chunk *scratch, int64_t now_s, double *sums)
{
	struct lw_type_job *job = &plan->tried[index];
	int from = job->type;
	int64_t before_s = job->done_s;
	double there, left;

	job->type = type;
	if (follow_type(plan, from, scratch, now_s, &left) ||
	    follow_type(plan, type, scratch, now_s, &there))
		return -ENOMEM;
	if (left + there < sums[from] + sums[type] &&
	    (job->done_s <= before_s || job->has >= plan->most_has)) {
		sums[from] = left;
		sums[type] = there;
		return 0;
	}
	job->type = from;
	return 0;
}

/* Move one job at a time as long as that reduces the sum. */
static int type_sum_move_jobs(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
			      int64_t now_s)
{
	uint64_t steps = 0;
	double sums[LW_GPU_TYPES_MAX];
	bool moved = true;
	int rc = type_sum_follow_types(plan, scratch, now_s, sums);

	while (!rc && moved) {
		moved = false;
		for (uint32_t i = 0; i < plan->job_count; i++)
			for (int type = 0; !rc && type < LW_GPU_TYPES_MAX; type++) {
				const struct lw_type_job *job = &plan->tried[i];
				const struct lw_type_pool *pool = &plan->pools[type];

				if (!job->time_s[type] || pool->gpus < job->gpus ||
				    type == job->type || job->type == LW_GPU_ANY)
					continue;
				steps += plan->job_count;
				if (steps > STEPS_MAX)
					return type_sum_follow_types(plan, scratch, now_s, sums);
				rc = try_type(plan, i, type, scratch, now_s, sums);
				moved |= plan->tried[i].type == type;
			}
	}
	return rc ? rc : type_sum_follow_types(plan, scratch, now_s, sums);
}

/* Each job on the type on which it adds the least, twice; then single moves. */
int lw_types_divide_by_sum(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
			   int64_t now_s)
{
	double best = type_sum_sum_of(plan->jobs, plan->job_count, now_s), sums[LW_GPU_TYPES_MAX];

	type_sum_find_means(plan, now_s);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (type_sum_list_turns(plan, type))
			return -ENOMEM;
	for (uint32_t i = 0; i < plan->job_count; i++) {
		plan->tried[i] = plan->jobs[i];
		plan->tried[i].type = LW_GPU_ANY;
	}
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < plan->job_count; i++)
			type_sum_choose_least(plan, i);
		if (type_sum_follow_types(plan, scratch, now_s, sums))
			return -ENOMEM;
		type_sum_keep_better(plan, now_s, &best);
	}
	/* types with like ends were chosen by energy, which must not be undone */
	if (plan->frugal.on)
		return 0;
	memcpy(plan->tried, plan->jobs, plan->job_count * sizeof(*plan->jobs));
	if (type_sum_move_jobs(plan, scratch, now_s))
		return -ENOMEM;
	type_sum_keep_better(plan, now_s, &best);
	return 0;
}

int lw_types_move_jobs(struct lw_types_plan *plan, struct lw_type_chunk *scratch, int64_t now_s)
{
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (type_sum_list_turns(plan, type))
			return -ENOMEM;
	memcpy(plan->tried, plan->jobs, plan->job_count * sizeof(*plan->jobs));
	if (type_sum_move_jobs(plan, scratch, now_s))
		return -ENOMEM;
	memcpy(plan->jobs, plan->tried, plan->job_count * sizeof(*plan->jobs));
	return 0;
}
