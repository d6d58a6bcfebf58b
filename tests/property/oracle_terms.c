/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is right where jobs have constraints: who stands in whose way, and when. */
#include "property/oracle_terms.h"

#include "planner/place/fit.h"
#include "property/oracle.h"
#include "property/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool oracle_preempts(const struct lw_constraints *constraints, uint32_t kind, uint32_t priority)
{
	if (!kind)
		return false;
	if (constraints->preempts >> kind & 1)
		return true;
	return (constraints->preempts_lower >> kind & 1) && priority < constraints->lower_than;
}

static int64_t end_of(const struct lw_snapshot *snap, const struct lw_running *run)
{
	return run->end_s > snap->now_s ? run->end_s : snap->now_s + 1;
}

static void take(struct lw_res *free, const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		lw_res_sub(&free[allocs[i].node], &allocs[i].res);
}

/* Is DECISION, made before the moment, in the way of the view's job at TIME_S? */
static bool stands(const struct oracle_view *view, const struct lw_decision *decision,
		   int64_t time_s)
{
	const struct lw_waiting *job = &view->snap->waiting[decision->waiting];
	struct lw_constraints constraints =
		view->job ? view->job->constraints : (struct lw_constraints){ 0 };

	if (view->heeds_lower)
		constraints.preempts_lower = 0;
	if (decision->verdict == LW_WAIT || decision->first_alloc >= view->before ||
	    decision->start_s > time_s || decision->start_s + job->limit_s <= time_s)
		return false;
	if (decision->verdict == LW_RESERVE)
		return view->reservations &&
		       !(view->job &&
			 job->constraints.preempts >> view->job->constraints.preempt_class & 1 &&
			 view->job->constraints.preempt_class);
	return view->starts_stay ||
	       !oracle_preempts(&constraints, job->constraints.preempt_class, job->priority);
}

struct lw_res *oracle_free(const struct oracle_view *view, int64_t time_s)
{
	const struct lw_snapshot *snap = view->snap;
	struct lw_res *free_res = calloc((size_t)snap->node_count + 1, sizeof(*free_res));

	for (uint32_t i = 0; free_res && i < snap->node_count; i++)
		free_res[i] = snap->nodes[i].total;
	for (uint32_t r = 0; free_res && r < snap->running_count; r++) {
		const struct lw_running *run = &snap->running[r];

		if (view->gone[r] >= view->before && end_of(snap, run) > time_s &&
		    !(view->job && run->yields_s <= time_s &&
		      oracle_preempts(&view->job->constraints, run->preempt_class,
				      run->priority)))
			take(free_res, &snap->allocs[run->first_alloc], run->alloc_count);
	}
	for (uint32_t i = 0; free_res && i < view->plan->decision_count; i++) {
		const struct lw_decision *decision = &view->plan->decisions[i];

		if (stands(view, decision, time_s))
			take(free_res, &view->plan->allocs[decision->first_alloc],
			     decision->alloc_count);
	}
	return free_res;
}

static bool is_closed(const struct lw_snapshot *snap, const struct lw_waiting *job, uint32_t node,
		      int64_t start_s)
{
	for (uint32_t i = 0; i < snap->resv_window_count; i++) {
		const struct lw_resv_window *resv_window = &snap->resv_windows[i];

		if ((job->constraints.closed >> i & 1) &&
		    lw_bitset_test(&resv_window->nodes, node) && start_s < resv_window->until_s &&
		    start_s + job->limit_s > resv_window->from_s)
			return true;
	}
	return false;
}

int oracle_may_start(const struct lw_snapshot *snap, const struct lw_waiting *job,
		     const struct lw_alloc *allocs, uint32_t count, const struct lw_res *free,
		     int64_t start_s, struct lw_strbuf *why)
{
	const struct lw_coallocation *coallocation =
		job->constraints.coallocation
			? &snap->coallocations[job->constraints.coallocation - 1]
			: NULL;
	uint32_t needs = coallocation ? coallocation->need_count : 0, first = 0, end;

	if (start_s < lw_snapshot_earliest_s(snap, &job->constraints))
		return BROKEN(why, "before its time\n");
	for (uint32_t i = 0; i < count; i++) {
		if (is_closed(snap, job, allocs[i].node, start_s))
			return BROKEN(why, "node %" PRIu32 " is closed\n", allocs[i].node);
		for (uint32_t k = 0; k < i; k++) {
			if (allocs[k].node == allocs[i].node)
				return BROKEN(why, "node %" PRIu32 " twice\n", allocs[i].node);
		}
	}
	for (uint32_t need = 0; need <= needs; need++, first = end) {
		const struct lw_need *other =
			need ? &snap->needs[coallocation->first_need + need - 1] : NULL;

		for (end = first; end < count && allocs[end].need == need;)
			end++;
		if (oracle_serves(snap, other ? other->set : job->set,
				  other ? &other->request : &job->request, allocs + first,
				  end - first, free, why))
			return BROKEN(why, "need %" PRIu32 "\n", need);
	}
	return first == count ? 0 : BROKEN(why, "more than it needs\n");
}

/* What lw_fit() needs, by set. */
static struct lw_bitset *usable_nodes(const struct lw_snapshot *snap)
{
	struct lw_bitset *usable = calloc((size_t)snap->set_count + 1, sizeof(*usable));

