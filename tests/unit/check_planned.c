/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/planned: which starts of a plan the next one knows of. */
#include "slurm/keep/planned.h"

#include "unit/unit.h"

/* By waiting record: the record's variant, and what the plan decided of it. */
static struct lw_waiting records[] = {
	{ .job_id = 1 }, { .job_id = 2 },
	{ .job_id = 2, .variant = 1, .request = { .nodes_min = 3, .nodes_max = 5 } },
	{ .job_id = 3 },
	{ .job_id = 4 }, { .job_id = 5 },
};

static const struct lw_decision decisions[] = {
	{ .waiting = 0, .job_id = 1, .verdict = LW_START, .start_s = 1000 },
	{ .waiting = 1, .job_id = 2, .verdict = LW_WAIT, .start_s = LW_NO_TIME },
	{ .waiting = 2, .job_id = 2, .verdict = LW_RESERVE, .start_s = 2000 },
	/* an array: one task starts, the next has a reservation */
	{ .waiting = 3, .job_id = 3, .verdict = LW_START, .start_s = 1000 },
	{ .waiting = 3, .job_id = 3, .verdict = LW_RESERVE, .start_s = 3000 },
	/* two that were offered their start and wait for others to make room, one of an array */
	{ .waiting = 4, .job_id = 4, .verdict = LW_START, .start_s = 1000 },
	{ .waiting = 5, .job_id = 5, .verdict = LW_START, .start_s = 1000 },
	{ .waiting = 5, .job_id = 5, .verdict = LW_RESERVE, .start_s = 4000 },
};

static const struct {
	uint32_t job_id, variant;
	int64_t start_s;
} vectors[] = {
	{ 1, 0, 0 }, { 2, 0, 0 }, { 2, 1, 2000 }, { 3, 0, 3000 }, { 3, 1, 0 },
	{ 4, 0, 1000 }, { 5, 0, 1000 }, { 6, 0, 0 },
};

static void keep(struct lw_planned *planned, uint32_t count)
{
	struct lw_snapshot snap = { .waiting = records };
	struct lw_lookup wait = { 0 };
	struct lw_plan plan;

	ck_assert_int_eq(lw_lookup_put(&wait, lw_planned_key(4, 0), 0), 0);
	ck_assert_int_eq(lw_lookup_put(&wait, lw_planned_key(5, 0), 0), 0);
	lw_plan_init(&plan);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_int_eq(lw_plan_add(&plan, &decisions[i], NULL, 0), 0);
	lw_planned_keep(planned, &plan, &snap, &wait);
	lw_lookup_fini(&wait);
	lw_plan_fini(&plan);
}

TEST_EACH(reserved_starts_are_known, LW_COUNT_OF(vectors))
{
	struct lw_planned planned = { 0 };

	keep(&planned, LW_COUNT_OF(decisions));
	ck_assert_int_eq(
		lw_planned_find(&planned, vectors[_i].job_id, vectors[_i].variant),
		vectors[_i].start_s);
	lw_planned_fini(&planned);
}

TEST(and_the_fewest_nodes_of_each)
{
	struct lw_planned planned = { 0 };

	ck_assert_uint_eq(lw_planned_least(&planned, 2, 1), 0);
	keep(&planned, LW_COUNT_OF(decisions));
	ck_assert_uint_eq(lw_planned_least(&planned, 2, 1), 3);
	ck_assert_uint_eq(lw_planned_least(&planned, 2, 0), 0);
	lw_planned_fini(&planned);
}

TEST(those_of_an_older_plan_are_forgotten)
{
	struct lw_planned planned = { 0 };

	ck_assert_int_eq(lw_planned_find(&planned, 2, 1), 0);
	keep(&planned, LW_COUNT_OF(decisions));
	keep(&planned, 3);
	ck_assert_int_eq(lw_planned_find(&planned, 2, 1), 2000);
	ck_assert_int_eq(lw_planned_find(&planned, 3, 0), 0);
	lw_planned_fini(&planned);
}
