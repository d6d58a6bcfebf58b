/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu: is a GPU idle or busy, by what its job's record says. */
#include "cli/gpu/gpu.h"
#include "unit/gpu_play.h"
#include "unit/scratch.h"
#include "unit/unit.h"

static const struct {
	struct phase phases[4];
	enum lw_gpu_verdict verdict;
	bool covered, idle; /* in the last 20 minutes of 2000 s */
	int64_t since_s;    /* after the start */
} cases[] = {
	{ { { 200, 80, 9000, 1 } }, TOOLS_GPU_OK, true, false, 2000 },
	{ { { 200, 10, 9000, 1 } }, TOOLS_GPU_LOW, true, false, 2000 },
	{ { { 200, 0, 9000, 1 } }, TOOLS_GPU_IDLE, true, true, 0 },
	{ { { 200, 0, 9000, -1 } }, TOOLS_GPU_IDLE, true, true, 0 },
	{ { { 200, 0, 500, 0 } }, TOOLS_GPU_EMPTY, true, true, 0 },
	/* worked once, then waits: no mean shows it, the window does */
	{ { { 80, 90, 9000, 1 }, { 120, 0, 9000, 1 } }, TOOLS_GPU_OK, true, true, 800 },
	{ { { 81, 90, 9000, 1 }, { 119, 0, 9000, 1 } }, TOOLS_GPU_OK, true, false, 810 },
	{ { { 199, 0, 9000, 1 }, { 1, 5, 9000, 1 } }, TOOLS_GPU_IDLE, true, false, 2000 },
	/* no utilisation: processes may still tell */
	{ { { 200, -1, 9000, 2 } }, TOOLS_GPU_UNSUPPORTED, true, false, 2000 },
	{ { { 200, -1, 9000, 0 } }, TOOLS_GPU_EMPTY, true, true, 0 },
	{ { { 200, -1, -1, -1 } }, TOOLS_GPU_UNSUPPORTED, true, false, 2000 },
	/* too few readings to say anything */
	{ { { 110, 0, 9000, 1 } }, TOOLS_GPU_IDLE, false, false, 0 },
	{ { { 0, 0, 0, 0 } }, TOOLS_GPU_UNREAD, false, false, 0 },
};

TEST_EACH(record_is_judged, LW_COUNT_OF(cases))
{
	const struct lw_gpu_request request = { .now_s = START + 2000,
						.window_s = 1200,
						.util_below = 1 };
	struct lw_record *record = make_record(1, "n1", 1);
	struct lw_gpu_window window;

	play(record, cases[_i].phases);
	ck_assert_str_eq(lw_gpu_verdict_name(lw_gpu_judge(record, 0)),
			 lw_gpu_verdict_name(cases[_i].verdict));
	window = lw_gpu_look(&request, record, 0);
	ck_assert_int_eq(window.covered, cases[_i].covered);
	ck_assert_int_eq(window.idle, cases[_i].idle);
	ck_assert_int_eq(window.since_s, START + cases[_i].since_s);
	lw_record_destroy(record);
}

TEST(memory_may_count_as_work)
{
	const struct phase phases[] = { { 200, 0, 9000, 1 }, { 0, 0, 0, 0 } };
	struct lw_gpu_request request = {
		.now_s = START + 2000, .window_s = 1200, .util_below = 1, .mem_below_mib = 9000
	};
	struct lw_record *record = make_record(1, "n1", 1);

	play(record, phases);
	ck_assert(!lw_gpu_look(&request, record, 0).idle);
	request.mem_below_mib = 9001;
	ck_assert(lw_gpu_look(&request, record, 0).idle);
	request.window_s = 2001; /* the job is not as old as that */
	ck_assert(!lw_gpu_look(&request, record, 0).covered);
	lw_record_destroy(record);
}
