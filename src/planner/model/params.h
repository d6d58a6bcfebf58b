/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a planner is told of how to plan: the policy, the order, their numbers. */
#ifndef LW_PLANNER_PARAMS_H
#define LW_PLANNER_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The policies by number: planner/model/policies.def has them. Nobody but a policy's own file
 * asks which one it is; what others want to know of it is a trait.
 */
enum lw_policy_kind {
#define LW_POLICY(id, name, traits, help) LW_POLICY_##id,
#include "planner/model/policies.def"
	LW_POLICY_COUNT
};

/* What can be asked of a policy: bits. */
enum lw_trait {
	LW_IN_ORDER = 1 << 0,	    /* nothing passes a job that waits for room */
	LW_FILLS = 1 << 1,	    /* backfill_order says whom it fills in behind reservations */
	LW_GANGS = 1 << 2,	    /* gangs may wait for a nearer domain */
	LW_SLIPS = 1 << 3,	    /* promised starts may slip, by a bound */
	LW_SLIPS_BY_QUEUE = 1 << 4, /* and by the less the fewer wait */
	LW_DEADLINES = 1 << 5,	    /* a promise is a deadline: its slack is that of leeway */
	LW_PREDICTS = 1 << 6,	    /* who starts depends on how long jobs are expected to run */
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
	LW_NEEDS_JOBS = 1 << 0,     /* of each job, and not only what those of a class share */
	LW_NEEDS_EXPECT = 1 << 1,   /* how long jobs are expected to run */
	LW_NEEDS_ATTAINED = 1 << 2, /* how long the last runs of the job's user were */
	LW_NEEDS_SURVIVAL = 1 << 3, /* how jobs stay, also of those without GPUs */
	LW_NEEDS_WEIGHT = 1 << 4,   /* how much a job's time counts against that of others */
};

static inline bool lw_order_is_given(enum lw_order order)
{
	return order == LW_ORDER_GIVEN;
}

/* What a job's time to finish by is worth, in front of any order. */
enum lw_deadlines {
	LW_DEADLINES_OFF,   /* nothing */
	LW_DEADLINES_ORDER, /* who is expected to make it goes first, who is not goes last */
	LW_DEADLINES_GUARD, /* and room is kept, by hard limits, for those that are accepted */
	LW_DEADLINES_COUNT,
};

/* Which GPUs a job gets that may have several types of them. */
enum lw_types {
	LW_TYPES_ANY,    /* those that are free */
	LW_TYPES_FINISH, /* those on which it is expected to end first, and it may wait for them */
	LW_TYPES_FAIR,   /* and each user's share of the fast ones follows that of the machine */
	LW_TYPES_COUNT,
};

/* Which of the jobs behind a reservation is tried first, under policies with LW_FILLS. */
enum lw_backfill_order {
	LW_BACKFILL_PRIORITY, /* in the order of the queue */
	LW_BACKFILL_SHORTEST, /* by expected run time */
};

/* leeway's patience where nobody says otherwise; a snapshot that does not name it has none. */
#define LW_PATIENCE 0.5

/* What is particular to leeway; doc/dev/planner.md says why each has its default. */
struct lw_leeway_params {
	double slack;	     /* how far a promise may slip, as a share of the promised wait */
	int64_t slack_cap_s; /* and at most this */
	double backlog; /* queued width, in machines, from which on that cap is whole */
	double ageing;	/* how much waiting counts against a short expected run; 0: nothing */
	double width;	/* exponent of the mild bonus for wide jobs; 0: none */
	double yield;   /* the longer yields to the shorter without room yet; 0: it does not */
	bool scout;	/* the first of several alike goes by its rank_s; else as expected */
	double price;	/* of risking a promise, against the work done meanwhile; 0: no risk */
	double risk;	/* bound of the expected lateness, as a share of the promised wait */
	int64_t risk_cap_s; /* hard bound of what a risk may add to the slip; <= LW_TAIL_S */
	bool hold; /* a promised job that has room may be passed by shorter ones meanwhile */
	/* a job heads its nodes, and is promised a start, once it has waited for so long, as a
	 * share of its limit (policies/patience.h); 0: at once */
	double patience;
};

struct lw_outside;

/* How far apart ends are alike where energy counts and nobody says otherwise. */
#define LW_ENERGY_SLACK 0.05

struct lw_policy_params {
	enum lw_policy_kind kind;
	enum lw_order order;
	/* in any order but the one given, who has waited for so long goes first, and no later
	 * submission is before it any more; 0: nobody does */
	int64_t order_age_s;
	/* there, too, who was promised a start stays before all who were not */
	bool keep_promises;
	enum lw_deadlines deadlines;
	enum lw_types types;
	bool energy;         /* of types on which a job ends alike the one that draws less */
	double energy_slack; /* ends are alike that are so much of the run time apart */
	/* las2d: from what use on, as time of one GPU, a job is in the second queue */
	int64_t las_threshold_s;
	enum lw_backfill_order backfill_order;
	double relax;	     /* relaxed, adaptive: slip as a share of the promised wait, 0 .. 2 */
	int64_t relax_cap_s; /* hard cap of that slip */
	const struct lw_outside *outside; /* what a simulator plugs in, borrowed; NULL: nothing */
	/* how long a gang may wait for a nearer domain (planner/cycle/gang.h) */
	int64_t gang_wait_s;
	/* what links of chains of one user may take over at a time, as a share of the machine */
	double chain_share;
	double chain_total; /* and those of all users */
	int64_t chain_min_s; /* links with a limit below that take nothing over */
	struct lw_leeway_params leeway;
	bool terse; /* leave the jobs that only wait out of the plan */
};

/* Does the queue stay as the snapshot has it? */
static inline bool lw_queue_is_given(const struct lw_policy_params *params)
{
	return lw_order_is_given(params->order) && params->deadlines == LW_DEADLINES_OFF;
}

/* Plain EASY, beside the numbers that the other policies have unless told otherwise. */
void lw_policy_params_default(struct lw_policy_params *params);

/* Does the policy have one of TRAITS? */
bool lw_policy_has(enum lw_policy_kind kind, unsigned traits);

/* "fcfs", "easy" and so on, or "unknown"; never NULL. */
const char *lw_policy_kind_name(enum lw_policy_kind kind);
/* The kind of that name, or -EINVAL. */
int lw_policy_kind_parse(const char *name);

/* All of them, parted by blanks. */
const char *lw_policy_names(void);
const char *lw_order_names(void);

/* Does the order need one of NEEDS? */
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
