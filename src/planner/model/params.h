/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the settings of a planner: the policy, the order, their numbers. */
#ifndef LW_PLANNER_PARAMS_H
#define LW_PLANNER_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The policies by number: planner/model/policies.def has them. Only a policy's own file asks
 * which policy it is; other code asks for traits.
 */
enum lw_policy_kind {
#define LW_POLICY(id, name, traits, help) LW_POLICY_##id,
#include "planner/model/policies.def"
	LW_POLICY_COUNT
};

/* Traits of policies: bits. */
enum lw_trait {
	LW_IN_ORDER = 1 << 0,	    /* no job passes a job that waits for room */
	LW_FILLS = 1 << 1,	    /* backfill_order sorts the jobs that are backfilled
				     * behind reservations */
	LW_GANGS = 1 << 2,	    /* gangs may wait for a nearer domain */
	LW_SLIPS = 1 << 3,	    /* promised starts may slip, within a bound */
	LW_SLIPS_BY_QUEUE = 1 << 4, /* that bound is smaller the shorter the queue */
	LW_DEADLINES = 1 << 5,	    /* a promise is a deadline with leeway's slack */
	LW_PREDICTS = 1 << 6,	    /* which jobs start depends on expected run times */
	LW_RESERVES_ALL = 1 << 7,   /* every job has a reservation */
};

/* The orders of the queue by number: planner/model/orders.def; given is the first. */
enum lw_order {
#define LW_ORDER(id, name, needs, help) LW_ORDER_##id,
#include "planner/model/orders.def"
	LW_ORDER_COUNT,
	LW_ORDER_OUTSIDE = LW_ORDER_COUNT, /* a simulator's own (planner/model/outside.h) */
};

/* What an order needs to know: bits. */
enum lw_order_need {
	LW_NEEDS_JOBS = 1 << 0,     /* fields of each job, not only fields that a class shares */
	LW_NEEDS_EXPECT = 1 << 1,   /* how long jobs are expected to run */
	LW_NEEDS_ATTAINED = 1 << 2, /* how long the last runs of the job's user were */
	LW_NEEDS_SURVIVAL = 1 << 3, /* survival functions, also of jobs without GPUs */
	LW_NEEDS_WEIGHT = 1 << 4,   /* weights of jobs */
};

static inline bool lw_order_is_given(enum lw_order order)
{
	return order == LW_ORDER_GIVEN;
}

/* The effect of a job's deadline; it comes before any order. */
enum lw_deadlines {
	LW_DEADLINES_OFF,   /* none */
	LW_DEADLINES_ORDER, /* jobs expected to meet it go first, jobs expected to miss it
			     * last */
	LW_DEADLINES_GUARD, /* and room is kept, by hard limits, for accepted jobs */
	LW_DEADLINES_COUNT,
};

/* Which GPUs a job gets if it may have several types. */
enum lw_types {
	LW_TYPES_ANY,    /* any that are free */
	LW_TYPES_FINISH, /* the type on which it is expected to end first; it may wait for
			  * that */
	LW_TYPES_FAIR,   /* the same, and each user's share of the fast types follows its
			  * share of the machine */
	LW_TYPES_COUNT,
};

/* Which of the jobs behind a reservation is tried first, under policies with LW_FILLS. */
enum lw_backfill_order {
	LW_BACKFILL_PRIORITY, /* in the order of the queue */
	LW_BACKFILL_SHORTEST, /* by expected run time */
};

/* leeway's patience by default; a snapshot that does not name it has none. */
#define LW_PATIENCE 0.5

