/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of lw-tenants(5): what is refused, and what runs show of a kind. */
#include "measure/sharing.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>

FIXTURE(scratch_setup, scratch_teardown);

TEST(bad_tables_are_refused)
{
	static const char *const bad[] = {
		"",
		"kind 1 2 3\n",
		"kind 1 101 0 0\n",
		"kind 1 100.1 0 0\n",
		"kind 1 0 0 x\n",
		"kind 2 0 0 0\nkind 1 0 0 0\n",
		"kind 1 0 0 0\nkind 1 0 0 0\n",
		"kind 1 0 0 0\npair 1 2 1 1\n",
		"kind 1 0 0 0\npair 1 1 2001 1\n",
		"memory x\nkind 1 0 0 0\n",
		"kind 1 0 0 0\nmemory 1 2\n",
		"memory 1\nmemory 1\nkind 1 0 0 0\n",
		"kind 1 0 0 0\nkind 2 0 0 0\npair 1 2 900 800\npair 2 1 800 900\n",
		"kind 1 0 0 0\npair 1 1 900 800\npair 1 1 900 800\n",
		"kind 1 -5 0 0\n",
		"kind 1 0 0 -5\n",
		"kind 1 0 0 0\npair 1 1 -5 5\n",
	};
	struct lw_sharing_table read;
	struct lw_error err;

	for (size_t i = 0; i < LW_COUNT_OF(bad); i++)
		ck_assert_msg(lw_sharing_read(scratch_write("bad", bad[i]), &read, &err) == -EINVAL,
			      "%s", bad[i]);
}

/* With the line, the word and what to do. */
static const struct {
	const char *text, *told;
} odd[] = {
	{ "memory 0\nkind 1 0 0 0\n", ":1: memory is in MiB, and not 0; leave the line out" },
	{ "kind 1 0 0 99999999999999\n", ":1: memory is 0 to " },
	{ "memory 9\nkind 1 0 0 9\nkind 2 0 0 10\n",
	  ":3: a kind of 10 MiB, and memory is 9 MiB on line 1; correct" },
	{ "kind 1 0 0 10\nkind 2 0 0 1\nmemory 9\n",
	  ":1: a kind of 10 MiB, and memory is 9 MiB on line 3; correct" },
	{ "kind 1 0 0 1\nkind 2 0 0 1\npair 1 2 0 900\n", ":3: one rate of a pair is 0" },
};

TEST_EACH(odd_tables_are_refused, LW_COUNT_OF(odd))
{
	struct lw_sharing_table read;
	struct lw_error err;

	ck_assert_int_eq(lw_sharing_read(scratch_write("odd", odd[_i].text), &read, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, odd[_i].told) != NULL, "%s", err.text);
}

/* A measured rate may be above that alone: none is faster. */
TEST(a_rate_above_1000_is_1000)
{
	struct lw_sharing_table read;
	struct lw_error err;
	uint32_t a = 0, b = 0;

	ck_assert_int_eq(lw_sharing_read(scratch_write("t", "kind 1 0 0 0\nkind 2 0 0 0\n"
							    "pair 1 2 1016 870\n"),
					 &read, &err),
			 0);
	ck_assert(lw_share_pairs_find(&read.pairs, 1, 2, &a, &b));
	ck_assert_uint_eq(a, 1000);
	ck_assert_uint_eq(b, 870);
	lw_sharing_fini(&read);
}

/* Five runs that are off by a tenth: about the largest of them, never the value itself. */
TEST(what_is_known_comes_of_noisy_runs)
{
	struct lw_sharing_table read;
	struct lw_error err;
	const char *path = scratch_write("t", "kind 1 30 30 100\nkind 2 40.5 20 100\n");

	ck_assert_int_eq(lw_sharing_read(path, &read, &err), 0);
	ck_assert_uint_eq(read.kinds[1].known.util, 405);
	ck_assert_int_eq(lw_sharing_observe(&read, 5, 0.1, 7), 0);
	ck_assert_uint_eq(read.kinds[1].use.util, 405);
	ck_assert_uint_gt(read.kinds[1].known.util, 405);
	ck_assert_uint_lt(read.kinds[1].known.util, 570);
	ck_assert_uint_eq(read.kinds[1].known.mem_mib, 100);
	ck_assert_int_eq(lw_sharing_observe(&read, 0, 0.1, 7), 0);
	ck_assert(!read.kinds[1].known.has_util);
	lw_sharing_fini(&read);
}
