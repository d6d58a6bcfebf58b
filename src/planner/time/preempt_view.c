/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the availability profile as a preemptor, or a preemptible job, sees it. */
#include "planner/time/preempt_view.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_preempt_views_fini(struct lw_preempt_views *views)
{
	for (uint32_t i = 0; i < LW_VIEWS_MAX; i++)
		lw_profile_fini(&views->views[i].profile);
	free(views->items);
	free(views->shut);
	memset(views, 0, sizeof(*views));
}

uint64_t lw_preempt_views_bytes(const struct lw_preempt_views *views)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < LW_VIEWS_MAX; i++)
		bytes += views->views[i].profile.bytes;
	return bytes;
}

static int view_add(struct lw_preempt_views *views, uint32_t number, bool planned, int64_t end_s)
{
	if (lw_grow((void **)&views->items, &views->item_room, views->item_count + 1,
		    sizeof(*views->items)))
		return -ENOMEM;
	views->items[views->item_count++] = (struct lw_preempt_view_item){
		.number = number, .planned = planned, .end_s = end_s, .limit_s = end_s
	};
	return 0;
}

/* Is everything in the way of a job with CONSTRAINTS? */
static bool preempt_view_sees_all(const struct lw_constraints *constraints)
{
	return !lw_constraints_preempt(constraints) && !constraints->preempt_class;
}

static bool preempt_view_sees_as(const struct lw_constraints *a, const struct lw_constraints *b)
{
	return a->preempts == b->preempts && a->preempts_lower == b->preempts_lower &&
	       a->preempt_class == b->preempt_class;
}

/* Does everything that yields to A yield to B? */
static bool preempt_view_sees_less(const struct lw_constraints *a, const struct lw_constraints *b)
{
	return !(a->preempts & ~b->preempts) && !(a->preempts_lower & ~b->preempts_lower) &&
	       (!a->preempt_class || a->preempt_class == b->preempt_class);
}

/* The first view that shows most of what a job with CONSTRAINTS sees, or NULL. */
static struct lw_preempt_view *view_find(struct lw_preempt_views *views,
					 const struct lw_constraints *constraints)
{
	struct lw_preempt_view *best = NULL;

	for (uint32_t i = 0; i < views->count; i++) {
		struct lw_preempt_view *view = &views->views[i];

		if (preempt_view_sees_as(&view->constraints, constraints))
			return view;
		if (preempt_view_sees_less(&view->constraints, constraints) &&
		    (!best || preempt_view_sees_less(&best->constraints, &view->constraints)))
			best = view;
	}
	return best;
}

struct lw_preempt_view *lw_preempt_views_of(struct lw_preempt_views *views,
					    const struct lw_waiting *job)
{
	return preempt_view_sees_all(&job->constraints) ? NULL
							: view_find(views, &job->constraints);
}

static int preempt_view_begin_items(struct lw_preempt_views *views)
{
	const struct lw_snapshot *snap = views->snap;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *run = &snap->running[r];

		if (run->preempt_class && view_add(views, r, false, lw_profile_end_of(snap, run)))
			return -ENOMEM;
	}
	return 0;
}

int lw_preempt_views_begin(struct lw_preempt_views *views, const struct lw_snapshot *snap,
			   const struct lw_plan *plan, struct lw_profile *all)
{
	views->snap = snap;
	views->plan = plan;
	views->all = all;
	views->count = views->item_count = views->shut_count = 0;
	for (uint32_t i = 0; i < snap->queue.count && views->count < LW_VIEWS_MAX; i++) {
		const struct lw_waiting *job = &snap->waiting[snap->queue.order[i]];
		struct lw_preempt_view *view = lw_preempt_views_of(views, job);

		if (preempt_view_sees_all(&job->constraints) ||
		    (view && preempt_view_sees_as(&view->constraints, &job->constraints)))
			continue;
		view = &views->views[views->count++];
		view->constraints = job->constraints;
		view->away = 0;
		if (lw_profile_begin(&view->profile, snap))
			return -ENOMEM;
	}
	return views->count ? preempt_view_begin_items(views) : 0;
}

/* Is the decision not in the way of a job with CONSTRAINTS? */
static bool preempt_view_passes(const struct lw_snapshot *snap,
				const struct lw_decision *decision,
				const struct lw_constraints *constraints)
{
	const struct lw_waiting *planned = &snap->waiting[decision->waiting];

	if (decision->verdict == LW_START)
		return lw_constraints_preempt_running(
			constraints, planned->constraints.preempt_class, planned->priority);
	return lw_constraints_yield_to(constraints, &planned->constraints);
}

