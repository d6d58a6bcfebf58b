/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/link: for whose end a job waits that depends on others. */
#include "slurm/read/link.h"

#include "unit/unit.h"

#define MET	    { LW_LINK_MET, 0, 0 }
#define FAILED	    { LW_LINK_FAILED, 0, 0 }
#define OPEN	    { LW_LINK_OPEN, 0, 0 }
#define RUNS(id, s) { LW_LINK_RUNS, id, s }
#define DUE(id, s)  { LW_LINK_DUE, id, s }

static const struct {
	struct lw_link links[3];
	uint32_t count;
	bool any;
	/* what comes of it */
	bool planned;
	uint32_t after;
	int64_t after_s, earliest_s;
} vectors[] = {
	/* all are to be met */
	{ { RUNS(1, 100) }, 1, false, true, 1, 100, 0 },
	{ { RUNS(1, 100), RUNS(2, 200) }, 2, false, true, 2, 200, 0 },
	{ { RUNS(2, 200), RUNS(1, 100) }, 2, false, true, 2, 200, 0 },
	{ { RUNS(2, 200), RUNS(1, 200) }, 2, false, true, 2, 200, 0 },
	{ { RUNS(1, 200), RUNS(2, 200) }, 2, false, true, 2, 200, 0 },
	{ { MET, RUNS(1, 100) }, 2, false, true, 1, 100, 0 },
	{ { OPEN, RUNS(1, 100) }, 2, false, false, 0, 0, 0 },
	{ { RUNS(1, 100), OPEN }, 2, false, false, 0, 0, 0 },
	{ { RUNS(1, 100), FAILED }, 2, false, false, 0, 0, 0 },
	{ { MET, MET }, 2, false, false, 0, 0, 0 },
	{ { MET }, 0, false, false, 0, 0, 0 },
	{ { DUE(1, 50) }, 1, false, true, 0, 0, 50 },
	{ { DUE(1, 50), RUNS(2, 40), DUE(3, 60) }, 3, false, true, 2, 40, 60 },
	/* one of them is enough */
	{ { RUNS(1, 100), RUNS(2, 50) }, 2, true, true, 2, 50, 0 },
	{ { RUNS(2, 50), RUNS(1, 100) }, 2, true, true, 2, 50, 0 },
	{ { OPEN, RUNS(1, 100), FAILED }, 3, true, true, 1, 100, 0 },
	{ { RUNS(1, 100), DUE(2, 60) }, 2, true, true, 0, 0, 60 },
	{ { MET, RUNS(1, 100) }, 2, true, false, 0, 0, 0 },
	{ { OPEN, FAILED }, 2, true, false, 0, 0, 0 },
};

TEST_EACH(links_join, LW_COUNT_OF(vectors))
{
	struct lw_follow follow = { .job_id = 9 };

	ck_assert_int_eq(lw_links_join(vectors[_i].links, vectors[_i].count, vectors[_i].any,
				       &follow), vectors[_i].planned);
	ck_assert_uint_eq(follow.job_id, 9);
	if (!vectors[_i].planned)
		return;
	ck_assert_uint_eq(follow.after, vectors[_i].after);
	ck_assert_int_eq(follow.after_s, vectors[_i].after_s);
	ck_assert_int_eq(follow.earliest_s, vectors[_i].earliest_s);
}

static const struct {
	struct lw_follow follow;
	int64_t begin_s;
	bool planned;
	int64_t earliest_s;
} begins[] = {
	{ { .after = 1, .after_s = 100 }, 0, true, 0 },
	{ { .after = 1, .after_s = 100 }, 10, true, 0 }, /* it is past */
	{ { .after = 1, .after_s = 100 }, 90, true, 90 },
	{ { .after = 1, .after_s = 100, .earliest_s = 95 }, 90, true, 95 },
	{ { .after = 1, .after_s = 100 }, 100, true, 100 },
	{ { .after = 1, .after_s = 100 }, 101, false, 0 },
	{ { .earliest_s = 50 }, 40, false, 50 },
	{ { .earliest_s = 50 }, 10, true, 50 },
};

TEST_EACH(a_begin_time_counts_beside, LW_COUNT_OF(begins))
{
	struct lw_follow follow = begins[_i].follow;

	ck_assert_int_eq(lw_link_begin(&follow, begins[_i].begin_s, 10), begins[_i].planned);
	ck_assert_int_eq(follow.earliest_s, begins[_i].earliest_s);
}

static const struct {
	struct lw_link a, b, later, sooner;
} pairs[] = {
	{ RUNS(1, 100), RUNS(2, 200), RUNS(2, 200), RUNS(1, 100) },
	{ RUNS(2, 100), RUNS(1, 100), RUNS(2, 100), RUNS(1, 100) },
	{ RUNS(1, 100), DUE(2, 50), RUNS(1, 100), DUE(2, 50) },
	{ MET, RUNS(1, 100), RUNS(1, 100), RUNS(1, 100) },
	{ RUNS(1, 100), MET, RUNS(1, 100), RUNS(1, 100) },
	{ OPEN, RUNS(1, 100), OPEN, RUNS(1, 100) },
	{ RUNS(1, 100), OPEN, OPEN, RUNS(1, 100) },
};

static void same(struct lw_link a, struct lw_link b)
{
	ck_assert_int_eq(a.state, b.state);
	ck_assert_uint_eq(a.job_id, b.job_id);
	ck_assert_int_eq(a.when_s, b.when_s);
}

TEST_EACH(of_two_links_one_comes_later, LW_COUNT_OF(pairs))
{
	same(lw_link_later(pairs[_i].a, pairs[_i].b), pairs[_i].later);
	same(lw_link_sooner(pairs[_i].a, pairs[_i].b), pairs[_i].sooner);
}
