/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/habit: means of what jobs make of GPUs, in bounded memory. */
#include "predictor/habit.h"

#include "unit/unit.h"

#include <errno.h>
#include <string.h>

static struct lw_habits habits;

static void setup(void)
{
	memset(&habits, 0, sizeof(habits));
}

static void teardown(void)
{
	lw_habits_fini(&habits);
}

static void add(uint32_t user, uint32_t tag, uint32_t limit_s, int util, int mem, uint64_t stamp)
{
	const struct lw_habit_key key = { user, tag, limit_s };
	const struct lw_gpu_use use = { .has_util = util >= 0,
					.has_mem = mem >= 0,
					.util_percent = util < 0 ? 0 : (uint32_t)util,
					.idle_permille = util < 0 ? 0 : 10 * (uint32_t)util,
					.mem_mib = mem < 0 ? 0 : (uint32_t)mem };

	ck_assert_int_eq(lw_habits_add(&habits, &key, &use, stamp), 0);
}

static struct lw_gpu_use expect(uint32_t user, uint32_t tag, uint32_t limit_s)
{
	const struct lw_habit_key key = { user, tag, limit_s };
	struct lw_gpu_use use;

	ck_assert(lw_habits_expect(&habits, &key, &use));
	return use;
}

FIXTURE(setup, teardown);

/* The first ones count alike, later the latest weighs an eighth; a change shows soon. */
TEST(mean_follows_the_jobs)
{
	for (int i = 0; i < 4; i++)
		add(1, 1, 600, 40 + 20 * (i % 2), 1000, 1);
	ck_assert_uint_eq(expect(1, 1, 600).util_percent, 50);
	ck_assert_uint_eq(expect(1, 1, 600).idle_permille, 500);
	for (int i = 0; i < 40; i++)
		add(1, 1, 600, 90, 3000, 2);
	ck_assert_uint_ge(expect(1, 1, 600).util_percent, 89);
	ck_assert_uint_ge(expect(1, 1, 600).mem_mib, 2980);
	add(1, 1, 600, 0, 9000, 3);
	ck_assert_uint_le(expect(1, 1, 600).util_percent, 80);
	ck_assert_uint_eq(habits.entries[0].mem_max_mib, 9000);
	ck_assert_uint_eq(habits.entries[0].jobs, 45);
}

/* Each mean is of the jobs that told of it, whatever else they told of. */
TEST(what_gpm_tells_is_learned)
{
	const struct lw_habit_key key = { 1, 1, 600 };
	struct lw_gpu_use use = {
		.has_sm = true, .has_membw = true, .sm_percent = 20, .membw_percent = 60
	};

	ck_assert_int_eq(lw_habits_add(&habits, &key, &use, 1), 0);
	ck_assert(!expect(1, 1, 600).has_tensor);
	use = (struct lw_gpu_use){
		.has_sm = true, .has_tensor = true, .sm_percent = 40, .tensor_percent = 9
	};
	ck_assert_int_eq(lw_habits_add(&habits, &key, &use, 2), 0);
	add(1, 1, 600, 70, 500, 3);
	use = expect(1, 1, 600);
	ck_assert(use.has_sm && use.has_tensor && use.has_membw);
	ck_assert_uint_eq(use.sm_percent, 30);
	ck_assert_uint_eq(use.tensor_percent, 9);
	ck_assert_uint_eq(use.membw_percent, 60);
	ck_assert_uint_eq(use.util_percent, 70);
	ck_assert_uint_eq(habits.entries[0].sm_jobs, 2);
}

TEST(what_is_not_known_does_not_count)
{
	add(1, 1, 600, -1, 500, 1);
	ck_assert(!expect(1, 1, 600).has_util);
	add(1, 1, 600, 70, -1, 2);
	ck_assert_uint_eq(expect(1, 1, 600).util_percent, 70);
	ck_assert_uint_eq(expect(1, 1, 600).mem_mib, 500);
	ck_assert_uint_eq(habits.entries[0].util_jobs, 1);
}

/* By tag and limit, else by tag, else by user; and never by another user. */
TEST(the_nearest_is_asked)
{
	const struct lw_habit_key stranger = { 3, 1, 600 };
	struct lw_gpu_use use;

	add(1, 1, 600, 10, 100, 1);
	add(1, 1, 3600, 40, 100, 1);
	add(1, 2, 600, 90, 100, 1);
	add(2, 1, 600, 99, 100, 1);
	ck_assert_uint_eq(expect(1, 1, 600).util_percent, 10);
	ck_assert_uint_eq(expect(1, 1, 60).util_percent, 25);
	ck_assert_uint_eq(expect(1, LW_HABIT_UNTAGGED, 60).util_percent, 47);
	ck_assert(!lw_habits_expect(&habits, &stranger, &use));
}

