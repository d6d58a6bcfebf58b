/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would a waiting job start now, if it asked for something else? */

/*
 * The job's record is taken out and put back at its place with one change, and all is planned
 * again. So the answer is the policy's own, with promises, order and all other jobs unchanged.
 */
#include "planner/policies/whatif.h"

#include "base/grow.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limits that users ask for, the longest first. */
static const int64_t limits_s[] = { 172800, 86400, 43200, 28800, 21600, 14400, 10800,
				    7200,   5400,  3600,  2700,  1800,  900,   600 };
#define LIMITS ((int)(sizeof(limits_s) / sizeof(limits_s[0])))
/* A change helps also if it is made so much later: a user has to read of it first. */
#define LATER_S 300

static void whatif_forget_where(struct lw_whatif *whatif)
{
	for (int i = 0; i < LW_WHY_HINTS; i++)
		lw_bitset_fini(&whatif->where[i]);
}

void lw_whatif_fini(struct lw_whatif *whatif)
{
	whatif_forget_where(whatif);
	lw_plan_fini(&whatif->plan);
	free(whatif->used);
	memset(whatif, 0, sizeof(*whatif));
}

int lw_whatif_begin(struct lw_whatif *whatif, const struct lw_snapshot *snap,
		    const struct lw_plan *plan)
{
	if (lw_grow((void **)&whatif->used, &whatif->used_room, snap->node_count + 1,
		    sizeof(*whatif->used)))
		return -ENOMEM;
	if (snap->node_count)
		memcpy(whatif->used, snap->used, snap->node_count * sizeof(*whatif->used));
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		const struct lw_alloc *allocs = lw_decision_allocs(plan, decision);

		if (decision->verdict != LW_START)
			continue;
		for (uint32_t k = 0; k < decision->alloc_count; k++)
			lw_res_add(&whatif->used[allocs[k].node], &allocs[k].res);
	}
	return 0;
}

static bool whatif_has_gpus(const struct lw_res *free, const struct lw_request *req)
{
	uint32_t wanted = req->gpus_per_node;

	if (!wanted && req->gpus_total)
		wanted = 1;
	if (req->gpu_type != LW_GPU_ANY)
		return free->gpus[req->gpu_type] >= wanted;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (free->gpus[type] >= wanted)
			return true;
	return !wanted;
}

/* Could a node serve it, as far as plain amounts show? */
static bool whatif_serves(const struct lw_whatif *whatif, const struct lw_snapshot *snap,
			  uint32_t node, const struct lw_request *req)
{
	struct lw_res free = snap->nodes[node].total;

	if (!snap->nodes[node].usable)
		return false;
	lw_res_sub(&free, &whatif->used[node]);
	if (req->exclusive && free.cpus < snap->nodes[node].total.cpus)
		return false;
	return free.cpus >= (req->cpus_per_node ? req->cpus_per_node : 1) &&
	       free.mem_mib >= req->mem_per_node_mib && whatif_has_gpus(&free, req);
}

/* Cheap, and never false if a plan would find room. */
static bool whatif_has_room(const struct lw_whatif *whatif, const struct lw_snapshot *snap,
			    const struct lw_waiting *job)
{
	uint32_t node, count = 0;

	lw_bitset_foreach(&snap->sets[job->set].nodes, node)
	{
		if (whatif_serves(whatif, snap, node, &job->request) &&
		    ++count >= job->request.nodes_min)
			return true;
	}
	return false;
}

/* The nodes of DECISION, as those of hint number AT. -ENOMEM. */
static int whatif_note_where(struct lw_whatif *whatif, const struct lw_snapshot *snap,
			     const struct lw_decision *decision, uint32_t at)
{
	const struct lw_alloc *allocs = lw_decision_allocs(&whatif->plan, decision);
	struct lw_bitset *where = &whatif->where[at];

	lw_bitset_fini(where);
	if (lw_bitset_init(where, snap->node_count))
		return -ENOMEM;
	for (uint32_t k = 0; k < decision->alloc_count; k++)
		lw_bitset_set(where, allocs[k].node);
	return 0;
}

/*
 * Does the plan start the job on what the cycle's plan leaves? Another job's start may be later in
 * the queue: by this plan it makes room for a change that its user has not made yet.
 */
