/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how the GPUs of broken nodes come free, and what a job there costs until then. */
#ifndef LW_PLANNER_RELEASE_DIST_H
#define LW_PLANNER_RELEASE_DIST_H

#include "predictor/survival.h"
#include "planner/model/snapshot.h"

/*
 * A job that ends with its neighbours costs nothing more; a job that outlasts them keeps a node
 * broken. So the measure of planner/place/fragment.h is summed over the expected stay of the
 * job, with the probabilities of how many GPUs the other jobs have released by then. Their ends
 * are taken as independent; jobs still to come are left out. The idea of placing by lifetime is
 * from Ling et al., "LAVA: Lifetime-aware VM allocation with learned distributions and
 * adaptation to mispredictions", MLSys 2025.
 */

#define LW_DRAIN_GPUS 16 /* of a node that came free; more count as that */
#define LW_DRAIN_ONE  UINT32_C(65535)

/* The probabilities of how many of a node's GPUs have come free, by the points of survival.h. */
struct lw_release_dist {
	uint16_t odds[LW_SURVIVAL_POINTS][LW_DRAIN_GPUS + 1];
};

struct lw_release_dists {
	struct lw_release_dist *items; /* by node */
	uint32_t room;
};

void lw_release_dists_fini(struct lw_release_dists *release_dists);

/*
 * Begin anew with the running jobs of SNAP that have a survival function. Nodes with GPUs of
 * several types have no distribution. -ENOMEM. O(nodes + running).
 */
int lw_release_dists_begin(struct lw_release_dists *release_dists,
			   const struct lw_snapshot *snap);

/* Add a job with GPUS of NODE and its SURVIVAL; 0: it stays for ever. */
void lw_release_dists_add(struct lw_release_dists *release_dists, const struct lw_snapshot *snap,
			  uint32_t node, uint32_t gpus, uint64_t survival);

/*
 * The cost of a job that takes TAKE of HAVE free GPUs and stays by SURVIVAL. PLENTY[g] is the
 * measure of a node with g free GPUs (fragment.h). Unit: that of PLENTY times LW_SURVIVAL_UNIT_S
 * / LW_SURVIVAL_ONE.
 */
int64_t lw_release_dist_cost(const struct lw_release_dist *drain, const int64_t *plenty,
			     uint32_t have, uint32_t take, uint64_t survival);

/* Does the survival of running job INDEX matter: does it hold part of a node's GPUs? */
bool lw_release_dist_matters(const struct lw_snapshot *snap, uint32_t index);

#endif
