/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of src/share: who may have a GPU together, what it costs, what is known. */
#include "share/known.h"
#include "share/pairs.h"
#include "share/rule.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB 1024u

static struct lw_share_use use_of(uint32_t util, uint32_t sm, uint32_t mem_mib)
{
	return (struct lw_share_use){ true, true, true, util, sm, mem_mib };
}

static enum lw_share_verdict fits(enum lw_share_mode mode, struct lw_share_use a,
				  struct lw_share_use b)
{
	const struct lw_share_rule rule = lw_share_rule_default(mode);
	const struct lw_share_use uses[] = { a, b };

	return lw_share_fits(&rule, uses, 2, 80 * GIB, NULL);
}

TEST(sm_activity_counts_under_mps)
{
	ck_assert_int_eq(fits(LW_SHARE_MPS, use_of(1000, 449, GIB), use_of(1000, 450, GIB)),
			 LW_SHARE_FITS);
	ck_assert_int_eq(fits(LW_SHARE_MPS, use_of(10, 450, GIB), use_of(10, 450, GIB)),
			 LW_SHARE_TOO_BUSY);
}

TEST(utilisation_counts_without)
{
	ck_assert_int_eq(fits(LW_SHARE_SLICE, use_of(500, 990, GIB), use_of(500, 990, GIB)),
			 LW_SHARE_FITS);
	ck_assert_int_eq(fits(LW_SHARE_SLICE, use_of(500, 1, GIB), use_of(501, 1, GIB)),
			 LW_SHARE_TOO_BUSY);
	ck_assert_int_eq(fits(LW_SHARE_OFF, use_of(1, 1, 1), use_of(1, 1, 1)), LW_SHARE_IS_OFF);
}

TEST(memory_keeps_a_margin)
{
	ck_assert_int_eq(fits(LW_SHARE_MPS, use_of(1, 1, 36 * GIB), use_of(1, 1, 36 * GIB)),
			 LW_SHARE_FITS);
	ck_assert_int_eq(fits(LW_SHARE_MPS, use_of(1, 1, 36 * GIB), use_of(1, 1, 36 * GIB + 1)),
			 LW_SHARE_TOO_LITTLE_MEMORY);
}

TEST(what_is_not_known_never_fits)
{
	struct lw_share_use no_sm = use_of(1, 1, 1), no_mem = use_of(1, 1, 1);
	const struct lw_share_rule rule = lw_share_rule_default(LW_SHARE_MPS);

	no_sm.has_sm = no_mem.has_mem = false;
	ck_assert_int_eq(fits(LW_SHARE_MPS, use_of(1, 1, 1), no_sm), LW_SHARE_UNKNOWN);
	ck_assert_int_eq(fits(LW_SHARE_SLICE, use_of(1, 1, 1), no_sm), LW_SHARE_FITS);
	ck_assert_int_eq(fits(LW_SHARE_MPS, no_mem, use_of(1, 1, 1)), LW_SHARE_UNKNOWN);
	no_sm.has_sm = true;
	ck_assert_int_eq(lw_share_fits(&rule, &no_sm, 1, 0, NULL), LW_SHARE_UNKNOWN);
}

TEST(tenants_are_bounded)
{
	struct lw_share_rule rule = lw_share_rule_default(LW_SHARE_MPS);
	const struct lw_share_use uses[] = { use_of(1, 1, 1), use_of(1, 2, 1), use_of(1, 3, 1) };
	uint32_t sum;

	ck_assert_int_eq(lw_share_fits(&rule, uses, 3, GIB, &sum), LW_SHARE_TOO_MANY);
	rule.tenants_max = 3;
	ck_assert_int_eq(lw_share_fits(&rule, uses, 3, GIB, &sum), LW_SHARE_FITS);
	ck_assert_uint_eq(sum, 6);
}

/* doc/lab/2026-11-26-sharing.md: utilisation, SM activity and rates of both, in percent. */
static const struct {
	uint32_t util[2], sm[2], slice[2], mps[2];
} measured[] = {
	{ { 25, 25 }, { 25, 25 }, { 89, 90 }, { 93, 94 } },
	{ { 50, 50 }, { 50, 50 }, { 68, 68 }, { 74, 74 } },
	{ { 75, 75 }, { 75, 75 }, { 55, 55 }, { 62, 60 } },
	{ { 100, 100 }, { 100, 100 }, { 45, 45 }, { 51, 51 } },
	{ { 100, 25 }, { 100, 25 }, { 76, 79 }, { 80, 81 } },
	{ { 100, 100 }, { 25, 25 }, { 46, 47 }, { 100, 100 } },
	{ { 100, 100 }, { 25, 99 }, { 47, 46 }, { 66, 70 } },
	{ { 100, 100 }, { 92, 92 }, { 46, 46 }, { 51, 51 } },
	{ { 100, 100 }, { 92, 98 }, { 46, 46 }, { 47, 84 } },
	{ { 21, 21 }, { 5, 5 }, { 96, 89 }, { 100, 100 } },
	{ { 20, 20 }, { 8, 8 }, { 91, 94 }, { 100, 99 } },
	{ { 21, 20 }, { 5, 8 }, { 85, 85 }, { 95, 100 } },
	{ { 21, 99 }, { 5, 77 }, { 51, 76 }, { 97, 96 } },
	{ { 99, 20 }, { 77, 8 }, { 72, 85 }, { 95, 100 } },
	{ { 99, 99 }, { 77, 77 }, { 46, 46 }, { 60, 60 } },
};