static bool view_yields(const struct lw_preempt_views *views,
			const struct lw_preempt_view_item *item,
			const struct lw_constraints *constraints)
{
	const struct lw_running *run;

	if (item->planned)
		return preempt_view_passes(views->snap, &views->plan->decisions[item->number],
					   constraints);
	run = &views->snap->running[item->number];
	return lw_constraints_preempt_running(constraints, run->preempt_class, run->priority);
}

/* What an item holds. */
struct held {
	const struct lw_alloc *allocs;
	uint32_t count;
	int64_t start_s, end_s;
};

static struct held preempt_view_held_by(const struct lw_preempt_views *views,
					const struct lw_preempt_view_item *item)
{
	const struct lw_decision *decision;
	const struct lw_running *run;

	if (!item->planned) {
		run = &views->snap->running[item->number];
		return (struct held){ lw_running_allocs(views->snap, run), run->alloc_count,
				      run->start_s, item->end_s };
	}
	decision = &views->plan->decisions[item->number];
	return (struct held){ lw_decision_allocs(views->plan, decision), decision->alloc_count,
			      decision->start_s, item->end_s };
}

/* Set it free from START_S on, or take it again. */
static int preempt_view_set_free(struct lw_profile *profile, const struct held *held,
				 int64_t start_s, bool is_free)
{
	return is_free ? lw_profile_give(profile, start_s, held->end_s, held->allocs, held->count)
		       : lw_profile_take(profile, start_s, held->end_s, held->allocs,
					 held->count);
}

static uint16_t preempt_view_bit_of(const struct lw_preempt_views *views,
				    const struct lw_preempt_view *view)
{
	return (uint16_t)(1u << (view - views->views));
}

/* From when on the running job of ITEM can be preempted. */
static int64_t preempt_view_yields_s(const struct lw_preempt_views *views,
				     const struct lw_preempt_view_item *item)
{
	int64_t yields_s = views->snap->running[item->number].yields_s;

	return yields_s > views->snap->now_s ? yields_s : views->snap->now_s;
}

/* Give back what the item holds, or take it again. */
static int preempt_view_move(struct lw_preempt_views *views, struct lw_preempt_view *view,
			     struct lw_preempt_view_item *item)
{
	struct held held = preempt_view_held_by(views, item);
	int64_t start_s = item->planned ? held.start_s : preempt_view_yields_s(views, item);
	bool away;

	item->away ^= preempt_view_bit_of(views, view);
	away = item->away & preempt_view_bit_of(views, view);
	if (away)
		view->away++;
	else
		view->away--;
	return start_s >= held.end_s
		       ? 0
		       : preempt_view_set_free(&view->profile, &held, start_s, away);
}

int lw_preempt_view_turn(struct lw_preempt_views *views, struct lw_preempt_view *view,
			 const struct lw_waiting *job)
{
	struct lw_constraints constraints = view->constraints;

	constraints.lower_than = job->constraints.lower_than;
	for (uint32_t i = 0; i < views->item_count; i++) {
		struct lw_preempt_view_item *item = &views->items[i];
		bool is_away = item->away & preempt_view_bit_of(views, view);

		if (is_away != view_yields(views, item, &constraints) &&
		    preempt_view_move(views, view, item))
			return -ENOMEM;
	}
	return 0;
}

static bool preempt_view_is_on(const struct held *held, uint32_t node)
{
	for (uint32_t i = 0; i < held->count; i++) {
		if (held->allocs[i].node == node)
			return true;
	}
	return false;
}

/* Is the item, holding from START_S on, preempted before BEST? Equal ones by number. */
static bool preempt_view_goes_first(const struct lw_preempt_view_item *item, int64_t start_s,
				    const struct lw_preempt_view_item *best, int64_t best_s)
{
	if (!best || start_s != best_s)
		return !best || start_s > best_s;
	return item->planned != best->planned ? best->planned : item->number < best->number;
}

