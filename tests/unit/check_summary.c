/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/summary: the word for admin_comment, written and read back. */
#include "record/summary.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STAT(mean, count_, max_) { (uint64_t)(mean) * (count_), count_, max_ }

static const struct {
	struct lw_summary summary;
	const char *text;
} words[] = {
	{ { .gpus = 4, .stat = { STAT(87, 9, 99), STAT(31744, 9, 40960) } },
	  "leeway:gpu=n:4,util:87/99,mem:31/40G,idle:0" },
	{ { .gpus = 1, .idle_s = 90, .stat = { STAT(0, 9, 0), STAT(500, 9, 700) } },
	  "leeway:gpu=n:1,util:0/0,mem:500/700M,idle:90" },
	{ { .gpus = 2,
	    .empty_s = 5,
	    .stat = { [LW_METRIC_NVLINK] = STAT(5210, 9, 9000),
		      [LW_METRIC_PCIE] = STAT(0, 9, 0) } },
	  "leeway:gpu=n:2,util:-,mem:-,idle:0,nvlink:5210,pcie:0,empty:5" },
	{ { .gpus = 2, .stat = { [LW_METRIC_PCIE] = STAT(940, 9, 1000) } },
	  "leeway:gpu=n:2,util:-,mem:-,idle:0,pcie:940" },
	{ { .gpus = 1,
	    .stat = { STAT(98, 9, 100), [LW_METRIC_POWER] = STAT(400, 9, 500),
		      [LW_METRIC_PCIE] = STAT(9, 2, 9), [LW_METRIC_SM] = STAT(61, 3, 80),
		      [LW_METRIC_TENSOR] = STAT(34, 3, 35),
		      [LW_METRIC_MEMBW] = STAT(40, 3, 44) } },
	  "leeway:gpu=n:1,util:98/100,mem:-,idle:0,pow:400/500,sm:61,tensor:34,membw:40,pcie:9" },
	{ { .gpus = 4,
	    .energy_gpus = 4,
	    .energy_j = 72000,
	    .stat = { [LW_METRIC_POWER] = STAT(300, 9, 400), [LW_METRIC_SM] = STAT(61, 3, 80) } },
	  "leeway:gpu=n:4,util:-,mem:-,idle:0,pow:300/400,energy:72000,sm:61" },
	{ { .gpus = 4, .energy_gpus = 3, .energy_j = 0 },
	  "leeway:gpu=n:4,util:-,mem:-,idle:0,energy:0/3" },
	{ { .gpus = 1,
	    .shared = 1,
	    .with_count = 2,
	    .with = { 12, 4000000 },
	    .stat = { STAT(20, 9, 30), STAT(1000, 9, 2000), [LW_METRIC_DUTIL] = STAT(70, 9, 100),
		      [LW_METRIC_DMEM] = STAT(1000, 9, 30000),
		      [LW_METRIC_DSM] = STAT(45, 3, 50) } },
	  "leeway:gpu=n:1,util:20/30,mem:1000/2000M,idle:0,shared:1,dutil:70,dsm:45,"
	  "with:12+4000000" },
	{ { .gpus = 1, .shared = 1, .unsupported = 1 },
	  "leeway:gpu=n:1,util:-,mem:-,idle:0,unsup:1,shared:1" },
	{ { .gpus = 2, .unsupported = 2 }, "leeway:gpu=n:2,util:-,mem:-,idle:0,unsup:2" },
};

static void is_mean(bool has, uint32_t mean, const struct lw_stat *stat)
{
	ck_assert_int_eq(has, stat->count > 0);
	if (has)
		ck_assert_uint_eq(mean, lw_stat_mean(stat));
}

TEST_EACH(summary_is_one_word_and_read_back, LW_COUNT_OF(words))
{
	struct lw_summary_word word;
	char text[LW_SUMMARY_TEXT_MAX], comment[LW_SUMMARY_TEXT_MAX + 32];

	lw_summary_encode(&words[_i].summary, text, sizeof(text));
	ck_assert_str_eq(text, words[_i].text);
	snprintf(comment, sizeof(comment), "note leeway:dl=none %s more", text);
	ck_assert_int_eq(lw_summary_decode(comment, &word), 0);
	ck_assert_uint_eq(word.gpus, words[_i].summary.gpus);
	ck_assert_uint_eq(word.unsupported, words[_i].summary.unsupported);
	ck_assert_int_eq(word.idle_s, words[_i].summary.idle_s);
	ck_assert_int_eq(word.has_util, words[_i].summary.stat[LW_METRIC_UTIL].count > 0);
	if (word.has_util)
		ck_assert_uint_eq(word.util_max, words[_i].summary.stat[LW_METRIC_UTIL].max);
	if (word.has_mem)
		ck_assert_uint_eq(word.mem_max_mib, words[_i].summary.stat[LW_METRIC_MEM].max);
	ck_assert_uint_eq(word.energy_gpus, words[_i].summary.energy_gpus);
	ck_assert_uint_eq(word.energy_j, words[_i].summary.energy_j);
	is_mean(word.has_nvlink, word.nvlink_mib_s, &words[_i].summary.stat[LW_METRIC_NVLINK]);
	is_mean(word.has_sm, word.sm_percent, &words[_i].summary.stat[LW_METRIC_SM]);
	is_mean(word.has_tensor, word.tensor_percent, &words[_i].summary.stat[LW_METRIC_TENSOR]);
	is_mean(word.has_membw, word.membw_percent, &words[_i].summary.stat[LW_METRIC_MEMBW]);
	is_mean(word.has_pcie, word.pcie_mib_s, &words[_i].summary.stat[LW_METRIC_PCIE]);
	is_mean(word.has_dsm, word.dsm_percent, &words[_i].summary.stat[LW_METRIC_DSM]);
	ck_assert_uint_eq(word.shared, words[_i].summary.shared);
	ck_assert_uint_eq(word.with_count, words[_i].summary.with_count);
	for (uint32_t i = 0; i < word.with_count; i++)
		ck_assert_uint_eq(word.with[i], words[_i].summary.with[i]);
}