static const struct lw_decision *whatif_start_of(const struct lw_whatif *whatif,
						 const struct lw_snapshot *snap, uint32_t job_id)
{
	const struct lw_plan *plan = &whatif->plan;
	const struct lw_decision *decision = plan->decisions;
	const struct lw_decision *end = decision + plan->decision_count;
	const struct lw_alloc *allocs;

	while (decision < end && (decision->job_id != job_id || decision->verdict != LW_START))
		decision++;
	if (decision == end)
		return NULL;
	allocs = lw_decision_allocs(plan, decision);
	for (uint32_t k = 0; k < decision->alloc_count; k++) {
		struct lw_res free = snap->nodes[allocs[k].node].total;

		lw_res_sub(&free, &whatif->used[allocs[k].node]);
		if (!lw_res_within(&allocs[k].res, &free))
			return NULL;
	}
	return decision;
}

/* One question: the job, as it is and as it would be. */
struct question {
	struct lw_whatif *whatif;
	struct lw_policy *policy;
	struct lw_snapshot *snap;
	const struct lw_decision *decision;
	struct lw_waiting job; /* as it is */
	struct lw_expectation of_class;
	uint64_t seq;
	uint64_t changed_seq; /* the place in the queue of the changed job */
	uint32_t plans;
	struct lw_hint *hints;
	uint32_t count;
};

/* Put JOB at the place SEQ of the queue. */
static int whatif_put(struct question *ask, const struct lw_waiting *job, uint64_t seq)
{
	struct lw_error err;
	uint32_t index;

	return lw_snapshot_insert_waiting(ask->snap, job, seq, &index, &err) ? -ENOMEM : 0;
}

/* Put the job with CHANGED at its place, or if that fails, as it was. */
static int whatif_put_changed(struct question *ask, const struct lw_waiting *changed)
{
	if (lw_snapshot_remove_waiting(ask->snap, ask->decision->waiting))
		return -ENOMEM;
	if (!whatif_put(ask, changed, ask->changed_seq))
		return 0;
	(void)whatif_put(ask, &ask->job, ask->seq);
	return -EINVAL;
}

static int whatif_put_back(struct question *ask)
{
	struct lw_queue *queue = &ask->snap->queue;

	if (lw_snapshot_remove_waiting(ask->snap, ask->decision->waiting) ||
	    whatif_put(ask, &ask->job, ask->seq))
		return -ENOMEM;
	lw_class_expect(&queue->classes[queue->class_of[ask->decision->waiting]], &ask->of_class);
	return 0;
}

/* Started later it ends later: it has to fit before what is promised all the same. */
static void whatif_start_later(struct lw_waiting *changed)
{
	changed->limit_s = lw_end_after_s(changed->limit_s, LATER_S);
	if (changed->expected.mean_s)
		changed->expected.mean_s = lw_end_after_s(changed->expected.mean_s, LATER_S);
}

/* Does the plan start it? Then the next hint is on those nodes. 1, 0 or -ENOMEM. */
static int whatif_is_start(struct question *ask)
{
	const struct lw_decision *start =
		whatif_start_of(ask->whatif, ask->snap, ask->job.job_id);

	if (!start || ask->count == LW_WHY_HINTS)
		return start != NULL;
	return whatif_note_where(ask->whatif, ask->snap, start, ask->count) ? -ENOMEM : 1;
}

/* Does it start now as CHANGED? 1, 0, -ENOMEM or -ECANCELED. */
static int whatif_starts(struct question *ask, struct lw_waiting *changed)
{
	int rc;

	if (changed->expected.mean_s > changed->limit_s)
		changed->expected.mean_s = changed->limit_s;
	if (changed->expected.rank_s > lw_waiting_expect_s(changed))
		changed->expected.rank_s = lw_waiting_expect_s(changed);
	if (!whatif_has_room(ask->whatif, ask->snap, changed))
		return 0;
	whatif_start_later(changed);
	rc = whatif_put_changed(ask, changed);
	if (rc)
		return rc == -EINVAL ? 0 : rc;
	rc = lw_policy_cycle(ask->policy, ask->snap, &ask->whatif->plan);
	ask->plans++;
	if (!rc)
		rc = whatif_is_start(ask);
	return whatif_put_back(ask) ? -ENOMEM : rc;
}

