/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where a job would start at a given time, with all its constraints. */
#include "planner/place/fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lw_fit_scratch_init(struct lw_fit_scratch *scratch, uint32_t node_count)
{
	memset(scratch, 0, sizeof(*scratch));
	scratch->allocs = calloc((size_t)node_count + 1, sizeof(*scratch->allocs));
	if (!scratch->allocs || lw_bitset_init(&scratch->open, node_count) ||
	    lw_bitset_init(&scratch->taken, node_count)) {
		lw_fit_scratch_fini(scratch);
		return -ENOMEM;
	}
	return 0;
}

void lw_fit_scratch_fini(struct lw_fit_scratch *scratch)
{
	lw_bitset_fini(&scratch->open);
	lw_bitset_fini(&scratch->taken);
	free(scratch->allocs);
	memset(scratch, 0, sizeof(*scratch));
}

/* Are the nodes of window NUMBER closed to the job at some time while it would run? */
static bool fit_is_closed(const struct lw_fit *fit, uint32_t number, int64_t start_s)
{
	const struct lw_resv_window *resv_window = &fit->snap->resv_windows[number];

	return (fit->job->constraints.closed >> number & 1) && start_s < resv_window->until_s &&
	       lw_waiting_end_s(fit->job, start_s) > resv_window->from_s;
}

static void fit_drop_closed(const struct lw_fit *fit, int64_t start_s, struct lw_bitset *nodes)
{
	if (start_s == LW_FIT_EVER)
		return;
	for (uint32_t i = 0; i < fit->snap->resv_window_count; i++) {
		if (fit_is_closed(fit, i, start_s))
			lw_bitset_drop(nodes, &fit->snap->resv_windows[i].nodes);
	}
}

/* All needs of a job that must be met at the same time. */
struct meeting {
	struct lw_placer *placer;
	const struct lw_room *room;
	const struct lw_request *req; /* the job's own */
	int64_t start_s;
};

/* Meet REQ on CANDIDATES that are open and not taken by another need. */
static int fit_meet(const struct meeting *all, const struct lw_bitset *candidates,
		    const struct lw_request *req, const struct lw_alloc **ret_allocs,
		    uint32_t *ret_count)
{
	struct lw_fit_scratch *scratch = all->room->fit.scratch;
	struct lw_room open = *all->room;

	lw_bitset_clear_all(&scratch->open);
	lw_bitset_or(&scratch->open, candidates);
	lw_bitset_drop(&scratch->open, &scratch->taken);
	fit_drop_closed(&all->room->fit, all->start_s, &scratch->open);
	open.candidates = &scratch->open;
	return lw_place(all->placer, &open, req, ret_allocs, ret_count);
}

static void fit_keep(struct lw_fit_scratch *scratch, uint32_t need, const struct lw_alloc *allocs,
		     uint32_t count, uint32_t *total)
{
	for (uint32_t i = 0; i < count; i++) {
		lw_bitset_set(&scratch->taken, allocs[i].node);
		scratch->allocs[*total] = allocs[i];
		scratch->allocs[(*total)++].need = need;
	}
}

/* Need NUMBER: 0 is the request, others are those of the co-allocation. */
static int fit_meet_need(const struct meeting *all, const struct lw_coallocation *coallocation,
			 uint32_t number, uint32_t *total)
{
	const struct lw_bitset *candidates = all->room->candidates;
	const struct lw_request *req = all->req;
	const struct lw_fit *fit = &all->room->fit;
	const struct lw_alloc *allocs;
	uint32_t count;
	int rc;

	if (number) {
		const struct lw_need *need =
			&fit->snap->needs[coallocation->first_need + number - 1];

		candidates = &fit->usable[need->set];
		req = &need->request;
	}
	rc = fit_meet(all, candidates, req, &allocs, &count);
	if (!rc)
		fit_keep(fit->scratch, number, allocs, count, total);
	return rc;
}

static int fit_meet_all(const struct meeting *all, const struct lw_coallocation *coallocation,
			bool reverse, uint32_t *ret_total)
{
	uint32_t last = coallocation->need_count;
	int rc = 0;

	lw_bitset_clear_all(&all->room->fit.scratch->taken);
	*ret_total = 0;
	for (uint32_t i = 0; !rc && i <= last; i++)
		rc = fit_meet_need(all, coallocation, reverse ? last - i : i, ret_total);
	return rc;
}

static int fit_by_need_then_node(const void *a, const void *b)
{
	const struct lw_alloc *x = a, *y = b;

	if (x->need != y->need)
		return x->need < y->need ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

int lw_fit(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	   int64_t start_s, const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	struct meeting all = { placer, room, req, start_s };
	const struct lw_constraints *constraints;
	const struct lw_coallocation *coallocation;
	uint32_t total;

	if (!room->fit.job)
		return lw_place(placer, room, req, ret_allocs, ret_count);
	constraints = &room->fit.job->constraints;
	if (start_s != LW_FIT_EVER && start_s < room->fit.earliest_s)
		return -ENOSPC;
	if (!constraints->coallocation) {
		lw_bitset_clear_all(&room->fit.scratch->taken);
		return fit_meet(&all, room->candidates, req, ret_allocs, ret_count);
	}
	coallocation = &room->fit.snap->coallocations[constraints->coallocation - 1];
	if (fit_meet_all(&all, coallocation, false, &total) &&
	    fit_meet_all(&all, coallocation, true, &total))
		return -ENOSPC;
	qsort(room->fit.scratch->allocs, total, sizeof(struct lw_alloc), fit_by_need_then_node);
	*ret_allocs = room->fit.scratch->allocs;
	*ret_count = total;
	return 0;
}

int64_t lw_fit_next_opening(const struct lw_room *room, int64_t after_s)
{
	int64_t next_s = INT64_MAX;

	if (!room->fit.job)
		return next_s;
	if (room->fit.earliest_s > after_s)
		next_s = room->fit.earliest_s;
	for (uint32_t i = 0; i < room->fit.snap->resv_window_count; i++) {
		int64_t until_s = room->fit.snap->resv_windows[i].until_s;

		if ((room->fit.job->constraints.closed >> i & 1) && until_s > after_s &&
		    until_s < next_s)
			next_s = until_s;
	}
	return next_s;
}

static bool fit_is_within(const struct lw_resv_window *resv_window, const struct lw_alloc *allocs,
			  uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (lw_bitset_test(&resv_window->nodes, allocs[i].node))
			return true;
	}
	return false;
}

int64_t lw_fit_last_open(const struct lw_room *room, const struct lw_alloc *allocs,
			 uint32_t count, int64_t until_s)
{
	const struct lw_fit *fit = &room->fit;
	uint32_t i = 0;

	if (!fit->job || !fit->job->constraints.closed)
		return until_s;
	while (i < fit->snap->resv_window_count) {
		if (!fit_is_closed(fit, i, until_s) ||
		    !fit_is_within(&fit->snap->resv_windows[i], allocs, count)) {
			i++;
			continue;
		}
		/* just early enough to end by then; that may be in another window */
		until_s = fit->snap->resv_windows[i].from_s - fit->job->limit_s;
		i = 0;
	}
	return until_s;
}

bool lw_fit_needs_more(const struct lw_room *room)
{
	return room->fit.job && room->fit.job->constraints.coallocation;
}