/* The longest there can be fits. */
TEST(summary_has_room)
{
	struct lw_summary summary = { .gpus = UINT32_MAX,
				      .unsupported = UINT32_MAX,
				      .idle_s = INT64_MAX,
				      .empty_s = INT64_MAX,
				      .energy_j = UINT64_MAX,
				      .energy_gpus = UINT32_MAX - 1,
				      .shared = UINT32_MAX,
				      .quiet = UINT32_MAX - 1,
				      .total_mib = UINT32_MAX - 512,
				      .with_count = LW_SUMMARY_WITH_MAX };
	char text[LW_SUMMARY_TEXT_MAX];

	for (int m = 0; m < LW_METRIC_COUNT; m++)
		summary.stat[m] = (struct lw_stat)STAT(UINT32_MAX, 1, UINT32_MAX);
	summary.stat[LW_METRIC_MEM] = (struct lw_stat)STAT(INT32_MAX - 1000, 1, INT32_MAX - 1000);
	for (int i = 0; i < LW_SUMMARY_WITH_MAX; i++)
		summary.with[i] = UINT32_MAX;
	ck_assert_uint_lt(lw_summary_encode(&summary, text, sizeof(text)), sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, ",pcie:4294967295,empty:9223372036854775807,"
					   "unsup:4294967295,shared:4294967295,"));
	ck_assert_ptr_nonnull(strstr(text, "+4294967295,quiet:4294967294,half:4194303"));
}

static const struct {
	const char *text;
	int want;
} decodes[] = {
	{ NULL, -ENOENT },
	{ "leeway:dl=none", -ENOENT },
	{ "leeway:gpu=n:1,util:5/9,mem:-,idle:3,new:x/y", 0 },
	/* of every release so far, and of one to come */
	{ "leeway:gpu=n:4,util:87/99,mem:31/40G,idle:0,pow:3/4,nvlink:1,pcie:2,empty:3", 0 },
	{ "leeway:gpu=n:1,util:5/9,mem:-,idle:3,sm:5,tensor:1,membw:2", 0 },
	{ "leeway:gpu=n:4,util:5/9,mem:-,idle:3,pow:3/4,energy:77/3", 0 },
	{ "leeway:gpu=energy:77,n:4", 0 },
	{ "leeway:gpu=n:1,energy:", -EINVAL },
	{ "leeway:gpu=n:1,energy:5/", -EINVAL },
	{ "leeway:gpu=n:1,energy:5/0", -EINVAL },
	{ "leeway:gpu=n:1,energy:5.5", -EINVAL },
	{ "leeway:gpu=n:1,shared:1,with:1+2+3+4+5+6+7+8+9", 0 },
	{ "leeway:gpu=n:1,shared:1,with:1+", -EINVAL },
	{ "leeway:gpu=n:1,shared:1,with:", -EINVAL },
	{ "leeway:gpu=v:1,n:1,util:5/9", 0 },
	{ "leeway:gpu=v:2,n:1,util:5/9", -ENOTSUP },
	{ "leeway:gpu=v:x,n:1,util:5/9", -EINVAL },
	{ "leeway:gpu=n:1,sm:", -EINVAL },
	{ "leeway:gpu=n:1,sm:1/2", -EINVAL },
	{ "leeway:gpu=", -EINVAL },
	{ "leeway:gpu=n:", -EINVAL },
	{ "leeway:gpu=n:1,util:9/5", -EINVAL },
	{ "leeway:gpu=n:1,util:9", -EINVAL },
	{ "leeway:gpu=n:1,mem:1/2T", -EINVAL },
	{ "leeway:gpu=n:1,mem:1/2g,idle:0", 0 }, /* through sacctmgr of 22.05 */
	{ "leeway:gpu=n:1,mem:1/2m,idle:0", 0 },
	{ "leeway:gpu=n:1,pcie:", -EINVAL },
	{ "leeway:gpu=n:1,nvlink:5000000000", -EINVAL },
	{ "leeway:gpu=n:1;util:1/2", -EINVAL },
	{ "leeway:gpu=n:5000000000", -EINVAL },
};

TEST_EACH(summary_is_decoded_or_refused, LW_COUNT_OF(decodes))
{
	struct lw_summary_word word;

	ck_assert_int_eq(lw_summary_decode(decodes[_i].text, &word), decodes[_i].want);
}
