/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the free amounts of each node over time, by hard limits. */
#ifndef LW_PLANNER_PROFILE_H
#define LW_PLANNER_PROFILE_H

#include "planner/place/fit.h"
#include "planner/time/earliest_free.h"
#include "planner/time/kinds.h"

/*
 * The profile has a line of moments for each kind of nodes (planner/time/kinds.h): the nodes that
 * have the same free at all times. A moment says how much is free from its time until the next
 * moment. A sum over all nodes would not tell whether a job fits.
 *
 * Memory: at most two moments for each job on each kind that it takes nodes of. Taking or giving
 * back costs O(nodes of the job + moments of its kinds).
 *
 * How a search finds the earliest start:
 *
 * - For each kind it finds the first time from which on a node serves for the whole duration.
 *   It stops looking at the time by which enough nodes serve: O(kinds + moments before that
 *   start), where all nodes may be used.
 * - All chosen nodes must serve over the same interval. Kinds that no longer serve at that start
 *   are searched again.
 * - A job may take of a node the least amount that is free while it runs. If the serving nodes
 *   do not hold the job (GPUs of any type, strict domains, co-allocations), the search goes on.
 * - For a job with totals it finds the first start at which all serving nodes together have
 *   these (profile_sum.c).
 *
 * Where all that counts is the same on nodes of a kind, only as many of them are candidates as
 * the job may have nodes.
 *
 * A pool of processors is a single node with a long line.
 */

/*
 * Moments in order of time; the first is now. Jobs may share a node (OverSubscribe, suspended
 * jobs), so more may be taken than the node has.
 */
struct lw_line {
	struct lw_moment *moments;
	struct lw_res *over; /* by moment: amount taken beyond the size of the node; NULL:
			      * never any */
	uint32_t count, room;
};

/*
 * The time at which the nodes of a kind, or of one of a block of kinds (numbered after all
 * nodes), give another amount.
 */
struct lw_sum_event {
	int64_t time_s;
	uint32_t item;
};

/*
 * What each node of a kind gives, and how many of them may be used, if they serve. With several
 * GPU types, each type is counted as if it were the only one.
 */
struct lw_sum_give {
	uint32_t nodes;
	struct lw_res res;
};

#define LW_SUM_LEVELS 256

/* What all nodes together give to a job, by start time. */
struct lw_sum {
	struct lw_sum_event *events; /* a heap, the first on top */
	struct lw_sum_give *gives;   /* by kind */
	uint64_t cpus, gpus[LW_GPU_TYPES_MAX];
	uint32_t nodes, event_count;
	uint32_t by_level[LW_SUM_LEVELS]; /* nodes, by how much they give */
};

/* So many nodes serve from then on. */
struct lw_starts {
	int64_t start_s;
	uint32_t nodes;
};

struct lw_profile {
	struct lw_kinds kinds;
	struct lw_line *lines; /* by kind */
	uint32_t node_count, line_room;
	uint64_t bytes; /* memory of the moments */
	struct lw_earliest_free earliest_free; /* by kind */
	/* scratch of a search, which the first one makes room for; by kind */
	bool sized;
	int64_t *begin_s, *until_s; /* its nodes serve for any start in this interval */
	struct lw_res *least;
	struct lw_starts *starts; /* a heap, the last on top: the first starts of as many nodes
				   * as are wanted */
	struct lw_sum sum;
	/* and by node */
	struct lw_bitset good; /* nodes that serve */
	struct lw_res *least_of;
};

/* All zero is an empty profile. */
void lw_profile_fini(struct lw_profile *profile);

/* Begin anew with the running jobs of SNAP; a job past its end ends in a second. -ENOMEM. */
int lw_profile_begin(struct lw_profile *profile, const struct lw_snapshot *snap);

/* A start time and the nodes. */
struct lw_profile_fit {
	int64_t start_s;
	const struct lw_alloc *allocs; /* the placer's */
	uint32_t alloc_count;
};

/*
 * Find the earliest start of REQ for DURATION_S on the candidates of ROOM, not before FIT's
 * start_s. The free amounts of ROOM are ignored; its gpu_types must be right. 0 and *FIT, or
 * -ENOSPC: never, or -ENOMEM.
 */
int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t duration_s, struct lw_placer *placer,
		    struct lw_profile_fit *fit);

/* When JOB ends by its hard limit; a job past that ends in a second. */
int64_t lw_profile_end_of(const struct lw_snapshot *snap, const struct lw_running *job);

/*
 * Give back ALLOCS from START_S, not before the first moment, to END_S. Amounts taken beyond a
 * node's size do not become free. -ENOMEM.
 */
int lw_profile_give(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count);

/* The first moment from START_S on at which not all of ALLOCS is free, or END_S. */
int64_t lw_profile_lasts(const struct lw_profile *profile, int64_t start_s, int64_t end_s,
			 const struct lw_alloc *allocs, uint32_t count);

/* By node, the amounts that are free all the time from START_S to END_S, to RET_FREE. */
void lw_profile_least(const struct lw_profile *profile, int64_t start_s, int64_t end_s,
		      struct lw_res *ret_free);

/* What is free of NODE at TIME_S, which is not before the first moment. */
const struct lw_res *lw_profile_at(const struct lw_profile *profile, uint32_t node,
				   int64_t time_s);

/* Take ALLOCS from START_S to END_S, free or not. -ENOMEM. */
int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count);

#endif
