/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the division of jobs among GPU types (planner/place/type.h). */
#include "planner/place/type.h"

#include "unit/draw.h"
#include "unit/unit.h"

#define NOW_S    1000
#define JOBS_MAX 4

/* GPUs of two types: how many of each are free, and when one more is. 0: never. */
struct machine {
	uint32_t free[2];
	int64_t more_s[2];
};

static void make(struct lw_types_plan *plan, const struct machine *machine)
{
	for (int type = 0; type < 2; type++) {
		ck_assert_int_eq(lw_types_add_gpus(plan, type, NOW_S, machine->free[type]), 0);
		if (machine->more_s[type])
			ck_assert_int_eq(lw_types_add_gpus(plan, type, machine->more_s[type], 1),
					 0);
	}
}

/* Of accounts, by number. */
static const uint32_t shares[] = { 0, 1, 1, 2 };

/* Jobs as weight, GPUs, account, time on each type; and the type and end that they get. */
static const struct {
	const char *what;
	enum lw_divide divide;
	struct machine machine;
	struct {
		double weight;
		uint32_t gpus, account, time_s[2];
		int type;
		int64_t done_s;
	} jobs[JOBS_MAX];
} cases[] = {
	{ "the fast one, if both are free",
	  LW_DIVIDE_IN_ORDER,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 100, 300 }, 0, 1100 } } },
	{ "the fast one, though it is taken until then",
	  LW_DIVIDE_IN_ORDER,
	  { { 0, 1 }, { 1150, 0 } },
	  { { 1, 1, 0, { 100, 300 }, 0, 1250 } } },
	{ "the slow one, if that ends sooner",
	  LW_DIVIDE_IN_ORDER,
	  { { 0, 1 }, { 1250, 0 } },
	  { { 1, 1, 0, { 100, 300 }, 1, 1300 } } },
	{ "of equal ends the first type",
	  LW_DIVIDE_IN_ORDER,
	  { { 0, 1 }, { 1200, 0 } },
	  { { 1, 1, 0, { 100, 300 }, 0, 1300 } } },
	{ "not one that it cannot have",
	  LW_DIVIDE_IN_ORDER,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 0, 300 }, 1, 1300 } } },
	{ "none, if no type has as many",
	  LW_DIVIDE_BY_SUM,
	  { { 1, 1 }, { 0 } },
	  { { 1, 2, 0, { 100, 300 }, LW_GPU_ANY, INT64_MAX } } },
	{ "a gang when all are free",
	  LW_DIVIDE_IN_ORDER,
	  { { 1, 2 }, { 1500, 0 } },
	  { { 1, 2, 0, { 100, 700 }, 0, 1600 } } },
	{ "one behind the other",
	  LW_DIVIDE_IN_ORDER,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 100, 350 }, 0, 1100 },
	    { 1, 1, 0, { 100, 350 }, 0, 1200 },
	    { 1, 1, 0, { 100, 350 }, 0, 1300 },
	    { 1, 1, 0, { 100, 350 }, 1, 1350 } } },
	{ "in order the first takes what the second needs more",
	  LW_DIVIDE_IN_ORDER,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 600, 700 }, 0, 1600 }, { 1, 1, 0, { 500, 1500 }, 0, 2100 } } },
	{ "by the sum it does not",
	  LW_DIVIDE_BY_SUM,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 600, 700 }, 1, 1700 }, { 1, 1, 0, { 500, 1500 }, 0, 1500 } } },
	{ "behind who weighs more",
	  LW_DIVIDE_BY_SUM,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 200, 900 }, 0, 1700 }, { 9, 1, 0, { 500, 1500 }, 0, 1500 } } },
	{ "who has least of its share chooses first",
	  LW_DIVIDE_FAIR,
	  { { 3, 3 }, { 0 } },
	  { { 1, 1, 2, { 300, 500 }, 0, 1300 },
	    { 1, 1, 2, { 300, 500 }, 1, 1500 },
	    { 1, 1, 3, { 300, 500 }, 0, 1300 },
	    { 1, 1, 3, { 300, 500 }, 0, 1300 } } },
	{ "nobody's share is as small as one can be",
	  LW_DIVIDE_FAIR,
	  { { 3, 3 }, { 0 } },
	  { { 1, 1, 0, { 300, 500 }, 0, 1300 },
	    { 1, 1, 0, { 300, 500 }, 1, 1500 },
	    { 1, 1, 3, { 300, 500 }, 0, 1300 },
	    { 1, 1, 3, { 300, 500 }, 0, 1300 } } },
	{ "who has least chooses first",
	  LW_DIVIDE_FAIR,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 1, { 300, 500 }, 1, 1500 }, { 1, 1, 2, { 300, 500 }, 0, 1300 } } },
	{ "but leaves to others what they need more",
	  LW_DIVIDE_FAIR,
	  { { 1, 1 }, { 0 } },
	  { { 1, 1, 0, { 600, 700 }, 1, 1700 }, { 1, 1, 2, { 500, 1500 }, 0, 1500 } } },
};