static void whatif_note(struct question *ask, enum lw_hint_kind kind, uint32_t value)
{
	if (ask->count < LW_WHY_HINTS)
		ask->hints[ask->count++] =
			(struct lw_hint){ .kind = (uint8_t)kind, .value = value };
}

/* Would it, started now with that limit, end after its deadline? */
static bool whatif_ends_late(const struct question *ask, int64_t limit_s)
{
	return ask->job.finish_by_s && ask->snap->now_s + limit_s > ask->job.finish_by_s;
}

/*
 * The longest limit with which it starts: if it starts with one limit, it does with shorter
 * ones.
 */
static int whatif_try_limits(struct question *ask)
{
	int low = 0, high = LIMITS, rc = 0;

	while (low < LIMITS &&
	       (limits_s[low] >= ask->job.limit_s || whatif_ends_late(ask, limits_s[low])))
		low++;
	while (low < high) {
		int mid = low + (high - low) / 2;
		struct lw_waiting changed = ask->job;

		changed.limit_s = limits_s[mid];
		rc = whatif_starts(ask, &changed);
		if (rc < 0)
			return rc;
		if (rc)
			high = mid;
		else
			low = mid + 1;
	}
	if (low < LIMITS)
		whatif_note(ask, LW_HINT_LIMIT, (uint32_t)limits_s[low]);
	return 0;
}

static uint32_t whatif_part_of(uint32_t total, uint32_t part, uint32_t whole)
{
	return total ? (uint32_t)(((uint64_t)total * part + whole - 1) / whole) : 0;
}

/* Does JOB, which asks for less, ask for as much as it has to, by its partition and QOS? */
static bool whatif_is_allowed(const struct lw_waiting *job)
{
	const struct lw_request *req = &job->request;
	uint64_t cpus = req->cpus_per_node ? (uint64_t)req->cpus_per_node * req->nodes_min
					   : req->cpus_total;
	uint64_t gpus = req->gpus_per_node ? (uint64_t)req->gpus_per_node * req->nodes_min
					   : req->gpus_total;
	uint64_t mem_mib = (uint64_t)req->mem_per_node_mib * req->nodes_min +
			   req->mem_per_cpu_mib * cpus + req->mem_per_gpu_mib * gpus;

	return req->nodes_min >= job->least_nodes && cpus >= job->least_cpus &&
	       gpus >= job->least_gpus && mem_mib >= job->least_mem_mib;
}

static int whatif_try_nodes(struct question *ask)
{
	uint32_t nodes = ask->job.request.nodes_min;

	for (uint32_t fewer = nodes / 2; fewer; fewer /= 2) {
		struct lw_waiting changed = ask->job;
		struct lw_request *req = &changed.request;
		int rc;

		req->nodes_min = req->nodes_max = fewer;
		req->cpus_total = whatif_part_of(req->cpus_total, fewer, nodes);
		req->gpus_total = whatif_part_of(req->gpus_total, fewer, nodes);
		if (!whatif_is_allowed(&changed))
			return 0;
		rc = whatif_starts(ask, &changed);
		if (rc > 0)
			whatif_note(ask, LW_HINT_NODES, fewer);
		if (rc)
			return rc < 0 ? rc : 0;
	}
	return 0;
}

/* Half of an amount of GPUs or CPUs, repeatedly, until it starts. */
static int whatif_try_amounts(struct question *ask, enum lw_hint_kind kind)
{
	const struct lw_request *asked = &ask->job.request;
	bool gpus = kind == LW_HINT_GPUS;
	uint32_t each = gpus ? asked->gpus_per_node : asked->cpus_per_node;
	uint32_t total = gpus ? asked->gpus_total : asked->cpus_total;
	uint32_t amount = each ? each : total;

	for (uint32_t fewer = amount / 2; fewer; fewer /= 2) {
		struct lw_waiting changed = ask->job;
		struct lw_request *req = &changed.request;
		int rc;

		if (gpus) {
			req->gpus_per_node = (uint16_t)(each ? fewer : 0);
			req->gpus_total = whatif_part_of(total, fewer, amount);
		} else {
			req->cpus_per_node = each ? fewer : 0;
			req->cpus_total = whatif_part_of(total, fewer, amount);
		}
		if (!whatif_is_allowed(&changed))
			return 0;
		rc = whatif_starts(ask, &changed);
		if (rc > 0)
			whatif_note(ask, kind, fewer);
		if (rc)
			return rc < 0 ? rc : 0;
	}
	return 0;
}

