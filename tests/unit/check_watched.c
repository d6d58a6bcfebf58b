/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/keep/watched: starts of plans that are not applied. */
#include "slurm/keep/watched.h"

#include "planner/text/text.h"
#include "unit/unit.h"

#include <stdio.h>

#define HEAD	"lw-snapshot 1\nnow %d\nnode 0-1 n[0-1] cpus=4\nset 0 all 0-1\n"
#define WAITS	HEAD "wait 20 set=0 submit=1000 limit=50 nodes=1 cpus=4\n"
#define ARRAY	HEAD "wait 20 set=0 submit=1000 limit=50 nodes=1 cpus=4 tasks=3\n"
#define RUNS	HEAD "run 20 start=1500 end=9000 on=0:cpus=4\n"
#define NOTHING HEAD

static struct lw_watched watched;
static uint32_t told;
static int64_t told_plan_s;

static void sooner(void *arg, const struct lw_running *job, int64_t plan_s)
{
	(void)arg;
	ck_assert_uint_eq(job->job_id, 20);
	told++;
	told_plan_s = plan_s;
}

/* A plan at NOW_S that gives each job VERDICT. */
static void cycle(const char *format, int now_s, enum lw_verdict verdict)
{
	struct lw_decision decision = { .job_id = 20, .verdict = verdict };
	struct lw_plan plan = { .decisions = &decision };
	struct lw_snapshot snap;
	struct lw_error err;
	char text[512];

	snprintf(text, sizeof(text), format, now_s);
	ck_assert_msg(!lw_snapshot_parse(&snap, "text", text, &err), "%s", err.text);
	plan.decision_count = snap.waiting_count;
	ck_assert_int_eq(lw_watched_cycle(&watched, &snap, &plan, sooner, NULL), 0);
	lw_snapshot_fini(&snap);
}

static void setup(void)
{
	watched = (struct lw_watched){ 0 };
	told = 0;
}

static void teardown(void)
{
	lw_watched_fini(&watched);
}

FIXTURE(setup, teardown);

/* The first of them counts, whatever the next ones have. */
TEST(a_plan_would_have_started_it_sooner)
{
	cycle(WAITS, 1100, LW_RESERVE);
	cycle(WAITS, 1200, LW_START);
	cycle(WAITS, 1300, LW_RESERVE);
	cycle(WAITS, 1400, LW_START);
	cycle(RUNS, 1501, LW_START);
	cycle(RUNS, 1601, LW_START);
	ck_assert_uint_eq(told, 1);
	ck_assert_int_eq(told_plan_s, 1200);
	ck_assert_uint_eq(watched.sooner, 1);
	ck_assert_int_eq(watched.sooner_s, 300);
	ck_assert_uint_eq(watched.alike, 0);
}

static const struct {
	int now_s;
	enum lw_verdict verdict;
} alike[] = { { 1400, LW_RESERVE }, { 1500, LW_START }, { 1501, LW_START } };

/* The plan knew no start for it, or one in the second of the start. */
TEST_EACH(no_plan_would_have, LW_COUNT_OF(alike))
{
	cycle(WAITS, alike[_i].now_s, alike[_i].verdict);
	cycle(RUNS, 1510, LW_START);
	ck_assert_uint_eq(told, 0);
	ck_assert_uint_eq(watched.alike, 1);
}

TEST(a_job_that_no_plan_has_seen_is_not_judged)
{
	cycle(NOTHING, 1400, LW_START);
	cycle(RUNS, 1510, LW_START);
	ck_assert_uint_eq(watched.alike + watched.sooner, 0);
}

TEST(a_job_that_went_is_forgotten)
{
	cycle(WAITS, 1200, LW_START);
	cycle(NOTHING, 1300, LW_START);
	cycle(RUNS, 1510, LW_START);
	ck_assert_uint_eq(watched.alike + watched.sooner, 0);
}

TEST(an_array_is_not_judged)
{
	cycle(ARRAY, 1200, LW_START);
	cycle(RUNS, 1510, LW_START);
	ck_assert_uint_eq(watched.alike + watched.sooner, 0);
}
