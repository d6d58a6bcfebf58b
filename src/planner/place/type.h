/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which type of GPU each of many waiting jobs is expected to end first. */
#ifndef LW_PLANNER_TYPE_H
#define LW_PLANNER_TYPE_H

#include "planner/model/resource.h"
#include "planner/place/frugal.h"

#include <stdbool.h>

/*
 * Jobs that may have GPUs of several types are divided among these as a whole: of each type only
 * how many GPUs there are, and when each comes free, is looked at, not on which nodes. There are
 * two divisions; where the shortest come first, that is taken with which the jobs end earlier, by
 * weighted sum:
 *
 *   1. the jobs in order of the queue, each on the type on which it ends first after those before
 *      it: it may wait for faster GPUs (earliest completion, as Hare's order needs it: Chen et
 * al., HPDC 2022);
 *   2. the jobs one after the other, each on the type where it adds the least to the sum, its own
 *      end and the delay of those behind it there, the smallest time by weight first on each
 *      type; and once more when all have a type. On equal weights this is a greedy form of the
 *      matching of jobs to places from the end, which gives the least mean (Le et al., "AlloX",
 *      EuroSys 2020). Then one job at a time is moved to another type, for as long as that makes
 *      the sum less, and up to a bound of steps.
 *
 * If energy counts, a job is given the type of those on which it ends alike on which it takes the
 * least (planner/place/frugal.h), and nobody is moved.
 *
 * If it is to be FAIR, the first alone, and in it the account goes first that has the least of the
 * machine, counted in GPUs of the speed of the fastest, as far as its jobs make use of that,
 * by what it is to have (weighted max-min by progressive filling: Narayanan et al., "Gavel", OSDI
 * 2020, without moving anybody).
 */

/* Beyond so many jobs the second division, which costs by their square, is left out. */
#define LW_TYPE_MATCHED_MAX 500

struct lw_type_job {
	uint32_t time_s[LW_GPU_TYPES_MAX]; /* it runs for; 0: it cannot have that type */
	double weight;                     /* above 0 */
	uint32_t gpus;                     /* at least 1 */
	uint64_t account; /* whose share it is of, */
	uint32_t account_share; /* and what that is to have, in any unit; 0: as 1 */
	uint32_t owner; /* the caller's */
	/* for planner/place/frugal.h: */
	bool knows_times;   /* time_s are not only a mean of all */
	int64_t waited_s;   /* since its submission */
	int64_t limit_s;    /* of its run time */
	int64_t start_by_s; /* by its limit it makes its deadline then; 0: it has none */
	/* found: */
	int type; /* LW_GPU_ANY: there is none */
	int64_t start_s, done_s;
};

/* So many GPUs are free from then on. */
struct lw_type_chunk {
	int64_t at_s;
	uint32_t gpus;
};

struct lw_type_pool {
	struct lw_type_chunk *chunks; /* a heap, the first on top */
	uint32_t count, room;
	uint64_t gpus; /* of all chunks */
	double mean_s; /* of the times, counted from now */
	/* in the second division: the jobs that can have it, in order of their turns there */
	uint32_t *turns;
	uint32_t turn_count, turn_room;
};

/* What an account has of the machine, in GPUs of the speed of the fastest. */
struct lw_type_account {
	uint64_t account;
	double has;
};

/* All zero: empty. The memory is used again. */
struct lw_types_plan {
	struct lw_type_pool pools[LW_GPU_TYPES_MAX], scratch[LW_GPU_TYPES_MAX];
	struct lw_type_job *jobs; /* in order of the queue */
	uint32_t job_count, job_room;
	struct lw_type_account *accounts;
	uint32_t account_count, account_room;
	uint32_t *order;
	struct lw_type_job *tried;
	uint32_t order_room, tried_room;
	struct lw_frugal frugal;
};

void lw_types_fini(struct lw_types_plan *plan);
/* Forget jobs, users and GPUs. */
void lw_types_clear(struct lw_types_plan *plan);
/* So many GPUs of TYPE come free then. -ENOMEM. */
int lw_types_add_gpus(struct lw_types_plan *plan, int type, int64_t at_s, uint32_t gpus);
/* A running job of ACCOUNT holds so many GPUs of TYPE. -ENOMEM. */
int lw_types_add_use(struct lw_types_plan *plan, uint64_t account, int type, uint32_t gpus);
/* The next job in the queue. -ENOMEM. */
int lw_types_add_job(struct lw_types_plan *plan, const struct lw_type_job *job);

enum lw_divide {
	LW_DIVIDE_IN_ORDER, /* the first division alone */
	LW_DIVIDE_BY_SUM,   /* the better of both */
	LW_DIVIDE_FAIR,
};

/* Divide the jobs. -ENOMEM. */
int lw_types_divide(struct lw_types_plan *plan, int64_t now_s, enum lw_divide divide);

#endif
