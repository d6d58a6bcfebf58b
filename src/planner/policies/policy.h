/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planner: a snapshot in, a plan out. */
#ifndef LW_PLANNER_POLICY_H
#define LW_PLANNER_POLICY_H

#include "base/log.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

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
	LW_POLICY_CONSERVATIVE, /* a reservation for every job */
};

/* Who comes first in the queue (planner/order/order.h has the formulas). */
enum lw_order {
	LW_ORDER_GIVEN, /* as the snapshot has it: by the priority that Slurm gives */
	LW_ORDER_FCFS,
	LW_ORDER_SJF,
	LW_ORDER_WFP3,
	LW_ORDER_UNICEP,
	LW_ORDER_F1,
};

/* Which of the jobs behind a reservation is tried first: easy, relaxed, adaptive. */
enum lw_backfill_order {
	LW_BACKFILL_PRIORITY, /* in the order of the queue */
	LW_BACKFILL_SHORTEST, /* by expected run time */
};

/* What is particular to leeway; doc/dev/planner.md says why each has its default. */
struct lw_leeway_params {
	double slack;	     /* how far a promise may slip, as a share of the promised wait */
	int64_t slack_cap_s; /* and at most this */
	double backlog; /* queued width, in machines, from which on that cap is whole */
	double ageing;	/* how much waiting counts against a short expected run; 0: nothing */
	double width;	/* exponent of the mild bonus for wide jobs; 0: none */
	double yield;	/* the longer gives way to the shorter without room yet; 0: it does not */
	bool scout;	/* the first of several alike goes by lw_waiting.rank_s; else as expected */
	double price;	/* of risking a promise, against the work done meanwhile; 0: no risk */
	double risk;	/* bound of the expected lateness, as a share of the promised wait */
	int64_t risk_cap_s; /* hard bound of what a risk may add to the slip; <= LW_TAIL_S */
	bool hold; /* a promised job that has room may be passed by shorter ones meanwhile */
};

struct lw_policy_params {
	enum lw_policy_kind kind;
	enum lw_order order;
	enum lw_backfill_order backfill_order;
	double relax;	     /* relaxed, adaptive: slip as a share of the promised wait, 0 .. 2 */
	int64_t relax_cap_s; /* hard cap of that slip */
	/* a published rule, for comparison only: a start that does not end before a reservation
	 * begins gets none of its nodes, even if there is room to spare (a pool of processors is
	 * one node) */
	bool time_only;
	bool stock_placement; /* nodes as a model of Slurm's own choice has them, for comparison */
	bool place_for_now; /* as the select plugin does, which knows not how long jobs stay */
	/* how long a gang may wait for a nearer domain (planner/cycle/gang.h) */
	int64_t gang_wait_s;
	struct lw_leeway_params leeway;
	bool terse; /* leave the jobs that only wait out of the plan */
};

struct lw_policy;

/* Plain EASY, beside the numbers that the other policies have unless told otherwise. */
void lw_policy_params_default(struct lw_policy_params *params);

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
int lw_policy_outlook(struct lw_policy *policy, struct lw_plan *ret_plan);

/* "fcfs", "easy", "relaxed", "adaptive", "leeway", "conservative"; never NULL. */
const char *lw_policy_kind_name(enum lw_policy_kind kind);
/* The kind of that name, or -EINVAL. */
int lw_policy_kind_parse(const char *name);

/* "given", "fcfs", "sjf", "wfp3", "unicep", "f1"; never NULL. */
const char *lw_order_name(enum lw_order order);
/* The order of that name, or -EINVAL. */
int lw_order_parse(const char *name);

/* "priority", "shortest"; never NULL. */
const char *lw_backfill_order_name(enum lw_backfill_order order);
/* The order of that name, or -EINVAL. */
int lw_backfill_order_parse(const char *name);

#endif
