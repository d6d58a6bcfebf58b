/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planner: a snapshot in, a plan out. */
#ifndef LW_PLANNER_POLICY_H
#define LW_PLANNER_POLICY_H

#include "base/log.h"
#include "planner/model/params.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

/*
 * The seam between the policy and whoever drives it: create, cycle, destroy. No
 * clock, file, global or random source is used: the same snapshot always gives the
 * same plan.
 */

struct lw_policy;

/* PARAMS is copied, LOG (may be NULL) borrowed until destroy. 0 or -ENOMEM. */
int lw_policy_create(const struct lw_policy_params *params, const struct lw_log *log,
		     struct lw_policy **ret_policy);
void lw_policy_destroy(struct lw_policy *policy);

/*
 * From now on ask GO_ON_F at every job whether the cycle may go on; BYTES is what snapshot and
 * plan hold by then. The planner itself knows no clock. NULL: a cycle costs what it costs.
 */
void lw_policy_bind(struct lw_policy *policy, bool (*go_on_f)(void *arg, uint64_t bytes),
		    void *arg);

/*
 * Plan the whole queue of SNAP into PLAN (initialised; emptied first). A start is
 * planned only on resources that are free in SNAP and in the plan so far.
 *
 * The promise. The first job in the queue that has no room gets a reservation at its
 * shadow time: the earliest moment at which, by the running jobs' hard limits, there
 * will be room (Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995). The first
 * such start of a job is its promise and does not move afterwards; of an array it is
 * the first pending task's. A later job gets a reservation of its own if nobody before
 * it waits for room on any of its nodes (under conservative every job gets one). Others
 * start only if they leave the reservation alone or end by its shadow time; where
 * promises may slip, by promise + slack when that is later.
 *
 * The slack is a share of (promise - submit), under a hard cap, counted from the first
 * promise and never again (Ward, Mahood, West, "Scheduling jobs on parallel systems
 * using a relaxed backfill strategy", JSSPP 2002). Under leeway it also follows the load,
 * and a priced risk may add risk_cap_s: as long as jobs end by their limits, no node
 * fails and nobody is put before it, a job starts by promise + slack + risk_cap_s, the
 * latest_s of its reservation (doc/dev/planner.md).
 *
 * Returns 0, or, with PLAN empty, -ENOMEM, or -ECANCELED when the cycle might not go on.
 */
int lw_policy_cycle(struct lw_policy *policy, const struct lw_snapshot *snap,
		    struct lw_plan *plan);

/*
 * After lw_policy_cycle(), while its SNAP and PLAN still stand: when the first of those might
 * start that PLAN has waiting for room, as reservations in RET_PLAN (initialised; emptied
 * first). It is for people to look at: by hard limits, as if nobody came; promises nothing, and
 * is empty under conservative, whose plan says it itself. So many jobs as a moment is enough
 * for. 0 or -ENOMEM.
 */
int lw_policy_estimate(struct lw_policy *policy, struct lw_plan *ret_plan);

#endif