/* Does it start with CHANGED? Then add a hint of KIND without a value. */
static int whatif_try_change(struct question *ask, struct lw_waiting *changed,
			     enum lw_hint_kind kind)
{
	int rc = whatif_starts(ask, changed);

	if (rc > 0)
		whatif_note(ask, kind, 1);
	return rc < 0 ? rc : 0;
}

static int whatif_try_shared(struct question *ask)
{
	struct lw_waiting changed = ask->job;

	changed.request.exclusive = false;
	return ask->job.request.exclusive ? whatif_try_change(ask, &changed, LW_HINT_SHARED) : 0;
}

static int whatif_try_types(struct question *ask)
{
	const struct lw_request *req = &ask->job.request;
	struct lw_waiting changed = ask->job;

	if (req->gpu_type == LW_GPU_ANY || ask->job.typed ||
	    !(req->gpus_per_node || req->gpus_total))
		return 0;
	changed.request.gpu_type = LW_GPU_ANY;
	return whatif_try_change(ask, &changed, LW_HINT_ANY_TYPE);
}

/* Its place in Slurm's queue: behind all, if other jobs of a higher tier go first. */
static uint64_t whatif_seq_of(const struct question *ask, const struct lw_waiting *changed)
{
	return changed->constraints.tier < ask->job.constraints.tier ? ask->snap->queue.next_seq
								     : ask->seq;
}

/* The first partition in which it starts. */
static int whatif_try_parts(struct question *ask)
{
	const struct lw_whatif *whatif = ask->whatif;
	int rc = 0;

	for (uint32_t i = 0; i < whatif->part_count && !rc; i++) {
		const struct lw_whatif_part *part = &whatif->parts[i];
		struct lw_waiting changed = ask->job;

		if (part->job.job_id != ask->job.job_id)
			continue;
		changed.set = part->job.set;
		changed.limit_s = part->job.limit_s;
		changed.request = part->job.request;
		changed.constraints = part->job.constraints;
		changed.constraints.coallocation = ask->job.constraints.coallocation;
		changed.constraints.closed |= ask->job.constraints.closed;
		ask->changed_seq = whatif_seq_of(ask, &changed);
		rc = whatif_starts(ask, &changed);
		ask->changed_seq = ask->seq;
		if (rc > 0)
			whatif_note(ask, LW_HINT_PARTITION, part->name);
	}
	return rc < 0 ? rc : 0;
}

/* What is worth a try, the easiest change first. */
static int whatif_try_all(struct question *ask)
{
	const struct lw_request *req = &ask->job.request;
	int rc = whatif_try_limits(ask);

	if (!rc)
		rc = whatif_try_parts(ask);
	if (!rc)
		rc = whatif_try_types(ask);
	if (!rc)
		rc = whatif_try_shared(ask);
	if (!rc && !req->exclusive)
		rc = whatif_try_amounts(ask, LW_HINT_CPUS);
	if (!rc)
		rc = whatif_try_amounts(ask, LW_HINT_GPUS);
	return rc ? rc : whatif_try_nodes(ask);
}

int lw_whatif_find(struct lw_whatif *whatif, struct lw_policy *policy, struct lw_snapshot *snap,
		   const struct lw_decision *decision, struct lw_hint *hints, uint32_t *ret_plans)
{
	const struct lw_queue *queue = &snap->queue;
	const struct lw_class *class = &queue->classes[queue->class_of[decision->waiting]];
	struct question ask = { .whatif = whatif,
				.policy = policy,
				.snap = snap,
				.decision = decision,
				.job = snap->waiting[decision->waiting],
				.of_class = class->expected,
				.seq = queue->seq[decision->waiting],
				.changed_seq = queue->seq[decision->waiting],
				.hints = hints };
	int rc;

	whatif_forget_where(whatif);
	rc = whatif_try_all(&ask);
	*ret_plans = ask.plans;
	if (ask.count < LW_WHY_HINTS)
		hints[ask.count].kind = LW_HINT_NONE;
	return rc;
}
