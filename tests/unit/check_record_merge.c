/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of records of GPU use: steps that are added up. */
#include "unit/records.h"
#include "unit/unit.h"

#include <errno.h>

TEST(steps_one_after_the_other_add_up)
{
	struct lw_record *a = make_record("0", 1, 10), *b = make_record("1", 2, 10);

	for (int i = 0; i < 100; i++)
		add(a, i * 10, 40, 100);
	for (int i = 100; i < 300; i++)
		add(b, i * 10, 80, 200);
	ck_assert_int_eq(lw_record_merge(a, b), 0);
	ck_assert_uint_eq(a->head.gpu_count, 2);
	ck_assert_uint_eq(gpu_of(a, 0).samples, 300);
	ck_assert_uint_eq(gpu_of(a, 1).samples, 200);
	ck_assert_uint_eq(gpu_of(a, 0).stat[LW_METRIC_MEM].max, 200);
	ck_assert_str_eq(a->head.step, "-");
	lw_record_destroy(a);
	lw_record_destroy(b);
}

TEST(two_that_watch_at_once_count_once)
{
	struct lw_record *a = make_record("batch", 1, 10), *b = make_record("0", 1, 10);

	for (int i = 0; i < 2000; i++)
		add(a, i * 10, 40, 100);
	for (int i = 500; i < 700; i++)
		add(b, i * 10 + 3, 40, 100);
	ck_assert_int_eq(lw_record_merge(a, b), 0);
	ck_assert_uint_le(gpu_of(a, 0).samples, 2000 + 200 / 4);
	ck_assert_uint_ge(gpu_of(a, 0).samples, 2000);
	lw_record_destroy(a);
	lw_record_destroy(b);
}

/* Also where a bucket holds one sample of each. */
TEST(a_short_job_watched_twice_counts_once)
{
	struct lw_record *a = make_record("batch", 1, 10), *b = make_record("0", 1, 10);

	for (int i = 0; i < 30; i++)
		add(a, i * 10, 0, 100);
	for (int i = 5; i < 25; i++)
		add(b, i * 10 + 3, 0, 100);
	ck_assert_int_eq(lw_record_merge(a, b), 0);
	ck_assert_uint_eq(gpu_of(a, 0).samples, 30);
	ck_assert_int_eq(gpu_of(a, 0).idle_s, 300);
	lw_record_destroy(a);
	lw_record_destroy(b);
}

/* Steps so short that a bucket has some of them: none of their samples is lost. */
TEST(steps_that_share_a_bucket_add_up)
{
	struct lw_record *a = make_record("0", 1, 10), *b = make_record("1", 1, 10);

	a->head.end_s = b->head.start_s = START + 4;
	b->head.end_s = START + 8;
	add(a, 0, 0, 100);
	add(b, 4, 90, 300);
	ck_assert_int_eq(lw_record_merge(a, b), 0);
	ck_assert_uint_eq(gpu_of(a, 0).samples, 2);
	ck_assert_uint_eq(gpu_of(a, 0).stat[LW_METRIC_UTIL].max, 90);
	lw_record_destroy(a);
	lw_record_destroy(b);
}

TEST(another_job_is_not_merged)
{
	struct lw_record *a = make_record("0", 1, 10), *b = make_record("1", 1, 10);

	b->head.job_id = 78;
	ck_assert_int_eq(lw_record_merge(a, b), -EINVAL);
	lw_record_destroy(a);
	lw_record_destroy(b);
	lw_record_destroy(NULL);
}