static uint32_t pairs_within_10(enum lw_share_mode mode)
{
	uint32_t good = 0;

	for (size_t i = 0; i < LW_COUNT_OF(measured); i++) {
		const uint32_t *rates =
			mode == LW_SHARE_MPS ? measured[i].mps : measured[i].slice;
		const struct lw_share_use uses[] = {
			use_of(10 * measured[i].util[0], 10 * measured[i].sm[0], 1),
			use_of(10 * measured[i].util[1], 10 * measured[i].sm[1], 1),
		};
		bool both = true;

		for (uint32_t who = 0; who < 2; who++) {
			int rate = (int)(100000 / lw_share_slowdown(mode, uses, 2, who));

			both = both && abs(rate - (int)rates[who]) <= 10;
		}
		good += both;
	}
	return good;
}

/* 27 of the 30 pairs. */
TEST(slowdown_is_as_measured)
{
	ck_assert_uint_eq(pairs_within_10(LW_SHARE_SLICE), 14);
	ck_assert_uint_eq(pairs_within_10(LW_SHARE_MPS), 13);
}

TEST(slowdown_is_bounded)
{
	const struct lw_share_use uses[] = { use_of(1000, 1000, 1), use_of(1000, 1000, 1) };

	ck_assert_uint_eq(lw_share_slowdown(LW_SHARE_SLICE, uses, 1, 0), 1000);
	ck_assert_uint_eq(lw_share_slowdown(LW_SHARE_OFF, uses, 2, 0), 1000);
	ck_assert_uint_le(lw_share_slowdown(LW_SHARE_SLICE, uses, 2, 0), 2182);
	ck_assert_int_eq(lw_share_mode_parse("mps"), LW_SHARE_MPS);
	ck_assert_int_eq(lw_share_mode_parse("both"), -EINVAL);
}

/* ---- what is known ---- */

static struct lw_share_known known;

static void setup(void)
{
	memset(&known, 0, sizeof(known));
}

static void teardown(void)
{
	lw_share_known_fini(&known);
}

static void learn(const struct lw_share_key *key, uint32_t util, int64_t end_s)
{
	const struct lw_share_run run = { .use = use_of(util, util / 2, util),
					  .has_membw = true,
					  .membw = util,
					  .end_s = end_s };

	ck_assert_int_eq(lw_share_known_add(&known, key, &run), 0);
}

FIXTURE(setup, teardown);

TEST(quantiles_are_by_nearest_rank)
{
	const struct lw_share_key key = lw_share_key(7, 1, "train", "a100");
	struct lw_share_record record;

	ck_assert(!lw_share_known_find(&known, &key, INT64_MIN, &record));
	for (uint32_t i = 1; i <= 5; i++)
		learn(&key, 100 * i, i);
	ck_assert(lw_share_known_find(&known, &key, INT64_MIN, &record));
	ck_assert_uint_eq(record.runs, 5);
	ck_assert_uint_eq(record.use.util, 500);
	/* of 20 runs the 19th: one that went wrong does not count for ever */
	for (uint32_t i = 1; i <= 20; i++)
		learn(&key, i == 7 ? 1000 : 10 * i, 10 + i);
	ck_assert(lw_share_known_find(&known, &key, INT64_MIN, &record));
	ck_assert_uint_eq(record.runs, 20);
	ck_assert_uint_eq(record.use.util, 200);
	ck_assert_uint_eq(record.use.sm, 100);
	ck_assert_uint_eq(record.membw, 200);
	ck_assert_int_eq(record.last_s, 30);
}

TEST(old_runs_are_forgotten)
{
	const struct lw_share_key key = lw_share_key(7, 1, "train", "a100");
	struct lw_share_record record;

	learn(&key, 900, 100);
	learn(&key, 300, 200);
	ck_assert(lw_share_known_find(&known, &key, 100, &record));
	ck_assert_uint_eq(record.runs, 1);
	ck_assert_uint_eq(record.use.util, 300);
	ck_assert(!lw_share_known_find(&known, &key, 200, &record));
}

