/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that wait for faster GPUs, or leave them to other jobs: select.type. */
#include "planner/cycle/type.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of a cycle: tasks of one class, and of all. Further jobs wait, or take what is free. */
#define OF_CLASS_MAX 200
#define OF_ALL_MAX   1000

/* No type at all: what it was given is for other variants of its job. */
#define NO_TYPE_MASK (UINT32_C(1) << 31)

_Static_assert(LW_GPU_TYPES_MAX < 31, "a bit for each type, and one for none");

void lw_type_fini(struct lw_type_choices *choices)
{
	lw_types_fini(&choices->plan);
	free(choices->classes);
	free(choices->members);
	memset(choices, 0, sizeof(*choices));
}

uint32_t lw_type_time_s(const struct lw_class *class, int type)
{
	int64_t time_s = class->expected.by_type_s[type];

	if (!time_s)
		time_s = class->expected.mean_s;
	return time_s < 1 ? 1 : time_s < UINT32_MAX ? (uint32_t)time_s : UINT32_MAX;
}

static bool type_knows_types(const struct lw_class *class)
{
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (class->expected.by_type_s[type])
			return true;
	return false;
}

static bool type_may_choose(const struct lw_class *class)
{
	const struct lw_request *req = &class->request;

	return (req->gpus_per_node || req->gpus_total) && req->gpu_type == LW_GPU_ANY &&
	       !class->constraints.coallocation && !lw_constraints_preempt(&class->constraints);
}

/* Do the nodes of the class, all idle, have what it asks for with GPUs of TYPE, by amounts? */
static bool has_type(const struct lw_cycle *cycle, const struct lw_class *class, int type)
{
	const struct lw_request *req = &class->request;
	uint32_t each = req->gpus_per_node ? req->gpus_per_node : 1, node;
	uint64_t nodes = 0, gpus = 0;

	lw_bitset_foreach(&cycle->usable[class->set], node)
	{
		const struct lw_res *total = &cycle->total[node];

		if (total->gpus[type] < each || total->cpus < req->cpus_per_node ||
		    total->mem_mib < req->mem_per_node_mib)
			continue;
		nodes++;
		gpus += total->gpus[type];
		if (nodes >= req->nodes_min && gpus >= req->gpus_total)
			return true;
	}
	return false;
}

static uint32_t type_types_of(const struct lw_cycle *cycle, const struct lw_class *class)
{
	uint32_t types = 0;

	for (uint32_t type = 0; type < cycle->snap->gpu_type_count; type++)
		if (has_type(cycle, class, (int)type))
			types |= UINT32_C(1) << type;
	return types;
}

/* Is there a class with a choice, and with run times by type? */
static bool type_find_classes(struct lw_cycle *cycle)
{
	struct lw_type_choices *choices = cycle->types;
	const struct lw_queue *queue = &cycle->snap->queue;
	bool any = false;

	/* jobs that are not ready get decisions, too */
	memset(choices->classes, 0, (queue->class_count + 1) * sizeof(*choices->classes));
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];
		struct lw_type_class *found = &choices->classes[queue->active[i]];

		if (!type_may_choose(class))
			continue;
		found->types = type_types_of(cycle, class);
		any |= (type_knows_types(class) || class->expected.cramped) &&
		       (found->types & (found->types - 1));
	}
	return any;
}

static int type_add_running(struct lw_cycle *cycle, const struct lw_running *job)
{
	struct lw_types_plan *plan = &cycle->types->plan;
	int64_t end_s = lw_running_end_s(job, cycle->snap->now_s, LW_ENDS_EXPECTED);
	int rc = 0;

	for (uint32_t i = 0; !rc && i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &cycle->snap->allocs[job->first_alloc + i];

		if (!cycle->snap->nodes[alloc->node].usable)
			continue;
		for (uint32_t type = 0; !rc && type < cycle->snap->gpu_type_count; type++)
			rc = lw_types_add_gpus(plan, (int)type, end_s, alloc->res.gpus[type]);
	}
	return rc;
}

