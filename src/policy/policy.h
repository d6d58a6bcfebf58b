/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planner: a snapshot in, a plan out. */
#ifndef LW_POLICY_POLICY_H
#define LW_POLICY_POLICY_H

#include "base/log.h"
#include "policy/plan.h"
#include "policy/snapshot.h"

/*
 * The seam between the policy and whoever drives it: create, cycle, destroy. No
 * clock, file, global or random source is used: the same snapshot always gives the
 * same plan.
 */

enum lw_policy_kind {
	LW_POLICY_FCFS,	   /* strictly in order: nothing passes a job that waits for room */
	LW_POLICY_EASY,	   /* aggressive backfilling: a reservation for the first that waits */
	LW_POLICY_RELAXED, /* EASY, but the promised start may slip by a fixed factor */
	LW_POLICY_ADAPTIVE, /* relaxed, by a factor that follows the length of the queue */
	LW_POLICY_LEEWAY,   /* our own: shortest first, with every promise as a deadline */
};

struct lw_policy_params {
	enum lw_policy_kind kind;
	double relax;	     /* slip as a share of the promised wait, 0 .. 2 */
	int64_t relax_cap_s; /* hard cap of the slip */
	bool terse;	     /* leave the jobs that only wait out of the plan */
};

struct lw_policy;

/* Plain EASY: what an empty configuration means. */
void lw_policy_params_default(struct lw_policy_params *params);

/* PARAMS is copied, LOG (may be NULL) borrowed until destroy. 0 or -ENOMEM. */
int lw_policy_create(const struct lw_policy_params *params, const struct lw_log *log,
		     struct lw_policy **ret_policy);
void lw_policy_destroy(struct lw_policy *policy);

/*
 * Plan the whole queue of SNAP into PLAN (initialised; emptied first). A start is
 * planned only on resources that are free in SNAP and in the plan so far.
 *
 * The promise. The first job in the queue that has no room gets a reservation at its
 * shadow time: the earliest moment at which, by the running jobs' hard limits, there
 * will be room (Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995). The first
 * such start of a job is its promise and does not move afterwards; of an array it is
 * the first pending task's. A later job gets a reservation of its own if nobody before
 * it waits for room on any of its nodes. Others start only if they leave the
 * reservation alone or end by its shadow time; where promises may slip, by promise +
 * slack when that is later.
 *
 * The slack is relax * (promise - submit), at most relax_cap_s, counted from the
 * first promise and never again (Ward, Mahood, West, "Scheduling jobs on parallel
 * systems using a relaxed backfill strategy", JSSPP 2002).
 *
 * Returns 0, or -ENOMEM with PLAN empty.
 */
int lw_policy_cycle(struct lw_policy *policy, const struct lw_snapshot *snap,
		    struct lw_plan *plan);

/* "fcfs", "easy", "relaxed", "adaptive", "leeway"; never NULL. */
const char *lw_policy_kind_name(enum lw_policy_kind kind);
/* The kind of that name, or -EINVAL. */
int lw_policy_kind_parse(const char *name);

#endif
