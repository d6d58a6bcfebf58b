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
 * The planner, the simulator and the select plugin use the same placement, so that jobs run
 * where they were planned.
 */

/* A job with constraints, and what lw_fit() needs to know of it; borrowed. */
struct lw_fit {
	const struct lw_waiting *job;
	const struct lw_snapshot *snap;
	const struct lw_bitset *usable; /* by set of SNAP: its nodes that are up */
	struct lw_fit_scratch *scratch;
	int64_t earliest_s; /* its earliest start */
};

/* The nodes to choose from. All arrays are by node and borrowed. */
struct lw_room {
	const struct lw_res *free;
	const struct lw_res *total;	    /* an exclusive job needs free == total */
	const struct lw_bitset *candidates; /* nodes that may be used at all */
	/*
	 * NULL, or the limits of a job that outlives the reservations: of a node with
	 * guarded[holder[node]] set it gets at most spare[node], whatever is free now.
	 */
	const struct lw_res *spare;
	const uint32_t *holder; /* a number of the reservation; 0: none, which guards nothing */
	const uint8_t *guarded; /* by that number */
	/*
	 * NULL, or, where FREE is of a later time, what is free now. Nodes that would serve now
	 * are taken last: until then other jobs can use them without a bound.
	 */
	const struct lw_res *now;
	const struct lw_index *index; /* NULL, or the nodes in order of FREE, to look at fewer
				       * of them */
	uint32_t gpu_types;	      /* GPU types in use; 0: not known */
	uint32_t type_mask; /* bits: the types that a job of any type may have; 0: all */
	/*
	 * NULL, or by node lw_node.linked: a job goes to nodes on which one island holds its
	 * GPUs. linked_f gives it for a single node, where it takes time to know.
	 */
	const uint16_t *linked;
	uint16_t (*linked_f)(uint32_t node);
	const struct lw_domains *domains; /* NULL, or which nodes are near each other */
	const struct lw_grades *grades;	  /* NULL, or the nodes by weight */
	const struct lw_fragment *fragment; /* NULL, or the measure of useless GPUs */
	/*
	 * NULL, or how the GPUs of nodes come free: the cost of a place is then taken until the
	 * job ends, not only now (planner/place/release_dist.h)
	 */
	const struct lw_release_dists *release_dists;
	uint64_t survival;            /* of the job; 0: not known */
	struct lw_fit fit;	      /* for planner/place/fit.h; all NULL: the request is all
				       * there is */
	lw_choose_f choose;           /* NULL, or another choice of nodes, for comparison */
};

/* Scratch memory of one caller; not shared between threads. */
struct lw_placer;

int lw_placer_create(uint32_t node_count, struct lw_placer **ret_placer);
void lw_placer_destroy(struct lw_placer *placer);
/*
 * Make it ready for rooms with DOMAIN_COUNT domains; it ignores domains of other rooms. -ENOMEM.
 */
int lw_placer_reserve(struct lw_placer *placer, uint32_t domain_count);

/*
 * Choose nodes and amounts for REQ: of the nodes that serve, those with the fewest free GPUs of
 * the type, then the fewest free CPUs, then the lowest index. This is best fit: broken nodes
 * fill up before whole nodes break. A job without GPUs takes nodes without GPUs first, then
 * those with the fewest free GPUs.
 *
 * With totals: the fewest nodes that reach them, at least nodes_min. Two totals at once are met
 * greedily, GPUs first; this can take a node more than necessary or miss a fit that exists.
 * Without totals: as many nodes up to nodes_max as there are, since a range of nodes asks for as
 * many as possible. GPUs of LW_GPU_ANY all come from one type, the one that needs the fewest
 * nodes.
 *
 * With a fragment measure: a job of one node gets the node on which it makes the fewest free
 * GPUs useless to the sizes of the mix; a few nodes for each number of free GPUs are looked at.
 * Of types that need equally few nodes, it gets the one that the fewest jobs ask for by name.
 * With release_dists the measure is taken over the expected stay of the job, beside the jobs
 * that run there. If it has to break a whole node, it takes one of the domain with the fewest
 * whole nodes.
 *
 * With grades: only nodes of the lowest grades that hold the job are candidates. Of several
 * nodes, those of lower grades are taken first; but a range of nodes is not cut short for it.
 * All other rules come after this one.
 *
 * With domains: a job of several nodes gets as many nodes as without. They are in the lowest
 * domain that holds it, the tightest of these, and in few domains below that; best fit applies
 * only among these nodes. Strict domains forbid some placements; nodes_max is then not used.
 *
 * With islands: a job of one node goes to a node on which one island holds its GPUs; only grades
 * come before this rule. A job of several nodes does so on each node, if that takes no more
 * nodes, no larger domain and no more domains.
 *
 * *ret_allocs, in node order, belongs to PLACER and is valid until its next call. Returns 0, or
 * -ENOSPC if REQ does not fit.
 */
int lw_place(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	     const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/* Higher than any domain: no domain holds all. */
#define LW_NO_HEIGHT UINT32_MAX

/* The height of the smallest domain that holds all of ALLOCS[COUNT], at least one. */
uint32_t lw_place_height(const struct lw_domains *domains, const struct lw_alloc *allocs,
			 uint32_t count);

/*
 * The most that one node could give REQ out of FREE with GPUs of TYPE (LW_GPU_ANY: no GPUs
 * wanted). TOTAL is its size, for exclusive jobs. True and *ret_res if the per-node amounts are
 * there.
 */
bool lw_place_on_node(const struct lw_res *free, const struct lw_res *total,
		      const struct lw_request *req, int type, struct lw_res *ret_res);

/* The least that a node must have free to serve REQ with GPUs of TYPE (LW_GPU_ANY: none). */
void lw_place_floor(const struct lw_request *req, int type, struct lw_res *ret_res);

#endif