static int type_add_gpus(struct lw_cycle *cycle)
{
	struct lw_types_plan *plan = &cycle->types->plan;
	uint64_t free[LW_GPU_TYPES_MAX] = { 0 };
	int rc = 0;

	for (uint32_t node = 0; node < cycle->snap->node_count; node++)
		for (uint32_t type = 0; type < cycle->snap->gpu_type_count; type++)
			if (cycle->snap->nodes[node].usable)
				free[type] += cycle->free[node].gpus[type];
	for (uint32_t type = 0; !rc && type < cycle->snap->gpu_type_count; type++)
		rc = lw_types_add_gpus(plan, (int)type, cycle->snap->now_s, (uint32_t)free[type]);
	for (uint32_t i = 0; !rc && i < cycle->snap->running_count; i++)
		rc = type_add_running(cycle, &cycle->snap->running[i]);
	return rc;
}

/* GPUs of each type that are free on nodes in use, and GPUs of a node. */
static void type_find_beside(const struct lw_cycle *cycle, struct lw_frugal *frugal)
{
	const struct lw_snapshot *snap = cycle->snap;

	memset(frugal->beside, 0, sizeof(frugal->beside));
	memset(frugal->node_gpus, 0, sizeof(frugal->node_gpus));
	for (uint32_t node = 0; node < snap->node_count; node++) {
		const struct lw_res *total = &snap->nodes[node].total;
		bool used = !lw_res_equal(&cycle->free[node], total);

		for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
			if (total->gpus[type] > frugal->node_gpus[type])
				frugal->node_gpus[type] = total->gpus[type];
			if (used && snap->nodes[node].usable)
				frugal->beside[type] += cycle->free[node].gpus[type];
		}
	}
}

static void type_begin_frugal(const struct lw_cycle *cycle, struct lw_frugal *frugal)
{
	frugal->on = true;
	frugal->at_once = cycle->params->types == LW_TYPES_ANY;
	frugal->now_s = cycle->snap->now_s;
	frugal->slack = cycle->params->energy_slack;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		frugal->busy_w[type] = cycle->snap->gpu_draw[type].busy_w;
		frugal->idle_w[type] = cycle->snap->gpu_draw[type].idle_w;
	}
	type_find_beside(cycle, frugal);
}

/* A job without an account counts for its user. */
static uint64_t type_account_of(uint32_t account, uint32_t user_id)
{
	return account ? UINT64_C(1) << 32 | account : user_id;
}

static int type_add_uses(struct lw_cycle *cycle)
{
	const struct lw_snapshot *snap = cycle->snap;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		for (uint32_t a = 0; !rc && a < job->alloc_count; a++)
			for (uint32_t type = 0; !rc && type < snap->gpu_type_count; type++) {
				uint32_t gpus = snap->allocs[job->first_alloc + a].res.gpus[type];
				uint64_t account = type_account_of(job->account, job->user_id);

				if (gpus)
					rc = lw_types_add_use(&cycle->types->plan, account,
							      (int)type, gpus);
			}
	}
	return rc;
}

static bool type_takes_part(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	enum lw_reason reason;

	return (job->request.gpus_per_node || job->request.gpus_total) &&
	       lw_cycle_ready(cycle, index, &reason) &&
	       (!cycle->first_variant || cycle->first_variant[index] == index) &&
	       lw_snapshot_earliest_s(cycle->snap, &job->constraints) <= cycle->snap->now_s;
}

