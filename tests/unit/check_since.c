/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/since: a job that is requeued keeps its age, over restarts, too. */
#include "slurm/keep/since.h"

#include "base/quota.h"
#include "base/savefile.h"
#include "unit/last_error.h"
#include "unit/scratch.h"

#include <stdint.h>
#include <string.h>

#define NOW 5000

static struct lw_since *since;

static void open_since(void)
{
	ck_assert_int_eq(lw_since_create(scratch_path("since"), NOW, &test_log, &since), 0);
}

static void setup(void)
{
	last_error[0] = '\0';
	scratch_setup();
	open_since();
}

static void teardown(void)
{
	lw_since_destroy(since);
	scratch_teardown();
}

/* A reading that sees JOB_ID, which has not ended. */
static void read_job(uint32_t job_id)
{
	lw_since_begin(since);
	lw_since_alive(since, job_id, 1);
	lw_since_end(since);
}

static void restart(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_since_save(since, &err), 0);
	lw_since_destroy(since);
	open_since();
}

FIXTURE(setup, teardown);

TEST(a_requeued_job_keeps_its_age)
{
	lw_since_runs(since, 7, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 1000);
	/* it runs again, and is requeued again */
	lw_since_runs(since, 7, 1, 3000, true);
	ck_assert_int_eq(lw_since_of(since, 7, 4000, true), 1000);
}

TEST(over_restarts_too)
{
	lw_since_runs(since, 7, 1, 1000, false);
	lw_since_runs(since, 8, 1, 1100, false);
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 1000);
	restart();
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 1000);
	/* what Slurm knows itself is not written */
	ck_assert_uint_eq(lw_since_count(since), 1);
	ck_assert_str_eq(last_error, "");
}

TEST(it_is_dropped_when_the_job_ends)
{
	lw_since_runs(since, 7, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 1000);
	restart();
	read_job(7);
	ck_assert_uint_eq(lw_since_count(since), 1);
	read_job(8);
	ck_assert_uint_eq(lw_since_count(since), 0);
	restart();
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 3000);
}

TEST(a_number_may_be_given_anew)
{
	lw_since_runs(since, 7, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 7, 3000, false), 3000);
	lw_since_runs(since, 7, 1, 1000, false);
	lw_since_runs(since, 7, 1, 2000, false);
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 2000);
}

TEST(who_begins_later_is_younger)
{
	ck_assert_int_eq(lw_since_of(since, 7, 1000, false), 1000);
	lw_since_begins(since, 7, 1, 6000);
	ck_assert_int_eq(lw_since_of(since, 7, 1000, false), 6000);
	lw_since_begins(since, 7, 1, 7000);
	restart();
	ck_assert_int_eq(lw_since_of(since, 7, 1000, false), 7000);
	/* once it runs its submission counts, should it be requeued */
	lw_since_runs(since, 7, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 7, 8000, true), 1000);
}

TEST(without_a_table_slurm_is_right)
{
	ck_assert_int_eq(lw_since_of(NULL, 7, 3000, true), 3000);
}

TEST(it_is_bounded)
{
	for (uint32_t i = 1; i <= LW_SINCE_MAX + 10; i++)
		lw_since_runs(since, i, i % 100, 1000, false);
	ck_assert_uint_eq(lw_since_count(since), LW_SINCE_MAX);
	ck_assert_int_eq(lw_since_of(since, LW_SINCE_MAX, 3000, true), 1000);
	ck_assert_int_eq(lw_since_of(since, LW_SINCE_MAX + 1, 3000, true), 3000);
}

/* By begin times to come, which cost nothing, one user takes half: there is room for all others.
 */
TEST(one_user_does_not_fill_it)
{
	for (uint32_t i = 1; i <= LW_SINCE_MAX + 10; i++)
		lw_since_begins(since, i, 1, 6000);
	ck_assert_uint_eq(lw_since_count(since), LW_SINCE_MAX / 2);
	lw_since_runs(since, 100000, 2, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 100000, 3000, true), 1000);
	/* whose they are is found anew in each reading */
	lw_since_begin(since);
	for (uint32_t i = 1; i <= LW_SINCE_MAX / 2; i++)
		lw_since_alive(since, i, 1);
	lw_since_end(since);
	lw_since_runs(since, 100000, 1, 1000, false);
	lw_since_runs(since, 100001, 2, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 100000, 3000, true), 3000);
	ck_assert_int_eq(lw_since_of(since, 100001, 3000, true), 1000);
}

