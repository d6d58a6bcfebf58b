/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the event loop: small traces, schedules worked out by hand. */
#include "lab/sim/trial.h"
#include "unit/sim_vectors.h"
#include "unit/unit.h"

static const struct vector vectors[] = {
	{ "fcfs: nobody passes the second",
	  POOL(4),
	  LW_POLICY_FCFS,
	  0,
	  USER,
	  { { 0, 3, 10, 10, 0, NONE },
	    { 1, 4, 5, 5, 10, NONE },
	    { 2, 1, 5, 8, 15, NONE },
	    { 3, 1, 20, 20, 15, NONE } } },
	/* the third ends by 10 at the latest; the fourth would not, and nothing is spare */
	{ "easy: passes what ends in time",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 3, 10, 10, 0, NONE },
	    { 1, 4, 5, 5, 10, 10 },
	    { 2, 1, 5, 8, 2, NONE },
	    { 3, 1, 20, 20, 15, 15 } } },
	/* at 10 four are free and three are needed: one job may stay, a second may not */
	{ "easy: passes on spare processors, once",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 2, 10, 10, 0, NONE },
	    { 1, 3, 5, 5, 10, 10 },
	    { 2, 1, 100, 100, 2, NONE },
	    { 3, 1, 100, 100, 15, 15 } } },
	{ "easy: an early end starts the promised job at once",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 4, 10, 0, NONE }, { 1, 4, 5, 5, 4, 10 }, { 2, 1, 1, 1, 9, 9 } } },
	/* an end and a submission in one second: the room is there for the newcomer */
	{ "easy: ends come before submissions",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 10, 10, 0, NONE }, { 10, 4, 5, 5, 10, NONE } } },
	{ "easy: a job without a run time takes no time",
	  POOL(1),
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 1, 0, 5, 0, NONE }, { 0, 1, 3, 5, 0, 5 } } },
	/* 10 + 0.5 * (10 - 1), rounded down: 14 */
	{ "relaxed: the promise slips as far as it may",
	  POOL(4),
	  LW_POLICY_RELAXED,
	  0.5,
	  USER,
	  { { 0, 3, 10, 10, 0, NONE }, { 1, 4, 5, 5, 14, 10 }, { 2, 1, 12, 12, 2, NONE } } },
	{ "relaxed: and no further",
	  POOL(4),
	  LW_POLICY_RELAXED,
	  0.5,
	  USER,
	  { { 0, 3, 10, 10, 0, NONE }, { 1, 4, 5, 5, 10, 10 }, { 2, 1, 13, 13, 15, 15 } } },
	/* two nodes of four GPUs: of three jobs of three, one waits, and two GPUs stay free */
	{ "nodes: GPUs of different nodes do not add up",
	  { .nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 3, 10, 10, 0, NONE },
	    { 0, 3, 20, 20, 0, NONE },
	    { 1, 2, 5, 5, 10, 10 },
	    { 2, 1, 30, 30, 2, NONE } } },
	/* five GPUs are three on each of two nodes */
	{ "nodes: a wide job gets equal parts",
	  { .nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 5, 10, 10, 0, NONE }, { 1, 1, 10, 10, 1, NONE }, { 1, 2, 5, 5, 10, 10 } } },
	/* the promise, 100, is far off: the shorter third job may use what is free till then */
	{ "leeway: a shorter job passes one that has room, but a promise far off",
	  POOL(4),
	  LW_POLICY_LEEWAY,
	  0,
	  USER,
	  { { 0, 4, 2, 100, 0, NONE }, { 1, 4, 50, 50, 12, 100 }, { 1, 4, 10, 10, 2, NONE } } },
	{ "easy: it does not",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 2, 100, 0, NONE }, { 1, 4, 50, 50, 2, 100 }, { 1, 4, 10, 10, 52, 52 } } },
	/* promised 2: at 2 nothing may delay it any more */
	{ "leeway: a promise that is due is kept",
	  POOL(4),
	  LW_POLICY_LEEWAY,
	  0,
	  USER,
	  { { 0, 4, 2, 2, 0, NONE }, { 1, 4, 50, 50, 2, 2 }, { 1, 4, 10, 10, 52, 52 } } },
	/* all of the third runs between 2 and its promise of the second, 10, though by its
	 * limit it might not; the promise is made by the first one's limit, not by its end */
	{ "clairvoyant: knows the ends, promises by limits",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  LW_PREDICT_EXACT,
	  { { 0, 3, 8, 10, 0, NONE }, { 1, 4, 5, 5, 10, 10 }, { 2, 1, 8, 60, 2, NONE } } },
	{ "clairvoyant: lets nothing pass that would break the promise",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  LW_PREDICT_EXACT,
	  { { 0, 3, 8, 10, 0, NONE }, { 1, 4, 5, 5, 8, 10 }, { 2, 1, 9, 9, 13, 13 } } },
	{ "leeway: knows no run time beyond the limit",
	  POOL(4),
	  LW_POLICY_LEEWAY,
	  0,
	  LW_PREDICT_EXACT,
	  { { 0, 4, 20, 10, 0, NONE }, { 1, 4, 5, 5, 10, 10 } } },
	/* the third's user has run 4 s twice, so 4 s is believed of it; it takes 20 */
	{ "last2: a promise breaks where a job outruns what was believed",
	  POOL(4),
	  LW_POLICY_EASY,
	  0,
	  LW_PREDICT_LAST2,
	  { { 0, 1, 4, 90, 0, NONE },
	    { 0, 1, 4, 90, 0, NONE },
	    { 10, 3, 10, 10, 10, NONE },
	    { 11, 4, 5, 5, 32, 20 },
	    { 12, 1, 20, 90, 12, NONE } } },
	{ "conservative: nobody is delayed, reserved or not",
	  POOL(4),
	  LW_POLICY_CONSERVATIVE,
	  0,
	  USER,
	  { { 0, 3, 10, 10, 0, NONE },
	    { 1, 4, 5, 5, 10, 10 },
	    { 2, 2, 20, 20, 15, 15 },
	    { 3, 1, 5, 5, 3, NONE } } },
	/* nobody knows of an epilog before it runs; the fourth has the other node */
	{ "completing: a node is closed as a whole, and no other",
	  { .nodes = 2, .cpus_per_node = 4, .completing_s = 5 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 11, 11, 0, NONE },
	    { 0, 2, 10, 10, 0, NONE },
	    { 0, 2, 40, 40, 0, NONE },
	    { 1, 1, 5, 5, 15, 10 },
	    { 12, 4, 5, 5, 16, 16 } } },
	{ "completing: a second end closes it for longer",
	  { .nodes = 1, .cpus_per_node = 4, .completing_s = 5 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 2, 10, 10, 0, NONE }, { 0, 2, 12, 12, 0, NONE }, { 1, 4, 5, 5, 17, 12 } } },
	{ "completing: of nodes of a gang each has its own time",
	  { .nodes = 2, .cpus_per_node = 4, .completing_s = 5 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 6, 10, 10, 0, NONE },
	    { 0, 1, 12, 12, 0, NONE },
	    { 1, 4, 9, 9, 15, 10 },
	    { 2, 4, 5, 5, 17, 17 } } },
	/* hard limits count from the end for as long as the node is closed, and no longer */
	{ "completing: who believes knows it as well",
	  { .nodes = 1, .cpus_per_node = 4, .completing_s = 5 },
	  LW_POLICY_EASY,
	  0,
	  LW_PREDICT_EXACT,
	  { { 0, 4, 8, 10, 0, NONE }, { 9, 4, 5, 5, 13, 13 } } },
	{ "completing: nobody asks how long a closed node stays",
	  { .nodes = 1, .gpus_per_node = 4, .cpus_per_node = 8, .completing_s = 5 },
	  LW_POLICY_LEEWAY,
	  0,
	  USER,
	  { { 0, 2, 10, 10, 0, NONE },
	    { 0, 2, 60, 60, 0, NONE },
	    { 1, 2, 5, 5, 15, 10 },
	    { 11, 2, 5, 5, 25, 20 } } },
	/* what comes until the plan is made is in it, in that second, too */
	{ "plan delay: one plan for all that happened",
	  { .pool = 4, .plan_delay_s = 3 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 2, 10, 10, 3, NONE },
	    { 1, 3, 5, 5, 16, 13 },
	    { 3, 1, 5, 5, 3, NONE },
	    { 4, 1, 4, 4, 7, NONE } } },
	/* planned at 13 in vain, since it opens at 18 */
	{ "plan delay: after the node has opened",
	  { .nodes = 1, .cpus_per_node = 4, .completing_s = 5, .plan_delay_s = 3 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 10, 10, 3, NONE }, { 1, 4, 5, 5, 21, 13 } } },
	/* it stops at the second, which has no room; what may pass that one, the plan starts */
	{ "main loop: in order, before the plan",
	  { .pool = 4, .plan_delay_s = 5, .main_loop = true, .main_delay_s = 1,
	    .ungated = true },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 2, 10, 10, 1, NONE }, { 1, 3, 5, 5, 12, 11 }, { 2, 1, 4, 4, 5, NONE } } },
	/* at 100 the second, promised 110, would let the third pass, which is shorter */
	{ "main loop: starts who was promised a start",
	  { .pool = 4, .main_loop = true, .ungated = true },
	  LW_POLICY_LEEWAY,
	  0,
	  USER,
	  { { 0, 4, 100, 110, 0, NONE }, { 1, 4, 60, 60, 100, 110 }, { 2, 4, 5, 5, 160, 160 } } },
	{ "no main loop: who is shorter passes",
	  { .pool = 4 },
	  LW_POLICY_LEEWAY,
	  0,
	  USER,
	  { { 0, 4, 100, 110, 0, NONE }, { 1, 4, 60, 60, 105, 110 }, { 2, 4, 5, 5, 100, NONE } } },
	/* the fourth goes with the third, which stays as long; so the last has a whole node */
	{ "no main loop: who stays long goes to who does",
	  { .nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8 },
	  LW_POLICY_EASY,
	  0,
	  LW_PREDICT_EXACT,
	  { { 0, 4, 10, 10, 0, NONE },
	    { 20, 3, 1000, 1000, 20, NONE },
	    { 20, 2, 100000, 100000, 20, NONE },
	    { 30, 1, 90000, 90000, 30, NONE },
	    { 2000, 4, 10, 10, 2000, NONE } } },
	/* the select plugin, by which Slurm starts jobs, knows no run times: it fills a node up */
	{ "main loop: who stays long goes where it fits best now",
	  { .nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8, .main_loop = true,
	    .ungated = true },
	  LW_POLICY_EASY,
	  0,
	  LW_PREDICT_EXACT,
	  { { 0, 4, 10, 10, 0, NONE },
	    { 20, 3, 1000, 1000, 20, NONE },
	    { 20, 2, 100000, 100000, 20, NONE },
	    { 30, 1, 90000, 90000, 30, NONE },
	    { 2000, 4, 10, 10, 90030, 90030 } } },
};

