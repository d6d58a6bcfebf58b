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

/* When a number of params.def has an effect. */
enum lw_counts {
	LW_COUNTS_ALWAYS,
	LW_COUNTS_RELAXED,  /* promises slip, by a bound of their own */
	LW_COUNTS_LEEWAY,   /* promises are deadlines */
	LW_COUNTS_ORDERED,  /* another order than the given one */
	LW_COUNTS_ATTAINED, /* an order by attained service */
	LW_COUNTS_FILLS,    /* the policy fills in behind reservations */
	LW_COUNTS_GANGS,    /* gangs may wait */
	LW_COUNTS_TYPES,    /* types of GPUs are chosen */
	LW_COUNTS_ENERGY,   /* and energy decides between them */
	LW_COUNTS_CHAINS,   /* chains are planned, which the caller knows */
};

struct lw_outside;

/* How to plan: each member is a row of params.def, which has its default. */
struct lw_policy_params {
	enum lw_policy_kind kind;
#define LW_PARAM_MEMBER(type, member, usual) type member;
#include "planner/model/params.def"
	const struct lw_outside *outside; /* what a simulator plugs in, borrowed; NULL: nothing */
	bool terse; /* leave the jobs that only wait out of the plan */
};

/* Does the queue keep the order of the snapshot? */
static inline bool lw_queue_is_given(const struct lw_policy_params *params)
{
	return lw_order_is_given(params->order) && params->deadlines == LW_DEADLINES_OFF;
}

/* Plain EASY, and the defaults of the other policies' settings. */
void lw_policy_params_default(struct lw_policy_params *params);

/* Does a number that counts so have an effect beside the rest of PARAMS? */
bool lw_params_count(const struct lw_policy_params *params, enum lw_counts counts);
/* When it has one, to put behind its name: "counts under sched.policy leeway only". */
const char *lw_counts_when(enum lw_counts counts);

/* Does the policy have one of TRAITS? */
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

/* "any", "finish" and "fair", parted by blanks. */
const char *lw_types_names(void);
/* One of them, or "unknown"; never NULL. */
const char *lw_types_name(enum lw_types types);

/* "priority" and "shortest", parted by blanks. */
const char *lw_backfill_order_names(void);
/* One of them, or "unknown"; never NULL. */
const char *lw_backfill_order_name(enum lw_backfill_order order);

#endif
