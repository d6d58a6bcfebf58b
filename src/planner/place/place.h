/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes a job gets: the fewest, and those it fits best. */
#ifndef LW_PLANNER_PLACE_H
#define LW_PLANNER_PLACE_H

#include "planner/place/release_dist.h"
#include "planner/place/fragment.h"
#include "planner/place/index.h"
#include "planner/model/outside.h"
#include "planner/model/params.h"
#include "planner/model/snapshot.h"

/*
 * Used by the planner, by the simulator and by the select plugin, so that what is
 * planned is what happens.
 */

/* A job whose constraints matter, and what it takes to look at them; borrowed. */
struct lw_fit {
	const struct lw_waiting *job;
	const struct lw_snapshot *snap;
	const struct lw_bitset *usable; /* by set of SNAP: its nodes that are up */
	struct lw_fit_scratch *scratch;
	int64_t earliest_s; /* no start before */
};

/* What there is to choose from. All arrays are indexed by node and borrowed. */
struct lw_room {
	const struct lw_res *free;
	const struct lw_res *total;	    /* an exclusive job needs free == total */
	const struct lw_bitset *candidates; /* nodes that may be used at all */
	/*
	 * NULL, or what a job that outlives the reservations may take: on a node with
	 * guarded[node] set it gets no more than spare[node], whatever is free now.
	 */
	const struct lw_res *spare;
	const uint8_t *guarded;
	/*
	 * NULL, or, where FREE is of a later time, what is free now: nodes that would serve now
	 * are taken last, for until then others can use them as long as they like.
	 */
	const struct lw_res *now;
	const struct lw_index *index; /* NULL, or FREE in order, to look at fewer nodes */
	uint32_t gpu_types;	      /* GPU types in use; 0: not known */
	uint32_t type_mask; /* bits: those that a job of any type may have; 0: all */
	/*
	 * NULL, or by node: lw_node.linked; a job goes where one island holds what it has of a
	 * node. Or what says it of a node that is looked at, where it takes time to know.
	 */
	const uint16_t *linked;
	uint16_t (*linked_f)(uint32_t node);
	const struct lw_domains *domains; /* NULL, or which nodes are near each other */
	const struct lw_grades *grades;	  /* NULL, or the nodes by weight */
	const struct lw_fragment *fragment; /* NULL, or what makes GPUs useless to others */
	/* NULL, or how the GPUs of nodes come free, and how the job stays: where it costs the
	 * least until it ends, not only now (planner/place/release_dist.h) */
	const struct lw_release_dists *release_dists;
	uint64_t survival;            /* 0: not known */
	struct lw_fit fit;	      /* for planner/place/fit.h; all NULL: the request is all */
	lw_choose_f choose;           /* NULL, or who chooses nodes instead, for comparison */
};

/* Scratch memory of one caller; not shared between threads. */
struct lw_placer;

int lw_placer_create(uint32_t node_count, struct lw_placer **ret_placer);
void lw_placer_destroy(struct lw_placer *placer);
/* Make it ready for rooms with so many domains; it ignores those of others. -ENOMEM. */
int lw_placer_reserve(struct lw_placer *placer, uint32_t domain_count);

/*
 * Choose nodes and amounts for REQ: among nodes that serve, those with the fewest free
 * GPUs of the type wanted, then the fewest free CPUs, then the lowest index (best fit:
 * broken nodes fill up before whole ones break; a job without GPUs takes nodes that have none
 * first, then those with the fewest free ones).
 *
 * With totals, the fewest nodes that reach them, at least nodes_min; two totals at
 * once are met greedily, GPUs first, which can take a node more than needed or miss a
 * fit that exists. Without totals, as many nodes up to nodes_max as there are, for a
 * range of nodes means "the more the better". GPUs of LW_GPU_ANY all come from one
 * type, the one that needs the fewest nodes.
 *
 * With a fragment measure, a job of one node gets that on which it makes the fewest free GPUs
 * useless to the sizes that come, as far as a few nodes for each number of free GPUs tell; and
 * of types that need equally few nodes, that which is asked for by name the least. With drains
 * that counts for as long as the job is expected to stay beside those that run there. If it has
 * to break a whole node, one of the domain with the fewest.
 *
 * With grades, nodes of the lowest grades that hold the job are all there is to choose from, and
 * of several nodes those of lower grades are taken first; but a range of nodes is not cut short
 * for it. All else that is said here comes after that.
 *
 * With domains, a job of several nodes gets as many as it would without, but those of the
 * lowest domain that holds it, the tightest of these, and of few domains below that; only
 * among these nodes is it best fit. Strict domains forbid some placements: then nodes_max is
 * not made use of.
 *
 * With islands, a job goes to nodes where one island holds the GPUs that it gets there: of one
 * node before all that is said of it above but the grades, of several, with so many on
 * each, where that takes no more nodes and no larger domain, nor more domains.
 *
 * *ret_allocs, in node order, belongs to PLACER and lasts until its next call.
 * Returns 0, or -ENOSPC when REQ does not fit.
 */
int lw_place(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	     const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/* Higher than any domain: together in none. */
#define LW_NO_HEIGHT UINT32_MAX

/* The height of the smallest domain that holds all of ALLOCS[COUNT], at least one. */
uint32_t lw_place_height(const struct lw_domains *domains, const struct lw_alloc *allocs,
			 uint32_t count);

/*
 * The most one node could give REQ out of FREE (TOTAL: its size, for exclusive
 * jobs) with GPUs of TYPE (LW_GPU_ANY: no GPUs wanted): true and *ret_res if the
 * per-node amounts are there.
 */
bool lw_place_on_node(const struct lw_res *free, const struct lw_res *total,
		      const struct lw_request *req, int type, struct lw_res *ret_res);

/* The least that a node must have free to serve REQ with GPUs of TYPE (LW_GPU_ANY: none). */
void lw_place_floor(const struct lw_request *req, int type, struct lw_res *ret_res);

#endif