TEST_EACH(test_vector, LW_COUNT_OF(vectors))
{
	const struct vector *v = &vectors[_i];
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(v);
	uint32_t n = make_jobs(v, jobs);

	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_msg(jobs[i].start_s == v->rows[i].start_s,
			      "%s: job %u starts at %ld, not at %ld", v->name, i + 1,
			      (long)jobs[i].start_s, (long)v->rows[i].start_s);
		ck_assert_msg(jobs[i].promise_s == v->rows[i].promise_s,
			      "%s: job %u is promised %ld, not %ld", v->name, i + 1,
			      (long)jobs[i].promise_s, (long)v->rows[i].promise_s);
	}
}

/* Four processors, in order of submission; some jobs are taken back. */
static const struct {
	const char *name;
	struct row rows[4];
	int64_t cancel_after_s[4];
} taken_back[] = {
	/* the second would start at 10; it is gone at 6, and the third has the room */
	{ "a waiting job makes way",
	  { { 0, 3, 10, 10, 0, NONE },
	    { 1, 4, 5, 5, NONE, NONE },
	    { 2, 1, 20, 20, 6, NONE },
	    { 3, 3, 5, 5, 10, NONE } },
	  { 0, 5, 0, 0 } },
	{ "a running job ends then, one that has ended before does not",
	  { { 0, 4, 10, 10, 0, NONE }, { 1, 4, 5, 5, 7, NONE }, { 2, 4, 5, 5, 12, NONE } },
	  { 7, 0, 99, 0 } },
};