static int type_compare_members(const void *a, const void *b, void *arg)
{
	const struct lw_turn_member *x = a, *y = b;
	const struct lw_cycle *cycle = arg;
	const struct lw_waiting *waiting = cycle->snap->waiting;
	int rank;

	if (!lw_queue_is_given(cycle->params) &&
	    waiting[x->index].constraints.tier != waiting[y->index].constraints.tier)
		return waiting[x->index].constraints.tier > waiting[y->index].constraints.tier
			       ? -1
			       : 1;
	rank = lw_rank_compare(x->rank, y->rank);
	if (rank)
		return rank;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The jobs that take part, the first of each class, in order of turns. */
static int type_list_members(struct lw_cycle *cycle, lw_class_queue_key_f key,
			     uint32_t *ret_count)
{
	struct lw_type_choices *choices = cycle->types;
	const struct lw_queue *queue = &cycle->snap->queue;
	uint32_t count = 0;

	if (lw_grow((void **)&choices->members, &choices->member_room, queue->count + 1,
		    sizeof(*choices->members)))
		return -ENOMEM;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		for (uint32_t m = 0; m < class->member_count && m < OF_CLASS_MAX; m++) {
			uint32_t index = class->members[m];

			if (type_takes_part(cycle, index))
				choices->members[count++] = (struct lw_turn_member){
					.rank = key(cycle, class, &cycle->snap->waiting[index]),
					.seq = queue->seq[index],
					.index = index,
				};
		}
	}
	qsort_r(choices->members, count, sizeof(*choices->members), type_compare_members, cycle);
	*ret_count = count;
	return 0;
}

/* The types of the job, and its run time on each. */
static void type_set_times(const struct lw_cycle *cycle, uint32_t index, struct lw_type_job *job)
{
	const struct lw_class *class = lw_cycle_class(cycle, index);
	uint32_t number = cycle->snap->queue.class_of[index];
	uint32_t types = cycle->types->classes[number].types;

	if (class->request.gpu_type != LW_GPU_ANY)
		types = UINT32_C(1) << class->request.gpu_type;
	/* types with too little memory only if the job may have no other */
	if (types & ~class->expected.cramped)
		types &= (uint32_t)~class->expected.cramped;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (types >> type & 1)
			job->time_s[type] = lw_type_time_s(class, type);
}

/* With all its variants: the job may have the types of any. */
static void type_set_times_of_others(const struct lw_cycle *cycle, uint32_t index,
				     struct lw_type_job *job)
{
	const struct lw_snapshot *snap = cycle->snap;

	if (!cycle->first_variant)
		return;
	for (uint32_t i = 0; i < snap->queue.count; i++) {
		uint32_t other = snap->queue.order[i];

		if (other != index && cycle->first_variant[other] == index) {
			type_set_times(cycle, other, job);
			cycle->types->classes[snap->queue.class_of[other]].shared = true;
			cycle->types->classes[snap->queue.class_of[index]].shared = true;
		}
	}
}

/* The job's fields for planner/place/frugal.h. */
static void type_set_frugal(const struct lw_cycle *cycle, uint32_t index, struct lw_type_job *job)
{
	const struct lw_waiting *waiting = &cycle->snap->waiting[index];

	job->knows_times = type_knows_types(lw_cycle_class(cycle, index));
	job->limit_s = waiting->limit_s;
	job->waited_s = cycle->snap->now_s - waiting->submit_s;
	if (waiting->finish_by_s > waiting->limit_s)
		job->start_by_s = waiting->finish_by_s - waiting->limit_s;
}

