/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which type of GPU each of many waiting jobs is expected to end first. */
#ifndef LW_PLANNER_TYPE_H
#define LW_PLANNER_TYPE_H

#include "planner/model/resource.h"
#include "planner/place/frugal.h"

#include <stdbool.h>

/*
 * Jobs that may have GPUs of several types are divided among the types all at once. Of each type
 * only the number of GPUs and the times at which they come free count, not the nodes. There are
 * two divisions. If short jobs come first, the division is used in which the weighted sum of the
 * ends is less:
 *
 *   1. The jobs in queue order, each on the type on which it ends first behind those before it.
 *   So a job may wait for faster GPUs (earliest completion, as Hare's order needs it: Chen et
 *   al., HPDC 2022).
 *   2. The jobs one by one, each on the type on which it adds the least to the sum: its own end,
 *   and the delay of the jobs behind it there. On each type the smallest time / weight goes
 *   first. Once all jobs have a type, this is done once more. With equal weights this is a
 *   greedy form of matching jobs to places from the end, which gives the least mean (Le et al.,
 *   "AlloX", EuroSys 2020). Then single jobs move to another type as long as that reduces the
 *   sum, up to a bound of steps.
 *
 * If energy counts, a job gets, of the types on which it ends alike, the one with the least
 * energy (planner/place/frugal.h), and no job is moved.
 *
 * FAIR begins with the first division. The account with the least of the machine for its share
 * goes first. What it has is counted in GPUs of the speed of the fastest type, as far as its
 * jobs use that speed (weighted max-min by progressive filling: Narayanan et al., "Gavel", OSDI
 * 2020, without moving any job). Then single jobs move to another type as in the second
 * division. In its sum a job costs extra that takes longer than it would with its account's
 * share of each type (finish-time fairness: Mahajan et al., "Themis", NSDI 2020). Jobs of
 * accounts that have less go first there, and only those of the account with the most end later
 * by their own move.
 */

/* With more jobs the second division is left out: its cost is quadratic in their number. */
#define LW_TYPE_MATCHED_MAX 500

struct lw_type_job {
	uint32_t time_s[LW_GPU_TYPES_MAX]; /* its run time there; 0: it cannot have that type */
	double weight;                     /* above 0 */
	uint32_t gpus;                     /* at least 1 */
	uint64_t account; /* the account that it counts for, */
	uint32_t account_share; /* and the share of that account, in any unit; 0: as 1 */
	uint32_t owner; /* the caller's */
	/* for planner/place/frugal.h: */
	bool knows_times;   /* time_s are of the types, not one mean for all */
	int64_t waited_s;   /* since its submission */
	int64_t limit_s;    /* of its run time */
	int64_t start_by_s; /* the latest start that meets its deadline by its limit; 0: no
			     * deadline */
	/* set under FAIR: */
	int64_t since_s; /* its submission */
	double span_s;   /* how long it would take with its account's share of each type; 0: that
			  * does not count */
	double has;      /* what its account's running jobs have, divided by its share */
	/* found: */
	int type; /* LW_GPU_ANY: there is none */
	int64_t start_s, done_s;
};

/* GPUS come free at at_s. */
struct lw_type_chunk {
	int64_t at_s;
	uint32_t gpus;
};

struct lw_type_pool {
	struct lw_type_chunk *chunks; /* a heap, the first on top */
	uint32_t count, room;
	uint64_t gpus; /* of all chunks */
	double mean_s; /* of the times, counted from now */
	/* in the second division: the jobs that may have it, in their order there */
	uint32_t *turns;
	uint32_t turn_count, turn_room;
};

/* What an account has of the machine, in GPUs of the speed of the fastest type. */
struct lw_type_account {
	uint64_t account;
	double has, held; /* with what is given to waiting jobs, and without */
	uint64_t gpus;    /* all that it has, and its waiting jobs ask for, */
	uint32_t share;   /* and its share; 0: not known */
};

/* All zero: empty. The memory is used again. */
struct lw_types_plan {
	struct lw_type_pool pools[LW_GPU_TYPES_MAX], scratch[LW_GPU_TYPES_MAX];
	struct lw_type_job *jobs; /* in order of the queue */
	uint32_t job_count, job_room;
	struct lw_type_account *accounts;
	/* FAIR only: what a job costs that takes as long as its share allows; the most of job.has
	 */
	double late_s, most_has;
	uint32_t account_count, account_room;
	uint32_t *order;
	struct lw_type_job *tried;
	uint32_t order_room, tried_room;
	struct lw_frugal frugal;
};

void lw_types_fini(struct lw_types_plan *plan);
/* Forget jobs, accounts and GPUs. */
void lw_types_clear(struct lw_types_plan *plan);
/* GPUS GPUs of TYPE come free at AT_S. -ENOMEM. */
int lw_types_add_gpus(struct lw_types_plan *plan, int type, int64_t at_s, uint32_t gpus);
/* A running job of ACCOUNT holds GPUS GPUs of TYPE. -ENOMEM. */
int lw_types_add_use(struct lw_types_plan *plan, uint64_t account, int type, uint32_t gpus);
/* Add the next job of the queue. -ENOMEM. */
int lw_types_add_job(struct lw_types_plan *plan, const struct lw_type_job *job);

enum lw_divide {
	LW_DIVIDE_IN_ORDER, /* the first division alone */
	LW_DIVIDE_BY_SUM,   /* the better of both */
	LW_DIVIDE_FAIR,
};

/* Divide the jobs. -ENOMEM. */
int lw_types_divide(struct lw_types_plan *plan, int64_t now_s, enum lw_divide divide);

#endif
