/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the simulator: a job gets the room of one that agrees to stop. */
#include "unit/sim_vectors.h"
#include "unit/unit.h"

/* Four long jobs fill the machine, the last the longest; a short one comes. */
static const struct vector machine = {
	"four long jobs and a short one",
	POOL(4),
	LW_POLICY_LEEWAY,
	0,
	LW_PREDICT_EXACT,
	{ { 0, 1, 100000, 100000, 0, NONE },
	  { 0, 1, 100001, 100001, 0, NONE },
	  { 0, 1, 100002, 100002, 0, NONE },
	  { 0, 1, 100003, 100003, 0, NONE },
	  { 8000, 1, 10, 10, 0, NONE } },
};

static const struct lw_lease_settings usual = {
	.shorts = true,
	.gain = 10,
	.share = 1,
	.widest = 0.25,
	.lease_s = 3600,
	.back_s = 14400,
	.save_s = 30,
	.per_day = 4,
	.agree = 1,
	.load_s = 60,
};

/* When the short one starts, and when the longest runs again, what that cost, and its end. */
static const struct {
	const char *what;
	double agree, share, deaf, scratch;
	int64_t lease_s, saves_s, delay_s;
	int64_t short_s, back_s, lost_s, end_s;
} cases[] = {
	{ "it saves, and runs again when the other has ended", 1, 1, 0, 0, 3600, 0, 0, 8030, 8040,
	  90, 100103 },
	{ "no job agrees", 0, 1, 0, 0, 3600, 0, 0, 100000, 0, 0, 100003 },
	{ "it holds too much of what may be out", 1, 0.9, 0, 0, 3600, 0, 0, 100000, 0, 0,
	  100003 },
	{ "its lease is not over", 1, 1, 0, 0, 200000, 0, 0, 100000, 0, 0, 100003 },
	{ "it runs on", 1, 1, 1, 0, 3600, 0, 0, 100000, 0, 0, 100003 },
	{ "it starts from scratch", 1, 1, 0, 1, 3600, 0, 0, 8030, 8040, 8090, 108103 },
	{ "it saves every ten minutes", 1, 1, 0, 0, 3600, 600, 0, 8040, 8050, 300, 100313 },
	{ "it may not run again at once", 1, 1, 0, 0, 3600, 0, 120, 8030, 8150, 90, 100213 },
};

TEST_EACH(test_lease, LW_COUNT_OF(cases))
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&machine);
	uint32_t n = make_jobs(&machine, jobs);
	const struct lw_sim_job *longest = &jobs[3];

	trial.lease = usual;
	trial.lease.agree = cases[_i].agree;
	trial.lease.share = cases[_i].share;
	trial.lease.deaf = cases[_i].deaf;
	trial.lease.scratch = cases[_i].scratch;
	trial.lease.lease_s = cases[_i].lease_s;
	trial.lease.saves_s = cases[_i].saves_s;
	trial.lease.kill_s = 40;
	trial.lease.delay_s = cases[_i].delay_s;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_msg(jobs[4].start_s == cases[_i].short_s, "%s: %ld", cases[_i].what,
		      (long)jobs[4].start_s);
	ck_assert_msg(longest->start_s == cases[_i].back_s, "%s: again at %ld", cases[_i].what,
		      (long)longest->start_s);
	ck_assert_msg(longest->lost_s == cases[_i].lost_s, "%s: lost %ld", cases[_i].what,
		      (long)longest->lost_s);
	ck_assert_msg(lw_sim_job_end_s(longest) == cases[_i].end_s, "%s: ends at %ld",
		      cases[_i].what, (long)lw_sim_job_end_s(longest));
	ck_assert_uint_eq(longest->late, 0);
}

/* The same, and a job that wants them all, which is promised the end of the longest. */
static const struct vector wide = {
	"four long jobs, a short one and a wide one",
	POOL(4),
	LW_POLICY_LEEWAY,
	0,
	LW_PREDICT_EXACT,
	{ { 0, 1, 20000, 20000, 0, NONE },
	  { 0, 1, 20001, 20001, 0, NONE },
	  { 0, 1, 20002, 20002, 0, NONE },
	  { 0, 1, 100000, 100000, 0, NONE },
	  { 100, 4, 3000, 3000, 0, NONE },
	  { 8000, 1, 2000, 2000, 0, NONE } },
};