TEST_EACH(test_taken_back, LW_COUNT_OF(taken_back))
{
	struct vector v = { .machine = POOL(4), .policy = LW_POLICY_FCFS };
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial;
	uint32_t n;

	memcpy(v.rows, taken_back[_i].rows, sizeof(taken_back[_i].rows));
	trial = make_trial(&v);
	n = make_jobs(&v, jobs);
	for (uint32_t i = 0; i < n; i++)
		jobs[i].cancel_after_s = taken_back[_i].cancel_after_s[i];
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_msg(jobs[i].start_s == v.rows[i].start_s, "%s: job %u starts at %ld",
			      taken_back[_i].name, i + 1, (long)jobs[i].start_s);
}

#define OVERRUNS 20
#define SHORTS   64 /* fill the window of a user */

static struct lw_sim_job on_one_cpu(uint32_t id, uint32_t user, int64_t submit_s, int64_t run_s,
				    int64_t asked_s)
{
	struct lw_machine machine = POOL(1);
	struct lw_sim_job job = { .id = id,
				  .user = user,
				  .submit_s = submit_s,
				  .run_s = run_s,
				  .limit_s = run_s > asked_s ? run_s : asked_s,
				  .asked_s = asked_s };

	ck_assert(lw_machine_request(&machine, 1, &job.request));
	return job;
}

/*
 * Whose jobs of an hour all reached that limit, and ended some seconds later, is expected to
 * need the hour: all of these are known by what was asked. So another one goes behind the job
 * of a user of whom nothing is known, though most of the user's jobs were short ones.
 */
