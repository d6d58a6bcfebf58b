/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where a job would start at a given time, with all its constraints. */
#ifndef LW_PLANNER_FIT_H
#define LW_PLANNER_FIT_H

#include "planner/place/place.h"

/*
 * lw_place() knows one request and no time. Some jobs need more: nodes may be closed to them for
 * a time (advance reservations), they may have an earliest start, or other needs that must be
 * met at the same time on other nodes (the components of a het job, or a licence, which is a
 * node of its own). All policies call these functions.
 */

/* Scratch memory of one planner. */
struct lw_fit_scratch {
	struct lw_bitset open, taken;
	struct lw_alloc *allocs;
};

/* -ENOMEM. */
int lw_fit_scratch_init(struct lw_fit_scratch *scratch, uint32_t node_count);
/* Safe on a zeroed one. */
void lw_fit_scratch_fini(struct lw_fit_scratch *scratch);

/* For START_S: ignore reservation windows. */
#define LW_FIT_EVER INT64_MIN

/*
 * lw_place() for a start at START_S: on nodes that stay open until the job's hard limit, with
 * every need of its co-allocation met on other nodes. Its own request is met first, then the
 * needs in order; if that fails, in the reverse order. This is greedy and can miss a fit that
 * exists. The allocs of one need are in node order; alloc.need is the need. They are valid until
 * the next call with the same placer or scratch. 0 or -ENOSPC.
 */
int lw_fit(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	   int64_t start_s, const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/*
 * The next time after AFTER_S at which nodes open to the job without the end of a job; INT64_MAX
 * if there is none.
 */
int64_t lw_fit_next_opening(const struct lw_room *room, int64_t after_s);

/*
 * The latest time up to UNTIL_S from which on no node of ALLOCS is closed to the job until its
 * hard limit. UNTIL_S is not before a start that lw_fit() found, so there is one.
 */
int64_t lw_fit_last_open(const struct lw_room *room, const struct lw_alloc *allocs,
			 uint32_t count, int64_t until_s);

/* Can the end of a job on nodes other than the room's candidates make room? */
bool lw_fit_needs_more(const struct lw_room *room);

#endif
