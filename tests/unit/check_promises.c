/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of promises: simulator, keeper and file count the same of the same events.
 */
#include "measure/figures.h"

#include "slurm/keep/promise.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <string.h>
#include <time.h>

#define SUBMITTED 1000
#define MADE      1100
#define NONE      LW_NO_TIME

/* What becomes of each job, its promise, and how the promise ends. */
static const struct {
	int64_t shown_s, latest_s;
	int64_t started_s;      /* NONE: never */
	int64_t cancel_after_s; /* 0: never */
	const char *end;
} jobs[] = {
	{ 2000, 2600, 1500, 0, "kept" },    { 2000, 2600, 2000, 0, "kept" },
	{ 2000, 2600, 2060, 0, "kept" },    { 2000, 2600, 2061, 0, "later" },
	{ 2000, 2600, 2600, 0, "later" },   { 2000, 2600, 2660, 0, "later" },
	{ 2000, 2600, 2661, 0, "broken" },  { 2000, 2600, 9000, 0, "broken" },
	{ 2000, 2000, 2060, 0, "kept" }, /* as under easy */
	{ 2000, 2000, 2061, 0, "broken" },  { 2000, 2600, NONE, 300, "cancelled" },
	{ 2000, 2600, 2000, 5000, "kept" }, /* cancelled while it ran */
	{ 2000, 2600, NONE, 0, "open" },    { NONE, NONE, 1200, 0, "none" },
};

#define JOBS (sizeof(jobs) / sizeof(jobs[0]))

static uint64_t expected(const char *end)
{
	uint64_t count = 0;

	for (size_t i = 0; i < JOBS; i++)
		count += !strcmp(jobs[i].end, end);
	return count;
}

static void check(const struct lw_promise_totals *totals)
{
	ck_assert_uint_eq(totals->made, JOBS - expected("none"));
	ck_assert_uint_eq(totals->kept, expected("kept") + expected("later"));
	ck_assert_uint_eq(totals->later, expected("later"));
	ck_assert_uint_eq(totals->broken, expected("broken"));
	ck_assert_uint_eq(totals->cancelled, expected("cancelled"));
	ck_assert_uint_eq(lw_promise_withdrawn(totals), expected("cancelled"));
	ck_assert_int_eq(totals->late_s, 61 + 6400 + 61);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(the_simulator_counts_them)
{
	struct lw_sim_job sim[JOBS];
	struct lw_promise_totals totals;

	memset(sim, 0, sizeof(sim));
	for (uint32_t i = 0; i < JOBS; i++) {
		sim[i].id = i + 1;
		sim[i].submit_s = SUBMITTED;
		sim[i].promise_s = jobs[i].shown_s;
		sim[i].latest_s = jobs[i].latest_s;
		sim[i].start_s = jobs[i].started_s;
		sim[i].cancel_after_s = jobs[i].cancel_after_s;
	}
	totals = lw_figures_promises(sim, JOBS);
	check(&totals);
}

static bool waits(void *arg, uint32_t job_id)
{
	(void)arg;
	(void)job_id;
	return false; /* held is nobody */
}

static void make_all(struct lw_promises *promises)
{
	for (uint32_t i = 0; i < JOBS; i++) {
		const struct lw_promise made = { .job_id = i + 1,
						 .made_s = MADE,
						 .start_s = jobs[i].shown_s,
						 .latest_s = jobs[i].latest_s };

		if (jobs[i].shown_s != NONE)
			ck_assert_int_eq(lw_promises_make(promises, &made), 0);
	}
}

/* As the readings of one cycle after the other tell it. */
static void let_happen(struct lw_promises *promises)
{
	lw_promises_begin(promises);
	for (uint32_t i = 0; i < JOBS; i++) {
		if (jobs[i].started_s != NONE)
			lw_promises_started(promises, i + 1, jobs[i].started_s);
		else if (!jobs[i].cancel_after_s)
			lw_promises_seen(promises, i + 1);
	}
	lw_promises_end(promises, waits, NULL);
}

TEST(the_keeper_and_its_file_count_the_same)
{
	static const struct lw_log silent = { .level = LW_LOG_ERROR };
	struct lw_promise_totals totals;
	struct lw_promises *promises;
	struct lw_error err;
	uint32_t open;

	ck_assert_int_eq(lw_promises_create(scratch_path("promises"), MADE, &silent, &promises),
			 0);
	make_all(promises);
	let_happen(promises);
	lw_promises_totals(promises, &totals);
	check(&totals);
	ck_assert_uint_eq(lw_promises_count(promises), expected("open"));
	ck_assert_int_eq(lw_promises_save(promises, &err), 0);
	lw_promises_destroy(promises);
	ck_assert_int_eq(lw_promise_read_totals(scratch_path("promises"), &totals, &open, &err),
			 0);
	check(&totals);
	ck_assert_uint_eq(open, expected("open"));
}

/* Under conservative all jobs are promised a start, and their user may cancel them all at once.
 */
TEST(many_that_end_at_once_cost_little)
{
	static const struct lw_log quiet = { 0 };
	struct lw_promise made = { .made_s = MADE, .start_s = 2000, .latest_s = 2600 };
	struct lw_promises *promises;
	double took_s;
	clock_t begin;

	scratch_setup();
	ck_assert_int_eq(lw_promises_create(scratch_path("many"), MADE, &quiet, &promises), 0);
	for (made.job_id = 1; made.job_id <= 100000; made.job_id++)
		ck_assert_int_eq(lw_promises_make(promises, &made), 0);
	lw_promises_begin(promises);
	lw_promises_seen(promises, 100000);
	begin = clock();
	lw_promises_end(promises, waits, NULL);
	took_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
	ck_assert_msg(took_s < 0.5, "%g s", took_s);
	ck_assert_uint_eq(lw_promises_count(promises), 1);
	ck_assert_ptr_nonnull(lw_promises_find(promises, 100000));
	lw_promises_destroy(promises);
	scratch_teardown();
}
