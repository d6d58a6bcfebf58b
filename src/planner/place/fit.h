/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where a job would start at a given time, with all that its constraints say. */
#ifndef LW_PLANNER_FIT_H
#define LW_PLANNER_FIT_H

#include "planner/place/place.h"

/*
 * lw_place() knows one request and no time. Some jobs have more to them: nodes that are
 * closed to them for a while (advance reservations), a first possible start, or other
 * needs that must be met at the same time on other nodes (the parts of a het job, a
 * licence, which is a node of its own). All policies ask here.
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

/* As START_S: what the nodes could hold, closed or not. */
#define LW_FIT_EVER INT64_MIN

/*
 * lw_place() for a start at START_S: on nodes that stay open until the job's hard limit,
 * and with every need of its co-allocation met, each on other nodes. Its own request is met
 * first, then the needs in order; if that fails, in the reverse order. That is greedy and
 * can miss a fit that exists. The allocs of one need are in node order; alloc.need says
 * whose they are. They last until the next call with the same placer or scratch.
 * 0 or -ENOSPC.
 */
int lw_fit(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	   int64_t start_s, const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/*
 * The next time after AFTER_S at which nodes open to the job though no job ends;
 * INT64_MAX if there is none.
 */
int64_t lw_fit_next_opening(const struct lw_room *room, int64_t after_s);

/*
 * The latest time up to UNTIL_S at which none of the nodes of ALLOCS is closed to the job until
 * its hard limit. No later than a start that lw_fit() found is asked for, so that there is one.
 */
int64_t lw_fit_last_open(const struct lw_room *room, const struct lw_alloc *allocs,
			 uint32_t count, int64_t until_s);

/* May the end of a job on other nodes than the room's candidates make room? */
bool lw_fit_needs_more(const struct lw_room *room);

#endif
