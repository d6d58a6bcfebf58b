/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the effective training time ratio, by runs worked out by hand. */
#include "measure/ettr.h"

#include "unit/unit.h"

#define RUNS_MAX 3

/* A run of 1000 s on two GPUs, which begins at START. */
#define RUN(start, ...)                                                                          \
	{                                                                                        \
		.gpus = 2, .start_s = start, .end_s = (start) + 1000, __VA_ARGS__                \
	}
/* It was at step FROM 100 s after its start, and at STEP, 900 s after it. */
#define SAID(start, from_, step_)                                                                \
	.has_pace = true, .pace = {                                                              \
		.from = from_, .step = step_, .since_s = (start) + 100, .at_s = (start) + 900    \
	}
#define CUT  .interrupted = true
#define ANEW .restart = true

static const struct {
	struct lw_ettr_attempt runs[RUNS_MAX];
	double most, least; /* of the allocated time, in thousandths */
	double repeated_s, restart_s, idle_s, doubt_s;
} vectors[] = {
	/* one run, of which nothing is known, is taken for productive */
	{ { RUN(1000) }, 1000, 1000, 0, 0, 0, 0 },
	/* idle GPUs are not */
	{ { RUN(1000, .recorded = true, .idle_s = 500) }, 750, 750, 0, 0, 500, 0 },
	/* more than there was is all of it */
	{ { RUN(1000, .recorded = true, .idle_s = 9000) }, 0, 0, 0, 0, 2000, 0 },
	/* an interrupted run may have been saved, or not; its record is of another run */
	{ { RUN(1000, CUT, .recorded = true, .idle_s = 500), RUN(3000, ANEW) },
	  1000,
	  500,
	  0,
	  0,
	  0,
	  2000 },
	/* nor is it known of one that did not run again */
	{ { RUN(1000, CUT, SAID(1000, 0, 800)) }, 1000, 0, 0, 0, 0, 2000 },
	/* a step a second: saved at 800 of 800, so 100 s were lost; the next was ready after 100
	 * s
	 */
	{ { RUN(1000, CUT, SAID(1000, 0, 800)), RUN(3000, ANEW, SAID(3000, 800, 1600)) },
	  900,
	  900,
	  200,
	  200,
	  0,
	  0 },
	/* saved at 500: 400 s were lost */
	{ { RUN(1000, CUT, SAID(1000, 0, 800)), RUN(3000, ANEW, SAID(3000, 500, 1300)) },
	  750,
	  750,
	  800,
	  200,
	  0,
	  0 },
	/* saved as it ended, at 900: nothing was */
	{ { RUN(1000, CUT, SAID(1000, 0, 800)), RUN(3000, ANEW, SAID(3000, 900, 1300)) },
	  950,
	  950,
	  0,
	  200,
	  0,
	  0 },
	/* from the beginning: all of the run, but not more */
	{ { RUN(1000, CUT, SAID(1000, 5000, 5800)), RUN(3000, ANEW, SAID(3000, 0, 800)) },
	  450,
	  450,
	  2000,
	  200,
	  0,
	  0 },
	/* the word of the run before still stands there: it tells nothing of this one */
	{ { RUN(1000, CUT, SAID(1000, 0, 800)), RUN(3000, ANEW, SAID(1000, 0, 800)) },
	  1000,
	  500,
	  0,
	  0,
	  0,
	  2000 },
	/* idle while it began anew counts once */
	{ { RUN(1000, CUT, SAID(1000, 0, 800)),
	    RUN(3000, ANEW, SAID(3000, 900, 1300), .recorded = true, .idle_s = 300) },
	  925,
	  925,
	  0,
	  200,
	  100,
	  0 },
	/* a word of a time to come, or backwards, is not believed */
	{ { RUN(1000, CUT, SAID(9000, 0, 800)), RUN(3000, ANEW, SAID(3000, 800, 1600)) },
	  950,
	  450,
	  0,
	  200,
	  0,
	  2000 },
	{ { RUN(1000, CUT, SAID(1000, 800, 800)), RUN(3000, ANEW, SAID(3000, 800, 1600)) },
	  950,
	  450,
	  0,
	  200,
	  0,
	  2000 },
};

TEST_EACH(lost_time_is_counted_once, LW_COUNT_OF(vectors))
{
	const struct lw_ettr_attempt *runs = vectors[_i].runs;
	struct lw_ettr ettr = { 0 };

	for (int i = 0; i < RUNS_MAX && runs[i].gpus; i++)
		lw_ettr_add(&ettr, &runs[i],
			    i + 1 < RUNS_MAX && runs[i + 1].gpus ? &runs[i + 1] : NULL);
	ck_assert_double_eq_tol(1000 * lw_ettr_most(&ettr), vectors[_i].most, 1e-9);
	ck_assert_double_eq_tol(1000 * lw_ettr_least(&ettr), vectors[_i].least, 1e-9);
	ck_assert_double_eq_tol(ettr.repeated_s, vectors[_i].repeated_s, 1e-9);
	ck_assert_double_eq_tol(ettr.restart_s, vectors[_i].restart_s, 1e-9);
	ck_assert_double_eq_tol(ettr.idle_s, vectors[_i].idle_s, 1e-9);
	ck_assert_double_eq_tol(ettr.doubt_s, vectors[_i].doubt_s, 1e-9);
}

TEST(without_a_gpu_there_is_none)
{
	const struct lw_ettr_attempt runs[] = { { .gpus = 0, .start_s = 1, .end_s = 2 },
						{ .gpus = 1, .start_s = 2, .end_s = 2 },
						{ .gpus = 1, .start_s = 3, .end_s = 2 } };
	struct lw_ettr ettr = { 0 };

	for (size_t i = 0; i < LW_COUNT_OF(runs); i++)
		lw_ettr_add(&ettr, &runs[i], NULL);
	ck_assert_uint_eq(ettr.runs, 0);
	ck_assert_double_lt(lw_ettr_most(&ettr), 0);
	ck_assert_double_lt(lw_ettr_share(&ettr, 1), 0);
}

static const struct {
	const char *state;
	bool interrupted;
} states[] = {
	{ "REQUEUED", true },   { "NODE_FAIL", true },  { "PREEMPTED", true },
	{ "COMPLETED", false }, { "CANCELLED", false }, { "RESIZING", false },
	{ "TIMEOUT", false },   { "FAILED", false },    { "", false },
};

TEST_EACH(what_ends_a_run_from_outside, LW_COUNT_OF(states))
{
	ck_assert_int_eq(lw_ettr_is_interrupted(states[_i].state), states[_i].interrupted);
}