TEST_EACH(jobs_get_types, LW_COUNT_OF(cases))
{
	struct lw_types_plan plan = { 0 };

	make(&plan, &cases[_i].machine);
	for (uint32_t i = 0; i < JOBS_MAX && cases[_i].jobs[i].gpus; i++) {
		struct lw_type_job job = { .weight = cases[_i].jobs[i].weight,
					   .gpus = cases[_i].jobs[i].gpus,
					   .account = cases[_i].jobs[i].account,
					   .account_share = shares[cases[_i].jobs[i].account] };

		job.time_s[0] = cases[_i].jobs[i].time_s[0];
		job.time_s[1] = cases[_i].jobs[i].time_s[1];
		ck_assert_int_eq(lw_types_add_job(&plan, &job), 0);
	}
	/* account 1 holds something already */
	ck_assert_int_eq(lw_types_add_use(&plan, 1, 1, 1), 0);
	ck_assert_int_eq(lw_types_divide(&plan, NOW_S, cases[_i].divide), 0);
	for (uint32_t i = 0; i < plan.job_count; i++) {
		ck_assert_msg(plan.jobs[i].type == cases[_i].jobs[i].type &&
				      plan.jobs[i].done_s == cases[_i].jobs[i].done_s,
			      "%s: job %u: type %d, done %ld", cases[_i].what, i,
			      plan.jobs[i].type, (long)plan.jobs[i].done_s);
	}
	lw_types_fini(&plan);
}

/* How long the long job has waited, and the type that the short one gets. */
static const struct {
	int64_t waited_s;
	int type;
} lates[] = {
	{ 0, 0 }, { 490, 0 }, { 510, 1 }, { 590, 1 }, { 610, 0 }, /* it is late either way */
};

/*
 * The short one on the slow GPU is 10 s worse for the sum, and the long one ends 100 s earlier.
 * With its share of both types that would run 1,600 s.
 */
TEST_EACH(fair_makes_no_job_late, LW_COUNT_OF(lates))
{
	static const struct machine machine = { { 1, 1 }, { 0 } };
	struct lw_types_plan plan = { 0 };
	struct lw_type_job small = { .weight = 1, .gpus = 1, .account = 1, .account_share = 1 };
	struct lw_type_job large = { .weight = 1, .gpus = 1, .account = 2, .account_share = 3 };

	small.time_s[0] = 100;
	small.time_s[1] = 210;
	large.time_s[0] = 1000;
	large.time_s[1] = 4000;
	large.waited_s = lates[_i].waited_s;
	make(&plan, &machine);
	ck_assert_int_eq(lw_types_add_job(&plan, &small), 0);
	ck_assert_int_eq(lw_types_add_job(&plan, &large), 0);
	ck_assert_int_eq(lw_types_divide(&plan, NOW_S, LW_DIVIDE_FAIR), 0);
	ck_assert_int_eq(plan.jobs[0].type, lates[_i].type);
	ck_assert_int_eq(plan.jobs[1].type, 0);
	lw_types_fini(&plan);
}

#define MANY 9

/* Single GPUs: when those of a type are free, and the jobs. */
struct puzzle {
	int64_t free_s[2][2];
	struct lw_type_job jobs[MANY];
};

/* The sum of the ends, of equal weights, if each type has its shortest first. */
static int64_t sum_of(const struct puzzle *puzzle, const int *types)
{
	int64_t sum = 0;

	for (int type = 0; type < 2; type++) {
		int64_t free_s[2] = { puzzle->free_s[type][0], puzzle->free_s[type][1] };
		bool done[MANY] = { false };

		for (;;) {
			int next = -1, gpu;

			for (int i = 0; i < MANY; i++)
				if (!done[i] && types[i] == type &&
				    (next < 0 || puzzle->jobs[i].time_s[type] <
							 puzzle->jobs[next].time_s[type]))
					next = i;
			if (next < 0)
				break;
			gpu = free_s[1] < free_s[0];
			done[next] = true;
			free_s[gpu] += puzzle->jobs[next].time_s[type];
			sum += free_s[gpu];
		}
	}
	return sum;
}

static void make_puzzle(uint32_t *state, struct puzzle *puzzle, struct lw_types_plan *plan)
{
	for (int type = 0; type < 2; type++)
		for (int gpu = 0; gpu < 2; gpu++) {
			puzzle->free_s[type][gpu] = NOW_S + draw(state) % 500;
			ck_assert_int_eq(lw_types_add_gpus(plan, type, puzzle->free_s[type][gpu],
							   1),
					 0);
		}
	for (int i = 0; i < MANY; i++) {
		struct lw_type_job *job = &puzzle->jobs[i];

		*job = (struct lw_type_job){ .weight = 1, .gpus = 1 };
		job->time_s[0] = 1 + draw(state) % 1000;
		job->time_s[1] = 1 + draw(state) % 2000;
		ck_assert_int_eq(lw_types_add_job(plan, job), 0);
	}
}

TEST_EACH(no_move_of_one_job_is_better, 100)
{
	uint32_t state = (uint32_t)_i;
	struct lw_types_plan plan = { 0 };
	struct puzzle puzzle;
	int types[MANY];
	int64_t sum, told = 0;

	make_puzzle(&state, &puzzle, &plan);
	ck_assert_int_eq(lw_types_divide(&plan, NOW_S, LW_DIVIDE_BY_SUM), 0);
	for (int i = 0; i < MANY; i++) {
		types[i] = plan.jobs[i].type;
		told += plan.jobs[i].done_s;
	}
	sum = sum_of(&puzzle, types);
	ck_assert_int_eq(told, sum);
	for (int i = 0; i < MANY; i++) {
		types[i] = !types[i];
		ck_assert_msg(sum_of(&puzzle, types) >= sum, "job %d: %ld < %ld", i,
			      (long)sum_of(&puzzle, types), (long)sum);
		types[i] = !types[i];
	}
	lw_types_fini(&plan);
}