TEST(a_stopped_job_comes_back_behind_a_promised_one)
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&wide);
	uint32_t n = make_jobs(&wide, jobs);

	trial.lease = usual;
	trial.policy.patience = 0;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_int_eq(jobs[5].start_s, 8030);
	ck_assert_int_eq(jobs[4].start_s, 20002);
	ck_assert_int_eq(jobs[3].start_s, 23002);
}

/* Two nodes are half full, and a job comes that wants a whole one. */
static const struct vector broken = {
	"two broken nodes",
	{ .nodes = 2, .gpus_per_node = 8, .cpus_per_node = 8 },
	LW_POLICY_LEEWAY,
	0,
	LW_PREDICT_EXACT,
	{ { 0, 4, 5000, 5000, 0, NONE },
	  { 0, 4, 100000, 100000, 0, NONE },
	  { 0, 4, 100001, 100001, 0, NONE },
	  { 8000, 8, 10, 10, 0, NONE } },
};

/* When the job starts that wants a node, when the one runs again that moves, and its cost. */
static const struct {
	const char *what;
	bool gangs;
	double deaf;
	int64_t delay_s, gang_s, again_s, lost_s;
} moves[] = {
	{ "it moves", true, 0, 0, 8030, 8030, 90 },
	{ "it may not run again at once", true, 0, 120, 8150, 8150, 90 },
	{ "it runs on", true, 1, 0, 100000, 0, 0 },
	{ "not for gangs", false, 0, 0, 100000, 0, 0 },
};

TEST_EACH(test_move, LW_COUNT_OF(moves))
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&broken);
	uint32_t n = make_jobs(&broken, jobs);
	const struct lw_sim_job *moved = &jobs[1];

	trial.lease = usual;
	trial.lease.shorts = false;
	trial.lease.gangs = moves[_i].gangs;
	trial.lease.deaf = moves[_i].deaf;
	trial.lease.delay_s = moves[_i].delay_s;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_msg(jobs[3].start_s == moves[_i].gang_s, "%s: %ld", moves[_i].what,
		      (long)jobs[3].start_s);
	ck_assert_msg(moved->start_s == moves[_i].again_s, "%s: again at %ld", moves[_i].what,
		      (long)moved->start_s);
	ck_assert_msg(moved->lost_s == moves[_i].lost_s, "%s: lost %ld", moves[_i].what,
		      (long)moved->lost_s);
	ck_assert_uint_eq(moved->late, 0);
}

/* The same, and once the one that moved is alone there, it comes to that a second time. */
static const struct vector twice = {
	"two nodes that are broken twice",
	{ .nodes = 2, .gpus_per_node = 8, .cpus_per_node = 8 },
	LW_POLICY_LEEWAY,
	0,
	LW_PREDICT_EXACT,
	{ { 0, 4, 5000, 5000, 0, NONE },
	  { 0, 4, 8700, 8700, 0, NONE },
	  { 0, 4, 100001, 100001, 0, NONE },
	  { 8000, 8, 10, 10, 0, NONE },
	  { 8500, 4, 100000, 100000, 0, NONE },
	  { 12500, 8, 10, 10, 0, NONE } },
};

/* When the second one starts that wants a node. */
static const struct {
	const char *what;
	bool same; /* all jobs are of one user */
	int64_t back_s, second_s;
} rests[] = {
	{ "a job of another user moves for it", false, 14400, 12530 },
	{ "no further job of that user moves within stop.back", true, 14400, 100091 },
	{ "one does after that time", true, 4400, 12530 },
};

TEST_EACH(test_rest, LW_COUNT_OF(rests))
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&twice);
	uint32_t n = make_jobs(&twice, jobs);

	for (uint32_t i = 0; i < n && !rests[_i].same; i++)
		jobs[i].user = i;
	trial.lease = usual;
	trial.lease.shorts = false;
	trial.lease.gangs = true;
	trial.lease.back_s = rests[_i].back_s;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_int_eq(jobs[3].start_s, 8030);
	ck_assert_msg(jobs[5].start_s == rests[_i].second_s, "%s: %ld", rests[_i].what,
		      (long)jobs[5].start_s);
}
