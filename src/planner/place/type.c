/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which type of GPU each of many waiting jobs is expected to end first. */
#include "planner/place/type.h"

#include "base/grow.h"
#include "base/heap.h"
#include "planner/place/type_sum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NEVER_S INT64_MAX

static bool type_chunk_before(const struct lw_type_chunk *a, const struct lw_type_chunk *b)
{
	return a->at_s != b->at_s ? a->at_s < b->at_s : a->gpus < b->gpus;
}

LW_HEAP(chunks, struct lw_type_chunk, type_chunk_before)

void lw_types_fini(struct lw_types_plan *plan)
{
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		free(plan->pools[type].chunks);
		free(plan->scratch[type].chunks);
		free(plan->pools[type].turns);
	}
	free(plan->jobs);
	free(plan->accounts);
	free(plan->order);
	free(plan->tried);
	memset(plan, 0, sizeof(*plan));
}

void lw_types_clear(struct lw_types_plan *plan)
{
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		plan->pools[type].count = 0;
		plan->pools[type].gpus = 0;
	}
	plan->job_count = plan->account_count = 0;
	plan->late_s = plan->most_has = 0;
	plan->frugal.on = false;
}

static int type_pool_put(struct lw_type_pool *pool, int64_t at_s, uint32_t gpus)
{
	if (lw_grow((void **)&pool->chunks, &pool->room, pool->count + 1, sizeof(*pool->chunks)))
		return -ENOMEM;
	chunks_push(pool->chunks, &pool->count, (struct lw_type_chunk){ at_s, gpus });
	return 0;
}

int lw_types_add_gpus(struct lw_types_plan *plan, int type, int64_t at_s, uint32_t gpus)
{
	if (!gpus)
		return 0;
	plan->pools[type].gpus += gpus;
	return type_pool_put(&plan->pools[type], at_s, gpus);
}

int lw_types_account(struct lw_types_plan *plan, uint64_t account,
		     struct lw_type_account **ret_account)
{
	uint32_t i = 0;

	while (i < plan->account_count && plan->accounts[i].account != account)
		i++;
	if (i == plan->account_count) {
		if (lw_grow((void **)&plan->accounts, &plan->account_room, i + 1,
			    sizeof(*plan->accounts)))
			return -ENOMEM;
		plan->accounts[plan->account_count++] =
			(struct lw_type_account){ .account = account };
	}
	*ret_account = &plan->accounts[i];
	return 0;
}

/* The share of its speed on its fastest type that a job has on TYPE. */
static double type_speed_on(const struct lw_type_job *job, int type)
{
	uint32_t least_s = 0;

	for (int t = 0; t < LW_GPU_TYPES_MAX; t++)
		if (job->time_s[t] && (!least_s || job->time_s[t] < least_s))
			least_s = job->time_s[t];
	return job->time_s[type] ? (double)least_s / job->time_s[type] : 0;
}

/* Running jobs have no known speed: GPUs of TYPE count as they would for the waiting jobs. */
static double type_mean_speed_on(const struct lw_types_plan *plan, int type)
{
	double sum = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->job_count; i++) {
		sum += type_speed_on(&plan->jobs[i], type);
		count += plan->jobs[i].time_s[type] != 0;
	}
	return count ? sum / count : 1;
}

int lw_types_add_use(struct lw_types_plan *plan, uint64_t account, int type, uint32_t gpus)
{
	struct lw_type_account *found;

	if (lw_types_account(plan, account, &found))
		return -ENOMEM;
	found->held += gpus * type_mean_speed_on(plan, type);
	found->has = found->held;
	found->gpus += gpus;
	return 0;
}

int lw_types_add_job(struct lw_types_plan *plan, const struct lw_type_job *job)
{
	if (lw_grow((void **)&plan->jobs, &plan->job_room, plan->job_count + 1,
		    sizeof(*plan->jobs)))
		return -ENOMEM;
	plan->jobs[plan->job_count++] = *job;
	return 0;
}

int lw_types_begin_pool(struct lw_types_plan *plan, int type)
{
	const struct lw_type_pool *from = &plan->pools[type];
	struct lw_type_pool *to = &plan->scratch[type];

	/* a job may split a chunk in two, and give one back */
	if (lw_grow((void **)&to->chunks, &to->room, from->count + 2 * plan->job_count + 2,
		    sizeof(*to->chunks)))
		return -ENOMEM;
	if (from->count)
		memcpy(to->chunks, from->chunks, from->count * sizeof(*to->chunks));
	to->count = from->count;
	to->gpus = from->gpus;
	return 0;
}

static int type_begin_try(struct lw_types_plan *plan)
{
	lw_frugal_begin(&plan->frugal);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (lw_types_begin_pool(plan, type))
			return -ENOMEM;
	return 0;
}

/* When GPUS of the pool are free; NEVER_S: it has too few. */
static int64_t type_free_at(const struct lw_type_pool *pool, uint32_t gpus,
			    struct lw_type_chunk *scratch)
{
	uint32_t count = pool->count;
	int64_t at_s = NEVER_S;
	uint64_t have = 0;

	if (pool->gpus < gpus)
		return NEVER_S;
	if (pool->count && pool->chunks[0].gpus >= gpus)
		return pool->chunks[0].at_s;
	memcpy(scratch, pool->chunks, pool->count * sizeof(*scratch));
	while (have < gpus && count) {
		at_s = scratch[0].at_s;
		have += scratch[0].gpus;
		chunks_pop(scratch, &count);
	}
	return at_s;
}

