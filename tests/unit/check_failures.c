/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/failures: what is known of a job that lost a node. */
#include "slurm/keep/failures.h"

#include "base/quota.h"
#include "base/savefile.h"
#include "unit/last_error.h"
#include "unit/scratch.h"

#include <stdint.h>
#include <string.h>

#define NOW 500000

static struct lw_failures *failures;

static void open_failures(void)
{
	ck_assert_int_eq(lw_failures_create(scratch_path("failures"), NOW, &test_log, &failures),
			 0);
}

static void setup(void)
{
	last_error[0] = '\0';
	scratch_setup();
	open_failures();
}

static void teardown(void)
{
	lw_failures_destroy(failures);
	scratch_teardown();
}

static void restart(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_failures_save(failures, &err), 0);
	lw_failures_destroy(failures);
	open_failures();
}

static bool is_gone(void *arg, const struct lw_failure *failure)
{
	return failure->job_id == *(const uint32_t *)arg;
}

/* Time goes on to NOW_S, and the job of that number ends. */
static void pass(int64_t now_s, uint32_t ended)
{
	lw_failures_expire(failures, now_s, is_gone, &ended);
}

FIXTURE(setup, teardown);

TEST(a_job_that_lost_a_node_is_to_run_again)
{
	const struct lw_failure *failure = lw_failures_note(failures, 7, 1, NOW, "n1");

	ck_assert_int_eq(failure->state, LW_FAILURE_DUE);
	ck_assert_uint_eq(failure->tries, 1);
	ck_assert_uint_eq(failure->node_count, 1);
	ck_assert_str_eq(failure->nodes[0].name, "n1");
	ck_assert_ptr_null(lw_failures_find(failures, 8));
	ck_assert_ptr_null(lw_failures_find(NULL, 7));
}

TEST(two_nodes_at_once_are_one_try)
{
	lw_failures_note(failures, 7, 1, NOW, "n1");
	lw_failures_note(failures, 7, 1, NOW, "n2");
	ck_assert_uint_eq(lw_failures_find(failures, 7)->tries, 1);
	ck_assert_uint_eq(lw_failures_find(failures, 7)->node_count, 2);
}

TEST(each_further_failure_is_a_try)
{
	struct lw_failure *failure = lw_failures_note(failures, 7, 1, NOW, "n1");

	lw_failures_set(failures, failure, LW_FAILURE_OVER);
	/* in the same second, but it ran in between */
	failure = lw_failures_note(failures, 7, 1, NOW, "n2");
	ck_assert_int_eq(failure->state, LW_FAILURE_DUE);
	ck_assert_uint_eq(failure->tries, 2);
	lw_failures_note(failures, 7, 1, NOW + 100, "n1");
	ck_assert_uint_eq(lw_failures_find(failures, 7)->tries, 3);
	ck_assert_uint_eq(lw_failures_find(failures, 7)->node_count, 2);
}

TEST(a_day_later_tries_are_counted_anew)
{
	lw_failures_note(failures, 7, 1, NOW, "n1");
	lw_failures_note(failures, 7, 1, NOW + LW_FAILURE_DAY_S - 1, "n2");
	ck_assert_uint_eq(lw_failures_find(failures, 7)->tries, 2);
	lw_failures_note(failures, 7, 1, NOW + LW_FAILURE_DAY_S, "n3");
	ck_assert_uint_eq(lw_failures_find(failures, 7)->tries, 1);
}

TEST(a_node_is_forgotten_after_a_day)
{
	lw_failures_note(failures, 7, 1, NOW, "n1");
	lw_failures_note(failures, 7, 1, NOW + 1000, "n2");
	pass(NOW + LW_FAILURE_DAY_S - 1, 0);
	ck_assert_uint_eq(lw_failures_find(failures, 7)->node_count, 2);
	pass(NOW + LW_FAILURE_DAY_S, 0);
	ck_assert_uint_eq(lw_failures_find(failures, 7)->node_count, 1);
	ck_assert_str_eq(lw_failures_find(failures, 7)->nodes[0].name, "n2");
	pass(NOW + 1000 + LW_FAILURE_DAY_S, 0);
	ck_assert_uint_eq(lw_failures_count(failures), 0);
}

TEST(a_job_that_ends_is_forgotten)
{
	lw_failures_note(failures, 7, 1, NOW, "n1");
	lw_failures_note(failures, 8, 1, NOW, "n1");
	pass(NOW, 7);
	ck_assert_uint_eq(lw_failures_count(failures), 1);
	ck_assert_uint_eq(lw_failures_at(failures, 0)->job_id, 8);
	lw_failures_clear(failures);
	restart();
	ck_assert_uint_eq(lw_failures_count(failures), 0);
}

TEST(a_number_may_be_given_anew)
{
	lw_failures_note(failures, 7, 1, NOW, "n1");
	lw_failures_note(failures, 7, 2, NOW + 10, "n2");
	ck_assert_uint_eq(lw_failures_find(failures, 7)->user, 2);
	ck_assert_uint_eq(lw_failures_find(failures, 7)->tries, 1);
	ck_assert_uint_eq(lw_failures_find(failures, 7)->node_count, 1);
}

