/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what stock's backfill has planned for jobs of its own, as reservation windows. */
#include "slurm/read/stockplans.h"

#include "base/promise.h"
#include "base/words.h"
#include "slurm/bits.h"
#include "slurm/query/canary.h"
#include "slurm/query/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Windows that are left to nodes that users keep from each other. */
#define SPARE_WINDOWS 8

struct collection {
	struct lw_stockplans *plans;
	const struct lw_stockplans *before; /* of the last reading */
	const struct lw_canary *canary;
	bitstr_t *ours; /* nodes that jobs of Leeway's may have */
	int64_t now_s;
	uint32_t most;
};

static int stockplans_note_ours(void *x, void *arg)
{
	const part_record_t *part = x;
	struct collection *collection = arg;

	if (part->node_bitmap && (!collection->canary->partitions ||
				  lw_words_has(collection->canary->partitions, part->name)))
		bit_or(collection->ours, part->node_bitmap);
	return 0;
}

/* In the order of Slurm's queue. */
static bool stockplans_goes_before(const struct lw_stockplan *a, const struct lw_stockplan *b)
{
	if (a->tier != b->tier)
		return a->tier > b->tier;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->job_id < b->job_id;
}

static bool stockplans_is_theirs(const struct collection *collection, const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->details && job->priority && job->part_ptr &&
	       job->part_ptr->node_bitmap && !lw_canary_has(collection->canary, job) &&
	       bit_overlap_any(job->part_ptr->node_bitmap, collection->ours);
}

/* The start and nodes that stock has for JOB, or had lately; the text is another's. */
static bool stockplans_find(const struct collection *collection, const job_record_t *job,
			    struct lw_stockplan *plan)
{
	const struct lw_stockplans *before = collection->before;

	plan->start_s = job->start_time;
	plan->seen_s = collection->now_s;
	plan->nodes = job->sched_nodes;
	if (plan->start_s && plan->nodes)
		return true;
	for (uint32_t i = 0; i < before->count; i++) {
		const struct lw_stockplan *old = &before->items[i];

		if (old->job_id != plan->job_id ||
		    collection->now_s - old->seen_s > LW_STOCKPLANS_KEEP_S)
			continue;
		plan->start_s = old->start_s;
		plan->seen_s = old->seen_s;
		plan->nodes = old->nodes;
		return true;
	}
	return false;
}

/* The job's start was due already; NULL: it was not, as far as is known. */
static const struct lw_stocklate *stockplans_find_late(const struct collection *collection,
						       uint32_t job_id)
{
	const struct lw_stockplans *before = collection->before;

	for (uint32_t i = 0; i < before->late_count; i++)
		if (before->lates[i].job_id == job_id)
			return &before->lates[i];
	return NULL;
}

/* The start of PLAN has passed, or stock has forgotten it. Has it been due for too long? */
static bool stockplans_is_late(struct collection *collection, const struct lw_stockplan *plan)
{
	struct lw_stockplans *plans = collection->plans;
	const struct lw_stocklate *late = stockplans_find_late(collection, plan->job_id);
	int64_t due_s = late ? late->due_s : collection->now_s;

	if (plans->late_count < LW_STOCKPLANS_MAX)
		plans->lates[plans->late_count++] =
			(struct lw_stocklate){ .job_id = plan->job_id, .due_s = due_s };
	return collection->now_s - due_s > LW_STOCKPLANS_KEEP_S;
}

/* The start and nodes of JOB, if it has them, and they count. */
static bool stockplans_take(struct collection *collection, const job_record_t *job,
			    struct lw_stockplan *plan)
{
	if (!stockplans_find(collection, job, plan)) {
		if (stockplans_find_late(collection, plan->job_id))
			(void)stockplans_is_late(collection, plan);
		return false;
	}
	return plan->start_s > collection->now_s || !stockplans_is_late(collection, plan);
}

