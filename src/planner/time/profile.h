/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is free on every node at every time to come, by hard limits. */
#ifndef LW_PLANNER_PROFILE_H
#define LW_PLANNER_PROFILE_H

#include "planner/place/fit.h"
#include "planner/time/earliest_free.h"

/*
 * Each node has a line of moments, from each of which on so much is free on it until the next.
 * Node by node, since a sum over all says nothing of whether a job fits.
 *
 * Memory: at most two moments for each job on each of its nodes. A search asks of each node
 * for the first start at which it serves for the job's whole time, and looks no further than
 * to the earliest one at which as many others as it takes do: O(nodes + moments before that
 * start). They must do so together, so it is asked again of those that no longer serve
 * then. What a job may take of a node is the least that is free while it runs; the search
 * goes on where nodes that serve still do not hold it: with GPUs of any type, strict
 * domains or other needs. Of a job with totals it asks for the first start at which all nodes
 * that serve have these together (profile_sum.c). Taking costs O(moments of the node).
 *
 * A pool of processors is a single node with a long line.
 */

/*
 * In order of time; the first is now. Jobs may share a node (OverSubscribe, suspended ones), so
 * more may be taken of it than it has.
 */
struct lw_line {
	struct lw_moment *moments;
	struct lw_res *over; /* by moment: how much more is taken; NULL: never any */
	uint32_t count, room;
};

/* When a node, or one of a block of them (behind all nodes), gives another amount. */
struct lw_sum_event {
	int64_t time_s;
	uint32_t item;
};

/* What a node gives; with several types of GPU, of each as if it were that alone. */
struct lw_sum_give {
	bool serves;
	struct lw_res res;
};

#define LW_SUM_LEVELS 256

/* What nodes give together to a job that starts at some time. */
struct lw_sum {
	struct lw_sum_event *events; /* a heap, the first on top */
	struct lw_sum_give *gives;   /* by node */
	uint64_t cpus, gpus[LW_GPU_TYPES_MAX];
	uint32_t nodes, event_count;
	uint32_t by_level[LW_SUM_LEVELS]; /* nodes, by how much they give */
};

struct lw_profile {
	struct lw_line *lines; /* by node */
	uint32_t node_count, line_room;
	uint64_t bytes; /* that the moments take */
	struct lw_earliest_free earliest_free;
	/* scratch of a search, by node */
	int64_t *begin_s, *until_s; /* serves from any start between these two on */
	struct lw_res *least;
	struct lw_bitset good; /* those that serve */
	int64_t *starts_s; /* a heap: the first of as many nodes as it takes, the last on top */
	struct lw_sum sum;
};

/* All zero is an empty profile. */
void lw_profile_fini(struct lw_profile *profile);

/* Begin anew with the running jobs of SNAP; one past its end ends in a second. -ENOMEM. */
int lw_profile_begin(struct lw_profile *profile, const struct lw_snapshot *snap);

/* Where and when a job may be. */
struct lw_profile_fit {
	int64_t start_s;
	const struct lw_alloc *allocs; /* the placer's */
	uint32_t alloc_count;
};

/*
 * The earliest start, not before that of FIT, of REQ for DURATION_S on the candidates of ROOM,
 * whose free is ignored and whose gpu_types must be right. 0, and FIT is it; or -ENOSPC: never.
 */
int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t duration_s, struct lw_placer *placer,
		    struct lw_profile_fit *fit);

/* When JOB ends by its hard limit; in a second if that is past. */
int64_t lw_profile_end_of(const struct lw_snapshot *snap, const struct lw_running *job);

/*
 * Give back ALLOCS, taken from START_S, which is not before the first moment, to END_S: of what
 * is taken beyond a node's size nothing is free. -ENOMEM.
 */
int lw_profile_give(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count);

/* The first moment from START_S on at which not all of ALLOCS is free, or END_S. */
int64_t lw_profile_lasts(const struct lw_profile *profile, int64_t start_s, int64_t end_s,
			 const struct lw_alloc *allocs, uint32_t count);

/* What is free of each node all the time from START_S to END_S, to RET_FREE[node]. */
void lw_profile_least(const struct lw_profile *profile, int64_t start_s, int64_t end_s,
		      struct lw_res *ret_free);

/* Take ALLOCS for that time, free or not. -ENOMEM. */
int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count);

#endif
