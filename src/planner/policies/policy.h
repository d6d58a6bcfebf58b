/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planner: a snapshot in, a plan out. */
#ifndef LW_PLANNER_POLICY_H
#define LW_PLANNER_POLICY_H

#include "base/log.h"
#include "planner/cycle/lease.h"
#include "planner/model/gate.h"
#include "planner/model/params.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"
#include "planner/order/lost.h"

/*
 * The interface between a policy and its caller: create, cycle, destroy. A policy uses no clock,
 * file, global or random source: the same snapshot always gives the same plan.
 */

struct lw_policy;

/* PARAMS is copied, LOG (may be NULL) borrowed until destroy. 0 or -ENOMEM. */
int lw_policy_create(const struct lw_policy_params *params, const struct lw_log *log,
		     struct lw_policy **ret_policy);
void lw_policy_destroy(struct lw_policy *policy);

/*
 * From now on, call GO_ON_F at every job: may the cycle go on? BYTES is the memory that snapshot
 * and plan hold. The planner itself has no clock. NULL: no bound.
 */
void lw_policy_bind(struct lw_policy *policy, bool (*go_on_f)(void *arg, uint64_t bytes),
		    void *arg);

/*
 * Before lw_policy_cycle(), once a cycle: set in SNAP what its jobs have lost to later ones, if
 * the policy bounds that (planner/order/lost.h). -ENOMEM.
 */
int lw_policy_note_lost(const struct lw_policy *policy, struct lw_lost *lost,
			struct lw_snapshot *snap);

/*
 * Plan the whole queue of SNAP into PLAN (initialised; emptied first). A start is planned only
 * on resources that are free in SNAP and in the plan so far.
 *
 * The promise. The first job in the queue that does not fit gets a reservation at its shadow
 * time: the earliest time at which, by the running jobs' hard limits, it fits (Lifka, "The
 * ANL/IBM SP scheduling system", JSSPP 1995). The first such start of a job is its promise and
 * does not move afterwards; that of an array is the promise of its first pending task. A later
 * job gets a reservation of its own if no job ahead of it waits for room on any of its nodes
 * (under conservative every job gets one). Other jobs start only if they use nothing that the
 * reservation needs, or end by its shadow time. If promises may slip, they may end by promise +
 * slack when that is later.
 *
 * The slack is a share of (promise - submit), under a hard cap, counted from the first promise
 * and never again (Ward, Mahood, West, "Scheduling jobs on parallel systems using a relaxed
 * backfill strategy", JSSPP 2002). Under leeway it also depends on the load, and a priced risk
 * may add risk_cap_s. As long as jobs end by their limits, no node fails and no job is put ahead
 * of it, a job starts by promise + slack + risk_cap_s, the latest_s of its reservation
 * (doc/dev/planner.md).
 *
 * Returns 0, or, with PLAN empty, -ENOMEM, or -ECANCELED if the cycle had to stop.
 */
int lw_policy_cycle(struct lw_policy *policy, const struct lw_snapshot *snap,
		    struct lw_plan *plan);

/*
 * After lw_policy_cycle(), with its SNAP and PLAN unchanged: estimate when the first jobs that
 * PLAN leaves waiting for room might start, as reservations in RET_PLAN (initialised; emptied
 * first). It is for users: by hard limits, as if no job were submitted. It promises nothing. It
 * is empty under conservative, because its plan has all starts. The number of jobs is bounded,
 * so that it takes only a moment. 0 or -ENOMEM.
 */
int lw_policy_estimate(struct lw_policy *policy, struct lw_plan *ret_plan);

/*
 * After lw_policy_cycle(), with its SNAP and PLAN unchanged: which jobs are to be stopped for
 * which others (lw_lease_plan()); none under conservative. -ENOMEM.
 */
int lw_policy_lease(struct lw_policy *policy, const struct lw_lease_rules *rules,
		    const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		    uint32_t count, struct lw_leases *leases);

/*
 * After lw_policy_cycle(), while its SNAP and PLAN still stand, and before lw_policy_estimate():
 * what the plan keeps from starts that it did not make, to GATE (all zero before its first use).
 * Nodes behind the first PLACES are licences. 0, or -ENOMEM, and GATE lets everything through.
 */
int lw_policy_gate(struct lw_policy *policy, uint32_t places, struct lw_gate *gate);

#endif
