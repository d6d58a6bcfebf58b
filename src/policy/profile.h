/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is free on every node at every time to come, by hard limits. */
#ifndef LW_POLICY_PROFILE_H
#define LW_POLICY_PROFILE_H

#include "policy/place/fit.h"

/*
 * Steps in time, each with what is taken or given back then on some nodes; between two steps
 * nothing changes. Node by node, since a sum over all says nothing of whether a job fits.
 *
 * Memory: two steps and two changes a node for each job in it. A search slides a window of
 * the job's length over the steps and counts by node the moments at which it does not serve:
 * O(nodes + changes). Where enough nodes serve throughout, it looks for the least that is
 * free on each and places the job, O(nodes + changes in the window), which only totals over
 * nodes and GPUs of any type can make fail.
 *
 * A lone node, such as a pool of processors, needs no changes: each step says what is free from
 * then on, a search looks at each step once, and taking costs O(steps taken from).
 */

struct lw_change {
	uint32_t node;
	struct lw_res res;
	uint32_t next; /* of the same step: index + 1, or 0 */
	bool given;    /* back, else taken */
};

struct lw_step {
	int64_t time_s;
	uint32_t first; /* change: index + 1, or 0 */
	struct lw_res free; /* on a lone node, from then on */
};

struct lw_profile {
	struct lw_step *steps; /* in order of time; the first is now */
	uint32_t step_count, step_room;
	struct lw_change *changes;
	uint32_t change_count, change_room;
	struct lw_res *base; /* by node: free before the first step */
	struct lw_res *at, *ahead, *least, *run; /* by node: scratch of a search */
	uint32_t *bad; /* by node: moments of the window at which it does not serve */
	uint32_t *seen; /* by node: the search's last look at it */
	uint32_t base_room, at_room, ahead_room, least_room, run_room, bad_room, seen_room;
	uint32_t node_count;
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
 * The earliest start, not before FROM_S, of REQ for DURATION_S on the candidates of ROOM,
 * whose free is ignored and whose gpu_types must be right. 0, or -ENOSPC: never.
 */
int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t from_s, int64_t duration_s,
		    struct lw_placer *placer, struct lw_profile_fit *ret_fit);

/* Take ALLOCS from START_S, which is not before the first step, to END_S. -ENOMEM. */
int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count);

#endif