/* The youngest item on NODE at TIME_S that the view's job may preempt, or NULL. */
static struct lw_preempt_view_item *preempt_view_youngest(struct lw_preempt_views *views,
							  const struct lw_preempt_view *view,
							  uint32_t node, int64_t time_s)
{
	struct lw_preempt_view_item *best = NULL;
	int64_t best_s = 0;

	for (uint32_t i = 0; i < views->item_count; i++) {
		struct lw_preempt_view_item *item = &views->items[i];
		struct held held = preempt_view_held_by(views, item);

		/* a reservation cannot be preempted */
		if (!(item->away & preempt_view_bit_of(views, view)) || item->off ||
		    held.end_s <= time_s ||
		    (!item->planned && preempt_view_yields_s(views, item) > time_s) ||
		    (item->planned && views->plan->decisions[item->number].verdict != LW_START) ||
		    !preempt_view_goes_first(item, held.start_s, best, best_s) ||
		    !preempt_view_is_on(&held, node))
			continue;
		best = item;
		best_s = held.start_s;
	}
	return best;
}

/* Preempt the item from TIME_S on, or undo that. */
static int preempt_item(struct lw_preempt_views *views, struct lw_preempt_view_item *item,
			int64_t time_s)
{
	struct held held = preempt_view_held_by(views, item);

	item->off = !item->off;
	return preempt_view_set_free(views->all, &held, time_s, item->off);
}

/* The first time until LIMIT_S at which the fit lacks its ALLOC of a node, or any if NULL. */
static int64_t view_lasts(const struct lw_preempt_views *views, const struct lw_profile_fit *fit,
			  const struct lw_alloc *alloc, int64_t limit_s)
{
	return lw_profile_lasts(views->all, fit->start_s, limit_s, alloc ? alloc : fit->allocs,
				alloc ? 1 : fit->alloc_count);
}

static int preempt_view_make_room(struct lw_preempt_views *views,
				  const struct lw_preempt_view *view,
				  const struct lw_profile_fit *fit)
{
	int64_t start_s = fit->start_s;
	int rc = 0;

	for (uint32_t i = 0; i < fit->alloc_count && !rc; i++) {
		const struct lw_alloc *alloc = &fit->allocs[i];
		struct lw_preempt_view_item *item;

		while (!rc && view_lasts(views, fit, alloc, start_s + 1) == start_s &&
		       (item = preempt_view_youngest(views, view, alloc->node, start_s)))
			rc = preempt_item(views, item, start_s);
	}
	return rc;
}

/* Does a reservation that the view's job yields to begin at TIME_S on NODE? */
static bool preempt_view_yields_at(const struct lw_preempt_views *views,
				   const struct lw_preempt_view *view, uint32_t node,
				   int64_t time_s)
{
	for (uint32_t i = 0; i < views->item_count; i++) {
		const struct lw_preempt_view_item *item = &views->items[i];
		struct held held;

		if (!(item->away & preempt_view_bit_of(views, view)) || !item->planned ||
		    views->plan->decisions[item->number].verdict != LW_RESERVE)
			continue;
		held = preempt_view_held_by(views, item);
		if (held.start_s == time_s && preempt_view_is_on(&held, node))
			return true;
	}
	return false;
}

static int preempt_view_shut(struct lw_preempt_views *views, struct lw_preempt_view *view,
			     uint32_t node, int64_t start_s, int64_t end_s)
{
	struct lw_preempt_view_shut *shut;

	if (lw_grow((void **)&views->shut, &views->shut_room, views->shut_count + 1,
		    sizeof(*views->shut)))
		return -ENOMEM;
	shut = &views->shut[views->shut_count++];
	*shut = (struct lw_preempt_view_shut){
		{ .node = node, .res = views->snap->nodes[node].total }, start_s, end_s
	};
	return lw_profile_take(&view->profile, start_s, end_s, &shut->alloc, 1);
}

int lw_preempt_view_open(struct lw_preempt_views *views, struct lw_preempt_view *view)
{
	while (views->shut_count) {
		const struct lw_preempt_view_shut *shut = &views->shut[--views->shut_count];

		if (lw_profile_give(&view->profile, shut->start_s, shut->end_s, &shut->alloc, 1))
			return -ENOMEM;
	}
	return 0;
}