TEST(without_a_type_the_most_of_all_counts)
{
	const struct lw_share_key a = lw_share_key(7, 1, "train", "a100");
	const struct lw_share_key b = lw_share_key(7, 1, "train", "t4");
	const struct lw_share_key other = lw_share_key(7, 1, "traino", "a100");
	const struct lw_share_key any = lw_share_key(7, 1, "train", "");
	struct lw_share_record record;

	learn(&a, 200, 1);
	learn(&b, 600, 2);
	learn(&other, 990, 3);
	ck_assert(lw_share_known_find(&known, &any, INT64_MIN, &record));
	ck_assert_uint_eq(record.runs, 2);
	ck_assert_uint_eq(record.use.util, 600);
	ck_assert(lw_share_known_find(&known, &a, INT64_MIN, &record));
	ck_assert_uint_eq(record.use.util, 200);
}

TEST(memory_is_bounded)
{
	struct lw_share_record record;
	struct lw_share_key key;
	char name[16];

	for (uint32_t i = 0; i < LW_SHARE_KEYS_MAX + 2; i++) {
		snprintf(name, sizeof(name), "job%u", i);
		key = lw_share_key(i % 30, 0, name, "");
		learn(&key, 1, 1);
	}
	ck_assert_uint_eq(known.count, LW_SHARE_KEYS_MAX);
	key = lw_share_key(1, 0, "job1", "");
	ck_assert(!lw_share_known_find(&known, &key, INT64_MIN, &record));
	key = lw_share_key(2, 0, "job2", "");
	ck_assert(lw_share_known_find(&known, &key, INT64_MIN, &record));
}

TEST(file_reads_back)
{
	const struct lw_share_key a = lw_share_key(7, LW_SHARE_UNTAGGED, "my train\n", "a100");
	const struct lw_share_key b = lw_share_key(8, 3, "", NULL);
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_share_known read = { 0 };
	struct lw_share_run run = { .end_s = 5 };
	struct lw_error err;

	ck_assert_str_eq(a.name, "my_train_");
	learn(&b, 600, 2);
	learn(&a, 200, 1);
	ck_assert_int_eq(lw_share_known_add(&known, &a, &run), 0);
	ck_assert_int_eq(lw_share_known_print(&known, &text), 0);
	ck_assert_int_eq(lw_share_known_parse(text.text, text.len, &read, &err), 0);
	ck_assert_int_eq(lw_share_known_print(&read, &again), 0);
	ck_assert_str_eq(lw_strbuf_text(&text), lw_strbuf_text(&again));
	ck_assert_uint_eq(read.learned, 3);
	lw_share_known_fini(&read);
	/* a new key goes in place of the one that learned first, as before */
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
}

TEST(bad_files_are_refused)
{
	static const char *const bad[] = {
		"",
		"learned 1",
		"learned x\n",
		"learned 1\nuse 1 - a b 1\n",
		"learned 1\nuse 1 - a b 2 5 - - - -\n",
		"learned 1\nuse 1 - a b 1 5 1001 - - -\n",
		"learned 1\nuse 1 - a b 1 5 - - - \n",
		"learned 2\nuse 1 - a b 1 5 - - - -\nuse 1 - a b 1 5 - - - -\n",
		"learned 2\nuse 2 - a b 1 5 - - - -\nuse 1 - a b 1 5 - - - -\n",
		"learned 1\nfoo\n",
	};
	struct lw_share_known read = { 0 };
	struct lw_error err;

	for (size_t i = 0; i < LW_COUNT_OF(bad); i++)
		ck_assert_msg(lw_share_known_parse(bad[i], strlen(bad[i]), &read, &err) ==
				      -EBADMSG,
			      "%s", bad[i]);
	ck_assert_int_eq(lw_share_known_parse("learned 0\n", 10, &read, &err), 0);
	ck_assert_uint_eq(read.count, 0);
}

TEST(pairs_are_means_either_way_round)
{
	struct lw_share_pairs pairs = { 0 };
	uint32_t a, b;

	ck_assert(!lw_share_pairs_find(&pairs, 1, 2, &a, &b));
	ck_assert_int_eq(lw_share_pairs_add(&pairs, 1, 2, 900, 500), 0);
	ck_assert_int_eq(lw_share_pairs_add(&pairs, 2, 1, 700, 1100), 0);
	ck_assert(lw_share_pairs_find(&pairs, 2, 1, &b, &a));
	ck_assert_uint_eq(a, 950);
	ck_assert_uint_eq(b, 600);
	lw_share_pairs_fini(&pairs);
}
