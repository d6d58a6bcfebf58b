/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of what ended shortly before: the distribution's last level, and when it is
 * past. */
#include "predictor/predict.h"

#include "lab/sim/engine.h"
#include "measure/machine.h"
#include "planner/model/snapshot.h"
#include "unit/unit.h"

#define NOW   100000
#define LIMIT 7200
#define WIDTH 4

static const struct {
	int64_t now_s;
	uint32_t runs[LW_WINDOW_FRESH]; /* sorted, ended by 0 */
} freshes[] = {
	{ NOW - 4001, { 0 } },
	{ NOW - 4000, { 100 } },
	{ NOW, { 103, 104, 105 } },
	{ NOW + LW_WINDOW_FRESH_S - 1, { 105 } },
	{ NOW + LW_WINDOW_FRESH_S, { 0 } },
	/* of before the clock was known */
	{ 0, { 0 } },
};

/* Six runs of 100 to 105 s; they ended 4000, 3200, 2400, 1600, 800 and 0 s before NOW. */
TEST_EACH(the_fresh_ones_ended_within_the_hour, LW_COUNT_OF(freshes))
{
	struct lw_window window = { 0 }, fresh;
	uint32_t count = 0;

	for (uint32_t i = 0; i < 6; i++) {
		const struct lw_window_sample sample = {
			.run_s = 100 + i,
			.end_s = NOW - 4000 + 800 * (int64_t)i,
		};

		lw_window_add(&window, &sample);
	}
	lw_window_fresh(&window, freshes[_i].now_s, &fresh);
	while (count < LW_WINDOW_FRESH && freshes[_i].runs[count])
		count++;
	ck_assert_uint_eq(fresh.count, count);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_uint_eq(fresh.samples[i].run_s, freshes[_i].runs[i]);
	ck_assert_double_eq_tol(lw_window_alive(&fresh, 0), count, 1e-12);
}

static void learn(struct lw_history *history, int64_t end_s, int64_t run_s)
{
	const struct lw_history_job job = { .user = 1,
					    .partition = LW_HISTORY_NOBODY,
					    .limit_s = LIMIT,
					    .run_s = run_s,
					    .end_s = end_s,
					    .width = WIDTH };

	ck_assert_int_eq(lw_history_add(history, &job), 0);
}

/* The user's jobs run for two hours or, while a script is mended, for seconds. */
TEST(a_session_is_told_while_it_lasts)
{
	struct lw_history_key key = { .user = 1,
				      .partition = LW_HISTORY_NOBODY,
				      .limit_s = LIMIT,
				      .width = WIDTH };
	struct lw_history *history;
	int64_t timeless_s, later_s = NOW + LW_WINDOW_FRESH_S;

	ck_assert_int_eq(lw_history_create(0, &history), 0);
	for (int i = 0; i < 20; i++)
		learn(history, NOW / 2 + 100 * i, LIMIT - 100);
	learn(history, NOW - 60, 5);
	learn(history, NOW, 5);
	timeless_s = lw_predict_mean(history, &key, 0);
	ck_assert_int_eq(lw_predict_fresh_until(history, &key), INT64_MAX);
	key.now_s = NOW;
	/* two runs of 5 s and once what is told without them, rounded */
	ck_assert_int_eq(lw_predict_mean(history, &key, 0), (timeless_s + 2 * 5 + 1) / 3);
	ck_assert_int_le(lw_predict_quantile(history, &key, 0, 0.5), 5);
	ck_assert_int_eq(lw_predict_fresh_until(history, &key), later_s - 60);
	key.now_s = later_s - 60;
	ck_assert_int_eq(lw_predict_mean(history, &key, 0), (timeless_s + 5 + 1) / 2);
	ck_assert_int_eq(lw_predict_fresh_until(history, &key), later_s);
	key.now_s = later_s;
	ck_assert_int_eq(lw_predict_mean(history, &key, 0), timeless_s);
	/* others have no part in it */
	key.now_s = NOW;
	key.width = WIDTH + 1;
	ck_assert_int_gt(lw_predict_mean(history, &key, 0), timeless_s);
	ck_assert_int_eq(lw_predict_fresh_until(history, &key), INT64_MAX);
	ck_assert_int_eq(lw_predict_fresh_until(NULL, &key), INT64_MAX);
	lw_history_destroy(history);
}

struct asked {
	int64_t times_s[8];
	uint32_t count;
};

static int64_t expect(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	struct asked *asked = arg;

	if (job->id == 2) {
		ck_assert_uint_lt(asked->count, LW_COUNT_OF(asked->times_s));
		asked->times_s[asked->count++] = now_s;
	}
	return job->limit_s;
}

static int64_t fresh_until(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	(void)arg;
	(void)job;
	return now_s < 100 ? 100 : INT64_MAX;
}

/* The second waits for the first; the others only make something happen, at 50, 100 and 150. */
TEST(the_simulator_asks_again_when_it_is_past)
{
	const struct lw_machine pool = { .pool = 1 };
	struct asked asked = { { 0 }, 0 };
	const struct lw_sim_hooks hooks = { .expect = expect,
					    .fresh_until = fresh_until,
					    .arg = &asked };
	struct lw_sim_job jobs[5] = { 0 };
	struct lw_snapshot machine = { 0 };
	struct lw_policy_params params;
	struct lw_policy *policy;

	for (uint32_t i = 0; i < LW_COUNT_OF(jobs); i++) {
		jobs[i] = (struct lw_sim_job){ .id = i + 1,
					       .user = i,
					       .submit_s = i < 2 ? i : 50 * ((int64_t)i - 1),
					       .run_s = 1000,
					       .limit_s = 1000 };
		ck_assert(lw_machine_request(&pool, 1, &jobs[i].request));
	}
	lw_policy_params_default(&params);
	ck_assert_int_eq(lw_machine_build(&pool, &machine), 0);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_sim_run(&machine, policy, jobs, LW_COUNT_OF(jobs), &hooks), 0);
	ck_assert_uint_eq(asked.count, 2);
	ck_assert_int_eq(asked.times_s[0], 1);
	ck_assert_int_eq(asked.times_s[1], 100);
	lw_policy_destroy(policy);
	lw_snapshot_fini(&machine);
}