	for (uint32_t s = 0; usable && s < snap->set_count; s++) {
		if (lw_bitset_copy(&usable[s], &snap->sets[s].nodes))
			abort();
		for (uint32_t i = 0; i < snap->node_count; i++) {
			if (!snap->nodes[i].usable)
				lw_bitset_clear(&usable[s], i);
		}
	}
	return usable;
}

bool oracle_fits(const struct lw_snapshot *snap, const struct lw_waiting *job,
		 const struct lw_res *free_res, int64_t start_s)
{
	struct lw_res *total = calloc((size_t)snap->node_count + 1, sizeof(*total));
	struct lw_bitset *usable = usable_nodes(snap);
	struct lw_placer *placer = NULL;
	struct lw_fit_scratch scratch;
	const struct lw_alloc *allocs;
	uint32_t count;
	bool found;

	if (!total || !usable || lw_placer_create(snap->node_count, &placer) ||
	    lw_fit_scratch_init(&scratch, snap->node_count))
		abort();
	for (uint32_t i = 0; i < snap->node_count; i++)
		total[i] = snap->nodes[i].total;
	struct lw_room room = { .free = free_res, .total = total,
				.candidates = &usable[job->set] };

	room.fit = (struct lw_fit){ job, snap, usable, &scratch,
				    lw_snapshot_earliest_s(snap, &job->constraints) };
	found = !lw_fit(placer, &room, &job->request, start_s, &allocs, &count);
	lw_fit_scratch_fini(&scratch);
	lw_placer_destroy(placer);
	for (uint32_t s = 0; s < snap->set_count; s++)
		lw_bitset_fini(&usable[s]);
	free(usable);
	free(total);
	return found;
}

const struct lw_decision *oracle_next_start(const struct lw_plan *plan, int64_t after)
{
	const struct lw_decision *next = NULL;

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict == LW_START && decision->first_alloc > after &&
		    (!next || decision->first_alloc < next->first_alloc))
			next = decision;
	}
	return next;
}

static bool is_on(const struct lw_snapshot *snap, uint32_t r, uint32_t node)
{
	for (uint32_t i = 0; i < snap->running[r].alloc_count; i++) {
		if (snap->allocs[snap->running[r].first_alloc + i].node == node)
			return true;
	}
	return false;
}

/* Who goes next from NODE for JOB, or running_count. */
static uint32_t youngest(const struct lw_snapshot *snap, const int64_t *gone,
			 const struct lw_waiting *job, uint32_t node)
{
	uint32_t found = snap->running_count;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *run = &snap->running[r];

		if (gone[r] == ORACLE_ALL && is_on(snap, r, node) &&
		    run->yields_s <= snap->now_s &&
		    oracle_preempts(&job->constraints, run->preempt_class, run->priority) &&
		    (found == snap->running_count || run->start_s > snap->running[found].start_s))
			found = r;
	}
	return found;
}

/* What is free when START is made, with nobody to be preempted any more. */
static struct lw_res *free_at_start(const struct lw_snapshot *snap, const struct lw_plan *plan,
				    const int64_t *gone, const struct lw_decision *start)
{
	/* those that go for it are gone by then */
	int64_t *sooner = calloc((size_t)snap->running_count + 1, sizeof(*sooner));
	struct oracle_view view = { .snap = snap, .plan = plan, .gone = sooner,
				    .before = start->first_alloc };
	struct lw_res *free_res;

	for (uint32_t r = 0; r < snap->running_count; r++)
		sooner[r] = gone[r] == ORACLE_ALL ? ORACLE_ALL : -1;
	free_res = oracle_free(&view, snap->now_s);
	free(sooner);
	return free_res;
}

static int replay_start(const struct lw_snapshot *snap, const struct lw_plan *plan,
			int64_t *gone, const struct lw_decision *start, struct lw_strbuf *why)
{
	const struct lw_waiting *job = &snap->waiting[start->waiting];
	const struct lw_alloc *allocs = &plan->allocs[start->first_alloc];
	struct lw_res *free_res;
	int rc;

	if (start->start_s != snap->now_s)
		return BROKEN(why, "job %" PRIu32 ": a start that is not now\n", job->job_id);
	for (uint32_t i = 0; i < start->alloc_count; i++) {
		for (;;) {
			uint32_t victim = youngest(snap, gone, job, allocs[i].node);

			free_res = free_at_start(snap, plan, gone, start);
			if (victim == snap->running_count ||
			    lw_res_within(&allocs[i].res, &free_res[allocs[i].node]))
				break;
			gone[victim] = start->first_alloc;
			free(free_res);
		}
		free(free_res);
	}
	free_res = free_at_start(snap, plan, gone, start);
	rc = oracle_may_start(snap, job, allocs, start->alloc_count, free_res, snap->now_s, why);
	if (rc)
		lw_strbuf_add(why, "start of job %" PRIu32 "\n", job->job_id);
	free(free_res);
	return rc;
}

int oracle_replay(const struct lw_snapshot *snap, const struct lw_plan *plan, int64_t *gone,
		  struct lw_strbuf *why)
{
	const struct lw_decision *start = oracle_next_start(plan, -1);
	int rc = 0;

	for (uint32_t r = 0; r < snap->running_count; r++)
		gone[r] = ORACLE_ALL;
	for (; start && !rc; start = oracle_next_start(plan, start->first_alloc))
		rc = replay_start(snap, plan, gone, start, why);
	return rc;
}