TEST(the_oldest_of_many_nodes_gives_way)
{
	const struct lw_failure *failure;
	char name[16];

	for (int i = 0; i <= LW_FAILURE_NODES_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		lw_failures_note(failures, 7, 1, NOW + i, name);
	}
	failure = lw_failures_find(failures, 7);
	ck_assert_uint_eq(failure->node_count, LW_FAILURE_NODES_MAX);
	ck_assert_str_eq(failure->nodes[0].name, name);
}

/* It runs again all the same. */
TEST(a_node_may_be_nameless)
{
	char name[LW_FAILURE_NAME_MAX + 1];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(lw_failures_note(failures, 7, 1, NOW, NULL)->state, LW_FAILURE_DUE);
	ck_assert_uint_eq(lw_failures_note(failures, 7, 1, NOW, name)->node_count, 0);
	name[sizeof(name) - 2] = '\0';
	ck_assert_uint_eq(lw_failures_note(failures, 7, 1, NOW, name)->node_count, 1);
}

TEST(it_is_read_back)
{
	const struct lw_failure *failure;

	lw_failures_note(failures, 9, 3, NOW, NULL);
	lw_failures_set(failures, lw_failures_note(failures, 7, 1, NOW, "n1"), LW_FAILURE_OPEN);
	lw_failures_note(failures, 7, 1, NOW + 10, "n2");
	lw_failures_set(failures, lw_failures_find(failures, 7), LW_FAILURE_OPEN);
	restart();
	failure = lw_failures_find(failures, 7);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->user, 1);
	ck_assert_uint_eq(failure->tries, 2);
	ck_assert_int_eq(failure->since_s, NOW);
	ck_assert_int_eq(failure->failed_s, NOW + 10);
	ck_assert_int_eq(failure->state, LW_FAILURE_OPEN);
	ck_assert_uint_eq(failure->node_count, 2);
	ck_assert_str_eq(failure->nodes[1].name, "n2");
	ck_assert_int_eq(failure->nodes[1].failed_s, NOW + 10);
	ck_assert_uint_eq(lw_failures_find(failures, 9)->node_count, 0);
	ck_assert_str_eq(last_error, "");
}

TEST(it_is_bounded)
{
	for (uint32_t i = 1; i <= LW_FAILURES_MAX; i++)
		ck_assert_ptr_nonnull(lw_failures_note(failures, i, i % 100, NOW, "n1"));
	ck_assert_ptr_null(lw_failures_note(failures, LW_FAILURES_MAX + 1, 200, NOW, "n1"));
	ck_assert_ptr_nonnull(lw_failures_note(failures, 7, 7, NOW + 10, "n2"));
	restart();
	ck_assert_uint_eq(lw_failures_count(failures), LW_FAILURES_MAX);
}

TEST(one_user_does_not_fill_it)
{
	for (uint32_t i = 1; i <= LW_FAILURES_MAX; i++)
		lw_failures_note(failures, i, 1, NOW, "n1");
	ck_assert_uint_eq(lw_failures_count(failures), LW_FAILURES_MAX / 2);
	ck_assert_ptr_nonnull(lw_failures_note(failures, LW_FAILURES_MAX, 2, NOW, "n1"));
}

static const char *const damaged[] = {
	"job\n",
	"job 7\n",
	"job 7 1 1000 1000 1\n",
	"job 0 1 1000 1000 1 0\n",
	"job 7 1 1000 1000 0 0\n",
	"job 7 1 1000 1000 1 3\n",
	"job 7 1 1000 1000 1 1 \n",
	"job 7 1 1000 1000 1 1 n1\n",
	"job 7 1 1000 1000 1 1 n1 \n",
	"job 7 1 1000 1000 1 1 n1 x\n",
	"job 7 1 1000 1000 1 1  1000\n",
	"job 7 1 1000 1000 1 1x\n",
	"jib 7 1 1000 1000 1 1\n",
	"job -7 1 1000 1000 1 1\n",
	"job 7 1 9999999999999 1000 1 1\n",
	"job 7 1 1000 1000 1 1\njob 7 1 1000 1000 1 1\n",
	"job 7 1 1000 1000 1 1 a 1 b 1 c 1 d 1 e 1 f 1 g 1 h 1 i 1\n",
	"job 7 1 1000 1000 1 1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	"aaaa 1\n",
};

TEST_EACH(a_damaged_file_is_set_aside, LW_COUNT_OF(damaged))
{
	struct lw_error err;

	lw_failures_destroy(failures);
	ck_assert_int_eq(lw_savefile_write(scratch_path("failures"), "failures", 1, damaged[_i],
					   strlen(damaged[_i]), &err),
			 0);
	open_failures();
	ck_assert_uint_eq(lw_failures_count(failures), 0);
	ck_assert_ptr_nonnull(strstr(last_error, "set aside"));
}