/* nvlink, pcie; below 0: not known */
static void add_traffic(int nvlink, int pcie)
{
	const struct lw_habit_key key = { 1, 1, 600 };
	const struct lw_gpu_use use = { .has_util = true,
					.has_nvlink = nvlink >= 0,
					.has_pcie = pcie >= 0,
					.nvlink_mib_s = nvlink < 0 ? 7 : (uint32_t)nvlink,
					.pcie_mib_s = pcie < 0 ? 7 : (uint32_t)pcie };

	ck_assert_int_eq(lw_habits_add(&habits, &key, &use, 1), 0);
}

/* What two runs showed, and whether a gang talks: one that is not tagged, and one that is. */
static const struct {
	int nvlink, pcie, nvlink2, pcie2;
	bool untagged, tagged;
} communicating[] = {
	{ -1, 1000, -1, 1000, true, true },
	{ 0, 900, 0, 1100, true, true },
	{ 0, 900, 0, 1090, false, true }, /* between: as the tag says */
	{ -1, 100, -1, 100, false, false },
	{ 100, 0, 100, 0, false, false },
	{ -1, 101, -1, 101, false, true },
	{ 101, 0, 101, 0, false, true },
	{ 90000, 0, 90000, 0, false, true }, /* inside the nodes, or a domain of NVLink */
	{ 90000, 1000, 90000, 1000, true, true },
	{ 90000, -1, 90000, -1, false, true },
	{ 0, -1, 0, -1, false, true }, /* what is not known is not 0 */
	{ -1, 5000, -1, -1, false, true },
	{ -1, 0, -1, -1, false, true },
};

/* One run is chance; of another limit, tag or user nothing is told. */
TEST(the_most_memory_is_kept)
{
	const struct lw_habit_key key = { 1, 2, 600 }, other = { 1, 2, 601 };

	ck_assert_uint_eq(lw_habits_memory_mib(&habits, &key), 0);
	add(1, 2, 600, 50, 30000, 1);
	ck_assert_uint_eq(lw_habits_memory_mib(&habits, &key), 0);
	add(1, 2, 600, 50, -1, 2);
	ck_assert_uint_eq(lw_habits_memory_mib(&habits, &key), 0);
	add(1, 2, 600, 50, 20000, 3);
	ck_assert_uint_eq(lw_habits_memory_mib(&habits, &key), 30000);
	ck_assert_uint_eq(lw_habits_memory_mib(&habits, &other), 0);
}

TEST_EACH(runs_show_who_talks, LW_COUNT_OF(communicating))
{
	const struct lw_habit_key key = { 1, 1, 600 }, other = { 1, 1, 700 };

	ck_assert(!lw_habits_communicate(&habits, &key, false));
	add_traffic(communicating[_i].nvlink, communicating[_i].pcie);
	ck_assert(!lw_habits_communicate(&habits, &key, false));
	ck_assert(lw_habits_communicate(&habits, &key, true));
	add_traffic(communicating[_i].nvlink2, communicating[_i].pcie2);
	ck_assert_int_eq(lw_habits_communicate(&habits, &key, false), communicating[_i].untagged);
	ck_assert_int_eq(lw_habits_communicate(&habits, &key, true), communicating[_i].tagged);
	ck_assert(!lw_habits_communicate(&habits, &other, false));
	ck_assert(lw_habits_communicate(&habits, &other, true));
}

TEST(full_table_forgets_the_oldest)
{
	for (uint32_t i = 0; i < LW_HABITS_MAX; i++)
		add(i, 1, 600, 50, 100, i + 1);
	add(0, 1, 600, 50, 100, LW_HABITS_MAX + 1);
	add(LW_HABITS_MAX, 1, 600, 50, 100, LW_HABITS_MAX + 2);
	ck_assert_uint_eq(habits.count, LW_HABITS_MAX);
	/* user 1 went, and 0, who came back, stayed */
	ck_assert_uint_eq(habits.entries[0].key.user, 0);
	ck_assert_uint_eq(habits.entries[1].key.user, 2);
	for (uint32_t i = 1; i < habits.count; i++)
		ck_assert_uint_lt(habits.entries[i - 1].key.user, habits.entries[i].key.user);
	ck_assert_int_eq(lw_habits_append(&habits, &(struct lw_habit){ .key = { 9999, 1, 1 } }),
			 -ENOSPC);
	ck_assert_int_eq(lw_habits_append(&habits, &habits.entries[7]), -EINVAL);
}
