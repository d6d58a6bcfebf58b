/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/fairness: finish-time fairness by its definition. */
#include "measure/fairness.h"

#include "predictor/history.h"
#include "unit/unit.h"

#include <math.h>

#define NOBODY   LW_HISTORY_NOBODY
#define JOBS_MAX 4

/* On 10 processors: user; submitted, started, run; processors. A job of 0 processors ends it. */
static const struct {
	struct {
		uint32_t user;
		int64_t submit_s, start_s, run_s;
		uint32_t procs;
	} jobs[JOBS_MAX];
	double mean, worst, fair, user_worst, jain;
} vectors[] = {
	/* alone it has the whole machine */
	{ { { 1, 0, 0, 100, 10 } }, 1, 1, 1, 1, 1 },
	{ { { 1, 0, 50, 100, 10 } }, 1.5, 1.5, 0, 1.5, 1 },
	/* two of half a machine: each has its share */
	{ { { 1, 0, 0, 100, 5 }, { 2, 0, 0, 100, 5 } }, 1, 1, 1, 1, 1 },
	/* one after the other: N is 2, then 1. In half a machine the first took 200 s, and the
	 * second, with 1.5 jobs on average, 150 */
	{ { { 1, 0, 0, 100, 10 }, { 2, 0, 100, 100, 10 } },
	  (0.5 + 4 / 3.0) / 2,
	  4 / 3.0,
	  0.5,
	  4 / 3.0,
	  (0.5 + 4 / 3.0) * (0.5 + 4 / 3.0) / (2 * (0.25 + 16 / 9.0)) },
	/* the same, four fifths wide: an N-th of the machine is less than they ask for */
	{ { { 1, 0, 0, 100, 8 }, { 2, 0, 100, 100, 8 } },
	  (1 / 1.6 + 2 / 1.2) / 2,
	  2 / 1.2,
	  0.5,
	  2 / 1.2,
	  (1 / 1.6 + 2 / 1.2) * (1 / 1.6 + 2 / 1.2) /
		  (2 * (1 / 1.6 / 1.6 + 2 / 1.2 * 2 / 1.2)) },
	/* the narrow one would run no slower in its half */
	{ { { 1, 0, 0, 100, 10 }, { 1, 0, 100, 100, 1 } }, (0.5 + 2) / 2, 2, 0.5, 1.25, 1 },
	/* nobody's user is known */
	{ { { NOBODY, 0, 50, 100, 10 } }, 1.5, 1.5, 0, NAN, NAN },
	/* who never started was not there */
	{ { { 1, 0, 0, 100, 10 }, { 2, 0, LW_NO_TIME, 100, 10 } }, 1, 1, 1, 1, 1 },
	/* over in the second in which it came */
	{ { { 1, 5, 5, 0, 10 } }, 1, 1, 1, 1, 1 },
	{ { { 1, 5, 15, 0, 10 } }, 10, 10, 0, 10, 1 },
};

static void same(double is, double should)
{
	if (isnan(should))
		ck_assert(isnan(is));
	else
		ck_assert_double_eq_tol(is, should, 1e-9);
}

TEST_EACH(rho_is_its_definition, LW_COUNT_OF(vectors))
{
	const struct lw_machine machine = { .pool = 10 };
	struct lw_sim_job jobs[JOBS_MAX] = { 0 };
	struct lw_fairness fairness;
	uint32_t n = 0;

	for (; n < JOBS_MAX && vectors[_i].jobs[n].procs; n++) {
		jobs[n].id = n + 1;
		jobs[n].user = vectors[_i].jobs[n].user;
		jobs[n].submit_s = vectors[_i].jobs[n].submit_s;
		jobs[n].start_s = vectors[_i].jobs[n].start_s;
		jobs[n].run_s = jobs[n].limit_s = vectors[_i].jobs[n].run_s;
		ck_assert(lw_machine_request(&machine, vectors[_i].jobs[n].procs,
					     &jobs[n].request));
	}
	ck_assert_int_eq(lw_fairness_of(jobs, n, &machine, &fairness), 0);
	same(fairness.jobs.mean, vectors[_i].mean);
	same(fairness.jobs.worst, vectors[_i].worst);
	same(fairness.jobs.fair, vectors[_i].fair);
	same(fairness.users.worst, vectors[_i].user_worst);
	same(fairness.users.jain, vectors[_i].jain);
}

TEST(nobody_started)
{
	const struct lw_machine machine = { .pool = 10 };
	struct lw_fairness fairness;

	ck_assert_int_eq(lw_fairness_of(NULL, 0, &machine, &fairness), 0);
	ck_assert(isnan(fairness.jobs.mean) && isnan(fairness.users.jain));
}

/* The users 1, 2 and 3 are of the accounts 7, 7 and nobody knows which. */
TEST(accounts_fare_as_their_jobs)
{
	static const struct lw_fairness_job jobs[] = {
		{ 0, 0, 100, 0, 1, 1, 7 },
		{ 200, 300, 400, 0, 1, 2, 7 },
		{ 500, 900, 1000, 0, 1, 3, LW_FAIRNESS_UNKNOWN },
		{ 2000, 2300, 2400, 0, 1, LW_FAIRNESS_UNKNOWN, 8 },
	};
	struct lw_fairness fairness;

	ck_assert_int_eq(lw_fairness_compute(jobs, LW_COUNT_OF(jobs), &fairness), 0);
	same(fairness.jobs.mean, (1 + 2 + 5 + 4) / 4.0);
	same(fairness.jobs.worst, 5);
	same(fairness.users.mean, (1 + 2 + 5) / 3.0);
	same(fairness.users.worst, 5);
	same(fairness.users.fair, 1 / 3.0);
	same(fairness.users.jain, 64 / (3 * 30.0));
	same(fairness.accounts.mean, (1.5 + 4) / 2);
	same(fairness.accounts.worst, 4);
	same(fairness.accounts.fair, 0);
	same(fairness.accounts.jain, 5.5 * 5.5 / (2 * (1.5 * 1.5 + 16)));
}