/* The result of lw_preempt_view_try(), after the necessary preemptions. */
static int view_look(struct lw_preempt_views *views, struct lw_preempt_view *view,
		     const struct lw_profile_fit *fit, int64_t *end_s)
{
	int64_t limit_s = *end_s, until_s;

	*end_s = view_lasts(views, fit, NULL, limit_s);
	if (*end_s == limit_s)
		return 0;
	for (uint32_t i = 0; i < fit->alloc_count; i++) {
		until_s = view_lasts(views, fit, &fit->allocs[i], limit_s);
		if (view->constraints.preempt_class && until_s == *end_s &&
		    preempt_view_yields_at(views, view, fit->allocs[i].node, until_s)) {
			*end_s = limit_s;
			return 0;
		}
	}
	for (uint32_t i = 0; i < fit->alloc_count; i++) {
		until_s = view_lasts(views, fit, &fit->allocs[i], limit_s);
		if (until_s == limit_s)
			continue;
		/* also for a node without room at the start, or it would be tried again */
		until_s = until_s > fit->start_s ? until_s : limit_s;
		if (preempt_view_shut(views, view, fit->allocs[i].node, fit->start_s, until_s))
			return -ENOMEM;
	}
	return 0;
}

int lw_preempt_view_try(struct lw_preempt_views *views, struct lw_preempt_view *view,
			const struct lw_profile_fit *fit, int64_t *end_s)
{
	int rc = preempt_view_make_room(views, view, fit);

	if (!rc)
		rc = view_look(views, view, fit, end_s);
	for (uint32_t i = 0; i < views->item_count && !rc; i++) {
		if (views->items[i].off)
			rc = preempt_item(views, &views->items[i], fit->start_s);
	}
	return rc;
}

/* The item is gone from views->all: remove it from all views, from TIME_S on. */
static int preempt_view_end_item(struct lw_preempt_views *views,
				 struct lw_preempt_view_item *item, int64_t time_s)
{
	struct held held = preempt_view_held_by(views, item);

	item->off = false;
	item->end_s = time_s;
	for (uint32_t i = 0; i < views->count; i++) {
		if (!(item->away >> i & 1) &&
		    preempt_view_set_free(&views->views[i].profile, &held, time_s, true))
			return -ENOMEM;
	}
	return 0;
}

int lw_preempt_view_settle(struct lw_preempt_views *views, const struct lw_preempt_view *view,
			   const struct lw_profile_fit *fit)
{
	int rc = preempt_view_make_room(views, view, fit);
	bool any = false;

	for (uint32_t i = 0; i < views->item_count && !rc; i++) {
		if (views->items[i].off) {
			rc = preempt_view_end_item(views, &views->items[i], fit->start_s);
			any = true;
		}
	}
	return rc ? rc : any;
}

int lw_preempt_views_restore(struct lw_preempt_views *views)
{
	for (uint32_t i = 0; i < views->item_count; i++) {
		struct lw_preempt_view_item *item = &views->items[i];
		int64_t end_s = item->end_s;
		struct held held;

		if (end_s == item->limit_s)
			continue;
		item->end_s = item->limit_s;
		held = preempt_view_held_by(views, item);
		if (preempt_view_set_free(views->all, &held, end_s, false))
			return -ENOMEM;
		for (uint32_t v = 0; v < views->count; v++) {
			if (!(item->away >> v & 1) &&
			    preempt_view_set_free(&views->views[v].profile, &held, end_s, false))
				return -ENOMEM;
		}
	}
	return 0;
}

int lw_preempt_views_take(struct lw_preempt_views *views, const struct lw_profile_fit *fit,
			  int64_t end_s)
{
	for (uint32_t i = 0; i < views->count; i++) {
		if (lw_profile_take(&views->views[i].profile, fit->start_s, end_s, fit->allocs,
				    fit->alloc_count))
			return -ENOMEM;
	}
	return 0;
}

int lw_preempt_views_note(struct lw_preempt_views *views, uint32_t number)
{
	const struct lw_decision *decision = &views->plan->decisions[number];
	const struct lw_waiting *job = &views->snap->waiting[decision->waiting];

	if (!views->count || !(decision->verdict == LW_START ? job->constraints.preempt_class
							     : job->constraints.preempts))
		return 0;
	return view_add(views, number, true, lw_waiting_end_s(job, decision->start_s));
}

int lw_preempt_views_drop(struct lw_preempt_views *views, uint32_t run)
{
	int64_t now_s = views->snap->now_s;

	for (uint32_t i = 0; i < views->item_count; i++) {
		struct lw_preempt_view_item *item = &views->items[i];
		struct held held;

		if (item->planned || item->number != run || item->end_s <= now_s)
			continue;
		held = preempt_view_held_by(views, item);
		if (preempt_view_set_free(views->all, &held, now_s, true))
			return -ENOMEM;
		item->limit_s = now_s;
		return preempt_view_end_item(views, item, now_s);
	}
	return 0;
}