static int type_add_jobs(struct lw_cycle *cycle, uint32_t count)
{
	struct lw_types_plan *plan = &cycle->types->plan;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = cycle->types->members[i].index;
		const struct lw_waiting *waiting = &cycle->snap->waiting[index];
		struct lw_type_job job = {
			.weight = waiting->weight ? waiting->weight : 1,
			.gpus = lw_type_gpus(&waiting->request),
			.account = type_account_of(waiting->account, waiting->user_id),
			.account_share = waiting->account_share,
			.owner = index,
		};

		type_set_frugal(cycle, index, &job);
		type_set_times(cycle, index, &job);
		type_set_times_of_others(cycle, index, &job);
		for (uint32_t task = 0; task < waiting->tasks && task < OF_CLASS_MAX; task++) {
			if (plan->job_count == OF_ALL_MAX)
				return 0;
			if (lw_types_add_job(plan, &job))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Its class, and the classes of its variants, may start one more task on its type. */
static void type_give(struct lw_cycle *cycle, const struct lw_type_job *job)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	struct lw_type_class *class = &cycle->types->classes[queue->class_of[job->owner]];

	if (job->type == LW_GPU_ANY)
		return;
	class->left[job->type]++;
	if (!class->choice.made && class->types)
		class->choice = (struct lw_type_choice){
			.made = true,
			.type = (int8_t)job->type,
			.other = LW_GPU_ANY,
			.done_s = job->done_s,
		};
	for (uint32_t i = 0; class->shared && i < queue->count; i++) {
		uint32_t other = queue->order[i], number = queue->class_of[other];

		if (other == job->owner || cycle->first_variant[other] != job->owner)
			continue;
		if (cycle->types->classes[number].types >> job->type & 1)
			cycle->types->classes[number].left[job->type]++;
	}
}

int lw_type_begin(struct lw_cycle *cycle, lw_class_queue_key_f key, bool shortest)
{
	struct lw_type_choices *choices = cycle->types;
	bool fair = cycle->params->types == LW_TYPES_FAIR;
	uint32_t count;

	choices->on = false;
	choices->searches = 0;
	if ((cycle->params->types == LW_TYPES_ANY && !cycle->params->energy) ||
	    cycle->snap->gpu_type_count < 2)
		return 0;
	if (lw_grow((void **)&choices->classes, &choices->class_room,
		    cycle->snap->queue.class_count + 1, sizeof(*choices->classes)))
		return -ENOMEM;
	if (!type_find_classes(cycle))
		return 0;
	lw_types_clear(&choices->plan);
	if (cycle->params->energy)
		type_begin_frugal(cycle, &choices->plan.frugal);
	shortest &= cycle->params->types != LW_TYPES_ANY;
	if (type_list_members(cycle, key, &count) || type_add_gpus(cycle) ||
	    type_add_jobs(cycle, count) || (fair && type_add_uses(cycle)) ||
	    lw_types_divide(&choices->plan, cycle->snap->now_s,
			    fair       ? LW_DIVIDE_FAIR
			    : shortest ? LW_DIVIDE_BY_SUM
				       : LW_DIVIDE_IN_ORDER))
		return -ENOMEM;
	choices->on = true;
	for (uint32_t i = 0; i < choices->plan.job_count; i++)
		type_give(cycle, &choices->plan.jobs[i]);
	return 0;
}

uint32_t lw_type_mask(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_type_class *class = lw_type_class_at(cycle, index);
	int64_t promise_s = lw_cycle_promise(cycle, index);
	uint32_t mask = 0;

	if (!class || (promise_s != LW_NO_TIME && promise_s <= cycle->snap->now_s))
		return 0;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (class->left[type])
			mask |= UINT32_C(1) << type;
	return mask || !class->shared ? mask : NO_TYPE_MASK;
}

int lw_type_of(const struct lw_cycle *cycle, const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t type = 0; count && type < cycle->snap->gpu_type_count; type++)
		if (allocs[0].res.gpus[type])
			return (int)type;
	return LW_GPU_ANY;
}

void lw_type_started(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count)
{
	struct lw_type_class *class = lw_type_class_at(cycle, index);
	int type = lw_type_of(cycle, allocs, count);

	if (!class || type == LW_GPU_ANY)
		return;
	class->choice.made = false; /* the next of the class ends later */
	/* its wait is over: it takes the place of another job of the class */
	for (int t = 0; !class->left[type] && t < LW_GPU_TYPES_MAX; t++)
		if (class->left[t])
			type = t;
	if (class->left[type])
		class->left[type]--;
}

struct lw_type_choice lw_type_choice_of(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_type_class *class = lw_type_class_at(cycle, index);
	struct lw_type_choice choice = { 0 };

	if (!class)
		return choice;
	choice = class->choice;
	choice.types = lw_type_mask(cycle, index) & ~NO_TYPE_MASK;
	return choice;
}