TEST(test_overrun)
{
	struct lw_trial trial = { .runtime = LW_PREDICT_HISTORY, .machine = POOL(1) };
	struct lw_sim_job jobs[OVERRUNS + SHORTS + 3];
	uint32_t n = 0;
	int64_t now_s = 0;

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = LW_POLICY_LEEWAY;
	for (; n < OVERRUNS; n++, now_s += 4000)
		jobs[n] = on_one_cpu(n + 1, 1, now_s, 3601 + n, 3600);
	for (; n < OVERRUNS + SHORTS; n++, now_s += 100)
		jobs[n] = on_one_cpu(n + 1, 1, now_s, 10, 600);
	jobs[n] = on_one_cpu(n + 1, 3, now_s, 1000, 10000);
	jobs[n + 1] = on_one_cpu(n + 2, 1, now_s + 1, 3600, 3600);
	jobs[n + 2] = on_one_cpu(n + 3, 2, now_s + 2, 500, 1800);
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n + 3, NULL, NULL), 0);
	ck_assert_int_eq(jobs[n].start_s, now_s);
	ck_assert_int_eq(jobs[n + 2].start_s, now_s + 1000);
	ck_assert_int_eq(jobs[n + 1].start_s, now_s + 1500);
}

/* Terse plans only leave out what is not needed: with reasons the schedule is the same. */
TEST_EACH(test_terse, LW_COUNT_OF(vectors))
{
	const struct vector *v = &vectors[_i];
	struct lw_sim_job terse[JOBS_MAX], full[JOBS_MAX];
	struct lw_trial trial = make_trial(v);
	uint32_t n = make_jobs(v, terse);

	make_jobs(v, full);
	ck_assert_int_eq(lw_trial_run(&trial, terse, n, NULL, NULL), 0);
	trial.policy.terse = false;
	ck_assert_int_eq(lw_trial_run(&trial, full, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_eq(terse[i].start_s, full[i].start_s);
		ck_assert_int_eq(terse[i].promise_s, full[i].promise_s);
	}
}

static void count_calls(void *arg, uint32_t submitted, uint32_t finished, uint32_t total,
			int64_t now_s)
{
	uint32_t *calls = arg;

	ck_assert_uint_le(finished, submitted);
	ck_assert_uint_le(submitted, total);
	ck_assert_int_ge(now_s, 0);
	++*calls;
}

TEST(test_progress)
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&vectors[1]);
	uint32_t calls = 0, n = make_jobs(&vectors[1], jobs);

	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, count_calls, &calls), 0);
	ck_assert_uint_ge(calls, 1);
}

/* A submission before an end in the same second, each with a plan of its own. */
TEST(test_one_event)
{
	static const struct vector v = {
		"one event",
		POOL(4),
		LW_POLICY_EASY,
		0,
		USER,
		{ { 0, 4, 10, 10, 0, NONE }, { 10, 4, 5, 5, 10, 11 }, { 10, 4, 5, 5, 15, 15 } },
	};
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&v);
	uint32_t n = make_jobs(&v, jobs);

	trial.one_event = true;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_eq(jobs[i].start_s, v.rows[i].start_s);
		ck_assert_int_eq(jobs[i].promise_s, v.rows[i].promise_s);
	}
	trial.one_event = false;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_int_eq(jobs[1].promise_s, NONE);
}

/*
 * The user of the first job is known to run 10 s from its end on, for who waits by then and who
 * comes later: 40 s of a CPU. Both wait behind those whose users have no runs.
 */
TEST(las2d_is_told_what_users_attained)
{
	static const struct vector v = {
		"las2d", POOL(4), LW_POLICY_EASY, 0, USER,
		{ { 0, 4, 10, 10, 0, NONE },
		  { 1, 4, 10, 10, 20, NONE },
		  { 2, 4, 5, 5, 10, NONE },
		  { 11, 4, 10, 10, 30, NONE },
		  { 12, 4, 5, 5, 15, NONE } },
	};
	static const uint32_t users[] = { 1, 1, 2, 1, 3 };
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&v);
	uint32_t n = make_jobs(&v, jobs);

	ck_assert_uint_eq(n, LW_COUNT_OF(users));
	for (uint32_t i = 0; i < n; i++)
		jobs[i].user = users[i];
	trial.policy.order = LW_ORDER_LAS2D;
	trial.policy.las_threshold_s = 40;
	trial.policy.keep_promises = false;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_int_eq(jobs[i].start_s, v.rows[i].start_s);
}

TEST(test_nothing)
{
	struct lw_trial trial = make_trial(&vectors[0]);

	ck_assert_int_eq(lw_trial_run(&trial, NULL, 0, NULL, NULL), 0);
}
