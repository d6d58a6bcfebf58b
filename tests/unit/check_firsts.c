/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/keep/firsts: the start first shown, against the true one. */
#include "slurm/keep/firsts.h"

#include "planner/text/text.h"
#include "unit/unit.h"

#include <stdio.h>

#define HEAD "lw-snapshot 1\nnow %d\nnode 0-1 n[0-1] cpus=4\nset 0 all 0-1\n"
#define JOB  "wait 20 set=0 submit=1000 limit=50 nodes=1 cpus=4\n"

static struct lw_firsts firsts;
static int64_t shown_s;

static int64_t shown(void *arg, uint32_t job_id)
{
	(void)arg, (void)job_id;
	return shown_s;
}

static void cycle(const char *format, int now_s, int64_t planned_s)
{
	struct lw_snapshot snap;
	struct lw_error err;
	char text[512];

	shown_s = planned_s;
	snprintf(text, sizeof(text), format, now_s);
	ck_assert_msg(!lw_snapshot_parse(&snap, "text", text, &err), "%s", err.text);
	ck_assert_int_eq(lw_firsts_cycle(&firsts, &snap, shown, NULL), 0);
	lw_snapshot_fini(&snap);
}

static void setup(void)
{
	firsts = (struct lw_firsts){ 0 };
}

static void teardown(void)
{
	lw_firsts_fini(&firsts);
}

FIXTURE(setup, teardown);

static const struct {
	const char *runs;
	int64_t early_s, late_s;
} starts[] = {
	{ HEAD "run 20 start=1500 end=9000 on=0:cpus=4\n", 500, 0 },
	{ HEAD "run 20 start=2000 end=9000 on=0:cpus=4\n", 0, 0 },
	{ HEAD "run 20 start=2700 end=9000 on=0:cpus=4\n", 0, 700 },
};

/* What was shown later does not count, and a start counts once. */
TEST_EACH(a_start_is_judged_by_what_was_first_shown, LW_COUNT_OF(starts))
{
	cycle(HEAD JOB, 1000, 0);
	cycle(HEAD JOB, 1010, 2000);
	cycle(HEAD JOB, 1020, 2600);
	ck_assert_uint_eq(firsts.judged, 0);
	cycle(starts[_i].runs, 3000, 0);
	cycle(starts[_i].runs, 3010, 0);
	ck_assert_uint_eq(firsts.judged, 1);
	ck_assert_int_eq(firsts.early_s, starts[_i].early_s);
	ck_assert_int_eq(firsts.late_s, starts[_i].late_s);
}

TEST(nothing_is_judged_that_was_not_shown)
{
	cycle(HEAD JOB, 1000, 0);
	cycle(starts[0].runs, 1500, 0);
	/* nor an array, nor what was held meanwhile */
	cycle(HEAD "wait 20 set=0 submit=1000 limit=50 tasks=2 nodes=1 cpus=4\n", 2000, 3000);
	cycle(starts[0].runs, 2010, 0);
	cycle(HEAD JOB, 2020, 3000);
	cycle(HEAD, 2030, 0);
	cycle(starts[0].runs, 2040, 0);
	ck_assert_uint_eq(firsts.judged, 0);
}