/* User 1 is beyond its quota then. */
TEST(a_change_in_a_half_full_table_is_kept)
{
	for (uint32_t i = 1; i <= LW_SINCE_MAX / 2; i++)
		lw_since_begins(since, i, 1, 6000);
	lw_since_begins(since, 100000, 2, 6000);
	lw_since_begins(since, 7, 1, 7000);
	ck_assert_int_eq(lw_since_of(since, 7, 1000, false), 7000);
	lw_since_runs(since, 7, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 7, 3000, true), 1000);
	/* nor has a job two places */
	ck_assert_uint_eq(lw_since_count(since), LW_SINCE_MAX / 2 + 1);
}

TEST(what_is_removed_counts_no_longer)
{
	uint32_t quota = lw_quota(LW_SINCE_MAX);

	for (uint32_t i = 1; i <= quota; i++)
		lw_since_runs(since, i, 1, 1000, false);
	for (uint32_t i = quota + 1; i <= LW_SINCE_MAX / 2 + 1; i++)
		lw_since_runs(since, i, i, 1000, false);
	/* the number was another job's */
	ck_assert_int_eq(lw_since_of(since, 1, 3000, false), 3000);
	lw_since_runs(since, 100000, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 100000, 3000, true), 1000);
	/* a job of another user has the number of one that was: there is room for one more */
	lw_since_runs(since, 2, 2, 2000, false);
	lw_since_runs(since, 100001, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 100001, 3000, true), 1000);
	lw_since_runs(since, 100002, 1, 1000, false);
	ck_assert_int_eq(lw_since_of(since, 100002, 3000, true), 3000);
}

static const char *const damaged[] = {
	"job\n", "job 7\n", "job 0 1000\n", "job 7 0\n", "job 7 1000 1\n", "jib 7 1000\n",
	"job -7 1000\n", "job 7 -1000\n", "job 7 1000\njob 7 1000\n", "job 99999999999 1000\n",
	"job 7 9999999999999\n",
};

TEST_EACH(a_damaged_file_is_set_aside, LW_COUNT_OF(damaged))
{
	struct lw_error err;

	lw_since_destroy(since);
	ck_assert_int_eq(lw_savefile_write(scratch_path("since"), "since", 1, damaged[_i],
					   strlen(damaged[_i]), &err), 0);
	open_since();
	ck_assert_uint_eq(lw_since_count(since), 0);
	ck_assert_ptr_nonnull(strstr(last_error, "set aside as"));
}

/* Of every state file: a reader of lines would end there. */
TEST(a_nul_byte_is_damage)
{
	static const char text[] = "job 7 1000\n\0job 8 1000\n";
	struct lw_error err;

	lw_since_destroy(since);
	ck_assert_int_eq(lw_savefile_write(scratch_path("since"), "since", 1, text,
					   sizeof(text) - 1, &err),
			 0);
	open_since();
	ck_assert_uint_eq(lw_since_count(since), 0);
	ck_assert_ptr_nonnull(strstr(last_error, "a NUL byte in it; set aside as"));
}

/* Weight 1000 at 100 s. */
static const struct {
	int64_t since_s, given_s;
	uint32_t missing;
} ages[] = {
	{ NOW - 50, 0, 500 },	      /* Slurm counts nothing yet */
	{ NOW - 50, NOW - 10, 400 },
	{ NOW - 50, NOW - 50, 0 },
	{ NOW - 10, NOW - 50, 0 },    /* Slurm knows better */
	{ NOW - 200, 0, 1000 },	      /* not above PriorityMaxAge */
	{ NOW - 200, NOW - 150, 0 },
	{ NOW - 200, NOW - 30, 700 },
	{ NOW + 10, 0, 0 },	      /* it is to begin later */
};

TEST_EACH(age_is_made_up_for, LW_COUNT_OF(ages))
{
	const struct lw_age age = { .weight = 1000, .max_s = 100 };

	ck_assert_uint_eq(lw_age_missing(&age, NOW, ages[_i].since_s, ages[_i].given_s),
			  ages[_i].missing);
}

TEST(without_a_weight_there_is_no_age)
{
	const struct lw_age light = { .weight = 0, .max_s = 100 };
	const struct lw_age young = { .weight = 1000, .max_s = 0 };
	const struct lw_age heavy = { .weight = UINT32_MAX, .max_s = 100 };

	ck_assert_uint_eq(lw_age_missing(&light, NOW, 1, 0), 0);
	ck_assert_uint_eq(lw_age_missing(&young, NOW, 1, 0), 0);
	ck_assert_uint_eq(lw_age_missing(&heavy, NOW, 1, 0), UINT32_MAX);
}