/* Settings of leeway alone; doc/dev/planner.md gives the reason for each default. */
struct lw_leeway_params {
	double slack;	     /* how far a promise may slip, as a share of the promised wait */
	int64_t slack_cap_s; /* upper bound of that, in seconds */
	double backlog; /* queued width, in machines, from which on the full cap applies */
	double ageing;	/* weight of the wait against a short expected run; 0: none */
	double width;	/* exponent of the mild bonus for wide jobs; 0: none */
	double yield;   /* how readily a longer job yields to a shorter one without room; 0:
			 * never */
	bool scout;	/* the first of several like jobs is sorted by its rank_s; else by
			 * expected run time */
	double price;	/* of risking a promise, against the work done meanwhile; 0: no risk */
	double risk;	/* bound of the expected lateness, as a share of the promised wait */
	int64_t risk_cap_s; /* hard bound of the slip that a risk may add; <= LW_TAIL_S */
	bool hold; /* shorter jobs may pass a promised job that has room */
	/*
	 * a job heads its nodes, and is promised a start, after waiting this share of its time
	 * limit (policies/patience.h); 0: at once
	 */
	double patience;
};

struct lw_outside;

/* The default of energy_slack. */
#define LW_ENERGY_SLACK 0.05

struct lw_policy_params {
	enum lw_policy_kind kind;
	enum lw_order order;
	/*
	 * in any order but the given one, a job that has waited this long goes first and keeps
	 * that place; 0: never
	 */
	int64_t order_age_s;
	/* in these orders, promised jobs go before all others */
	bool keep_promises;
	enum lw_deadlines deadlines;
	enum lw_types types;
	bool energy;         /* of types with like ends, a job takes the one that draws less */
	double energy_slack; /* ends that differ by at most this share of the run time are
			      * alike */
	/* las2d: a job with more GPU time than this is in the second queue */
	int64_t las_threshold_s;
	enum lw_backfill_order backfill_order;
	double relax;	     /* relaxed, adaptive: slip as a share of the promised wait, 0 ..
			      * 2 */
	int64_t relax_cap_s; /* hard cap of that slip */
	const struct lw_outside *outside; /* plugged in by a simulator, borrowed; NULL:
					   * nothing */
	/* how long a gang may wait for a nearer domain (planner/cycle/gang.h) */
	int64_t gang_wait_s;
	/* how much one user's chain links may take over at a time, as a share of the machine */
	double chain_share;
	double chain_total; /* the same for all users together */
	int64_t chain_min_s; /* links with a time limit below this take over nothing */
	struct lw_leeway_params leeway;
	bool terse; /* leave jobs that only wait out of the plan */
};

/* Does the queue keep the order of the snapshot? */
static inline bool lw_queue_is_given(const struct lw_policy_params *params)
{
	return lw_order_is_given(params->order) && params->deadlines == LW_DEADLINES_OFF;
}

/* Plain EASY, and the defaults of the other policies' settings. */
void lw_policy_params_default(struct lw_policy_params *params);

/* Does the policy have any of TRAITS? */
bool lw_policy_has(enum lw_policy_kind kind, unsigned traits);

/* "fcfs", "easy" and so on, or "unknown"; never NULL. */
const char *lw_policy_kind_name(enum lw_policy_kind kind);
/* The kind of that name, or -EINVAL. */
int lw_policy_kind_parse(const char *name);

/* All of them, parted by blanks. */
const char *lw_policy_names(void);
const char *lw_order_names(void);

/* Does the order need any of NEEDS? */
bool lw_order_needs(enum lw_order order, unsigned needs);

/* "given", "fcfs" and so on, or "unknown"; never NULL. */
const char *lw_order_name(enum lw_order order);
/* The order of that name, or -EINVAL; never LW_ORDER_OUTSIDE. */
int lw_order_parse(const char *name);

/* "off", "order" and "guard", parted by blanks. */
const char *lw_deadlines_names(void);
/* One of them, or "unknown"; never NULL. */
const char *lw_deadlines_name(enum lw_deadlines deadlines);
/* What has that name, or -EINVAL. */
int lw_deadlines_parse(const char *name);

/* "any", "finish" and "fair", parted by blanks. */
const char *lw_types_names(void);
/* One of them, or "unknown"; never NULL. */
const char *lw_types_name(enum lw_types types);
/* What has that name, or -EINVAL. */
int lw_types_parse(const char *name);

/* "priority", "shortest"; never NULL. */
const char *lw_backfill_order_name(enum lw_backfill_order order);
/* The order of that name, or -EINVAL. */
int lw_backfill_order_parse(const char *name);

#endif
