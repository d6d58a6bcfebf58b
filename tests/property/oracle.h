/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is right, worked out the slow and plain way, sharing no code with the planner. */
#ifndef LW_TESTS_ORACLE_H
#define LW_TESTS_ORACLE_H

#include "base/strbuf.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

/* Do ALLOCS[COUNT] serve REQ on usable nodes of SET, out of FREE? 0, or WHY says why not. */
int oracle_serves(const struct lw_snapshot *snap, uint32_t set, const struct lw_request *req,
		  const struct lw_alloc *allocs, uint32_t count, const struct lw_res *free,
		  struct lw_strbuf *why);

/*
 * The fewest nodes of SET that serve REQ out of FREE with GPUs of one type, by trying
 * all subsets (at most 12 nodes), or 0. For two totals whose memory depends on them the
 * answer may be too low, never too high.
 */
uint32_t oracle_fewest_nodes(const struct lw_snapshot *snap, uint32_t set,
			     const struct lw_request *req, const struct lw_res *free);
/* How many nodes of SET have the per-node amounts, with GPUs of TYPE. */
uint32_t oracle_serving_nodes(const struct lw_snapshot *snap, uint32_t set,
			      const struct lw_request *req, const struct lw_res *free, int type);

/*
 * What is free at TIME_S if running jobs and the first DECISIONS decisions of PLAN
 * end exactly at their hard limits; free() it.
 */
struct lw_res *oracle_free_at(const struct lw_snapshot *snap, const struct lw_plan *plan,
			      uint32_t decisions, int64_t time_s);

#endif