/* Keep the first of the queue, in order. */
static int stockplans_collect(void *x, void *arg)
{
	job_record_t *job = x;
	struct collection *collection = arg;
	struct lw_stockplans *plans = collection->plans;
	struct lw_stockplan *items = plans->items;
	struct lw_stockplan plan = { .job_id = lw_slurm_job_id(job), .priority = job->priority };
	uint32_t i;

	if (!collection->most || !stockplans_is_theirs(collection, job))
		return 0;
	plan.tier = job->part_ptr->priority_tier;
	plan.limit_s = lw_job_limit_s(job, job->part_ptr);
	if (plans->count == collection->most &&
	    !stockplans_goes_before(&plan, &items[plans->count - 1]))
		return 0;
	if (!stockplans_take(collection, job, &plan))
		return 0;
	plans->count -= plans->count == collection->most;
	for (i = plans->count; i && stockplans_goes_before(&plan, &items[i - 1]); i--)
		items[i] = items[i - 1];
	items[i] = plan;
	plans->count++;
	return 0;
}

/* A start that has passed is now. */
static int stockplans_close(struct lw_stockplan *plan, struct lw_snapshot *snap,
			    struct lw_error *err)
{
	int64_t from_s = plan->start_s > snap->now_s ? plan->start_s : snap->now_s;
	bitstr_t *bits = NULL;
	struct lw_bitset nodes;
	int rc;

	(void)node_name2bitmap(plan->nodes, true, &bits, NULL);
	rc = bits ? lw_bits_to_set(bits, snap->node_count, &nodes) : -ENOMEM;
	FREE_NULL_BITMAP(bits);
	if (rc)
		return lw_error_set(err, -ENOMEM, "out of memory");
	plan->until_s = from_s + (plan->limit_s > 0 ? plan->limit_s : 1);
	rc = lw_snapshot_add_resv_window(snap, &nodes, from_s, plan->until_s, err);
	lw_bitset_fini(&nodes);
	return rc;
}

/* Their texts become their own. */
static int stockplans_keep(struct lw_stockplans *plans, struct lw_error *err)
{
	uint32_t count = plans->count;

	for (plans->count = 0; plans->count < count; plans->count++) {
		struct lw_stockplan *plan = &plans->items[plans->count];

		plan->nodes = strdup(plan->nodes);
		if (!plan->nodes)
			return lw_error_set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

void lw_stockplans_fini(struct lw_stockplans *plans)
{
	for (uint32_t i = 0; i < plans->count; i++)
		free(plans->items[i].nodes);
	memset(plans, 0, sizeof(*plans));
}

int lw_stockplans_read(struct lw_stockplans *plans, const struct lw_canary *canary,
		       struct lw_snapshot *snap, struct lw_error *err)
{
	uint32_t taken = snap->resv_window_count + SPARE_WINDOWS;
	uint32_t room = taken < LW_RESV_WINDOWS_MAX ? LW_RESV_WINDOWS_MAX - taken : 0;
	struct lw_stockplans before = *plans;
	struct collection collection = {
		.plans = plans,
		.before = &before,
		.canary = canary,
		.now_s = snap->now_s,
		.most = room < LW_STOCKPLANS_MAX ? room : LW_STOCKPLANS_MAX,
	};
	int rc;

	plans->first = snap->resv_window_count;
	plans->count = plans->late_count = 0;
	if (lw_canary_is_set(canary)) {
		collection.ours = bit_alloc(node_record_count);
		list_for_each(part_list, stockplans_note_ours, &collection);
		list_for_each(job_list, stockplans_collect, &collection);
		bit_free(collection.ours);
	}
	rc = stockplans_keep(plans, err);
	lw_stockplans_fini(&before);
	for (uint32_t i = 0; !rc && i < plans->count; i++)
		rc = stockplans_close(&plans->items[i], snap, err);
	return rc;
}

/* Stock rounds its starts to a minute, by which a promise is kept still. */
uint64_t lw_stockplans_for(const struct lw_stockplans *plans, const job_queue_rec_t *record,
			   const struct lw_promise *promise)
{
	const struct lw_stockplan ours = { .tier = record->part_ptr->priority_tier,
					   .priority = record->priority,
					   .job_id = lw_slurm_job_id(record->job_ptr) };
	int64_t by_s = promise ? promise->latest_s + LW_PROMISE_GRACE_S : INT64_MAX;
	uint64_t mask = 0;

	for (uint32_t i = 0; i < plans->count; i++)
		if (stockplans_goes_before(&plans->items[i], &ours) &&
		    plans->items[i].until_s <= by_s)
			mask |= UINT64_C(1) << (plans->first + i);
	return mask;
}