/* Take them from then on until DONE_S. */
static void type_take_gpus(struct lw_type_pool *pool, uint32_t gpus, int64_t done_s)
{
	uint32_t left = gpus;

	while (left && pool->count) {
		struct lw_type_chunk chunk = pool->chunks[0];

		chunks_pop(pool->chunks, &pool->count);
		if (chunk.gpus > left) {
			chunk.gpus -= left;
			chunks_push(pool->chunks, &pool->count, chunk);
			break;
		}
		left -= chunk.gpus;
	}
	chunks_push(pool->chunks, &pool->count, (struct lw_type_chunk){ done_s, gpus });
}

static bool type_ends_before(const struct lw_type_job *job, const int64_t *at_s, int type,
			     int best)
{
	return best == LW_GPU_ANY ||
	       at_s[type] + job->time_s[type] < at_s[best] + job->time_s[best];
}

void lw_types_put(struct lw_types_plan *plan, struct lw_type_job *job, int only,
		  struct lw_type_chunk *scratch)
{
	struct lw_frugal *frugal = &plan->frugal;
	int64_t at_s[LW_GPU_TYPES_MAX];
	int best = LW_GPU_ANY;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		at_s[type] = NEVER_S;
		if (!job->time_s[type] || (only != LW_GPU_ANY && type != only))
			continue;
		at_s[type] = type_free_at(&plan->scratch[type], job->gpus, scratch);
		if (frugal->on && frugal->at_once && at_s[type] > frugal->now_s)
			at_s[type] = NEVER_S;
		if (at_s[type] != NEVER_S && type_ends_before(job, at_s, type, best))
			best = type;
	}
	if (frugal->on && best != LW_GPU_ANY)
		best = lw_frugal_choose(frugal, job, at_s, best);
	job->type = best;
	job->start_s = best == LW_GPU_ANY ? NEVER_S : at_s[best];
	job->done_s = best == LW_GPU_ANY ? NEVER_S : at_s[best] + job->time_s[best];
	if (best == LW_GPU_ANY)
		return;
	type_take_gpus(&plan->scratch[best], job->gpus, job->done_s);
	if (frugal->on && job->start_s <= frugal->now_s)
		lw_frugal_take(frugal, job, best);
}

/* Memory for the largest pool, and the jobs in order. */
static int type_grow_scratch(struct lw_types_plan *plan, struct lw_type_chunk **ret_chunks)
{
	uint32_t most = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (plan->pools[type].count > most)
			most = plan->pools[type].count;
	*ret_chunks = malloc(((size_t)most + 2 * plan->job_count + 2) * sizeof(**ret_chunks));
	if (!*ret_chunks ||
	    lw_grow((void **)&plan->order, &plan->order_room, plan->job_count + 1,
		    sizeof(*plan->order)) ||
	    lw_grow((void **)&plan->tried, &plan->tried_room, plan->job_count + 1,
		    sizeof(*plan->tried)))
		return -ENOMEM;
	return 0;
}

/* What its account has, divided by its share. */
static double type_has_of_share(const struct lw_type_account *account,
				const struct lw_type_job *job)
{
	return account->has / (job->account_share ? job->account_share : 1);
}

/* Find the next job after the first DONE, and move it to place DONE. */
static void type_bring_poorest(struct lw_types_plan *plan, uint32_t done)
{
	double least = -1;
	uint32_t best = done, index;

	for (uint32_t i = done; i < plan->job_count; i++) {
		const struct lw_type_job *job = &plan->jobs[plan->order[i]];
		struct lw_type_account *account;
		double has;

		if (lw_types_account(plan, job->account, &account))
			continue;
		has = type_has_of_share(account, job);
		if (least < 0 || has < least) {
			least = has;
			best = i;
		}
	}
	index = plan->order[best];
	memmove(plan->order + done + 1, plan->order + done, (best - done) * sizeof(index));
	plan->order[done] = index;
}

static void type_note_use(struct lw_types_plan *plan, const struct lw_type_job *job)
{
	struct lw_type_account *account;

	if (job->type != LW_GPU_ANY && !lw_types_account(plan, job->account, &account))
		account->has += job->gpus * type_speed_on(job, job->type);
}

/* The first division. */
static int type_divide_in_order(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
				bool fair)
{
	if (type_begin_try(plan))
		return -ENOMEM;
	for (uint32_t i = 0; i < plan->job_count; i++)
		plan->order[i] = i;
	for (uint32_t i = 0; i < plan->job_count; i++) {
		if (fair)
			type_bring_poorest(plan, i);
		lw_types_put(plan, &plan->jobs[plan->order[i]], LW_GPU_ANY, scratch);
		if (fair)
			type_note_use(plan, &plan->jobs[plan->order[i]]);
	}
	return 0;
}

/* What is better than the first division. */
static int type_divide_better(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
			      int64_t now_s, enum lw_divide divide)
{
	if (plan->job_count < 2 || plan->job_count > LW_TYPE_MATCHED_MAX ||
	    divide == LW_DIVIDE_IN_ORDER)
		return 0;
	if (divide == LW_DIVIDE_BY_SUM)
		return lw_types_divide_by_sum(plan, scratch, now_s);
	/* types with like ends were chosen by energy, which must not be undone */
	if (plan->frugal.on)
		return 0;
	if (lw_types_set_dues(plan, now_s))
		return -ENOMEM;
	return lw_types_move_jobs(plan, scratch, now_s);
}

int lw_types_divide(struct lw_types_plan *plan, int64_t now_s, enum lw_divide divide)
{
	struct lw_type_chunk *scratch = NULL;
	int rc = type_grow_scratch(plan, &scratch);

	if (!rc)
		rc = type_divide_in_order(plan, scratch, divide == LW_DIVIDE_FAIR);
	if (!rc)
		rc = type_divide_better(plan, scratch, now_s, divide);
	free(scratch);
	return rc;
}
