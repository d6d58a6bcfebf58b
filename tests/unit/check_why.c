/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/why: why a job waits, as one word among what others write. */
#include "base/why.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define V LW_WHY_START "v:1,at:1000"

static const struct lw_statement full = {
	.at_s = 1000,
	.reason = "would-delay",
	.before = 12,
	.head = 7781,
	.after = 7,
	.stopped = 8,
	.latest_s = 4600,
	.deadline = 'a',
	.faster = { "a100", 3600 },
	.other = { "rtx-2080.x", 7260 },
	.cramped = true,
	.least_nodes = 2,
	.most_nodes = 3,
	.likely = true,
	.low_s = 60,
	.p50_s = 1800,
	.p90_s = 7200,
	.held_percent = 91,
	.held_count = 1240,
	.hints = { { 7200, LW_HINT_LIMIT }, { 4, LW_HINT_GPUS }, { 1, LW_HINT_SHARED } }
};

TEST(what_is_written_is_read_back)
{
	char word[LW_WHY_MAX], comment[2 * LW_WHY_MAX];
	struct lw_statement read;

	ck_assert_uint_eq(lw_why_encode(&full, word), strlen(word));
	ck_assert_str_eq(word, V ",r:would-delay,b:12,h:7781,e:7,j:8,l:4600,d:a,f:a100:3600,"
				 "o:rtx-2080.x:7260,m:1,u:2-3,p:60-1800-7200,"
				 "k:91-1240,t:7200,g:4,x:1");
	snprintf(comment, sizeof(comment), "bb: free text leeway:latest-start=x %s\nmore", word);
	ck_assert_int_eq(lw_why_decode(comment, &read), 0);
	ck_assert_int_eq(lw_why_encode(&read, comment), (int)strlen(word));
	ck_assert_str_eq(comment, word);
}

TEST(a_zone_is_named)
{
	const int16_t zones[] = { 120, 0, -210 };
	struct lw_statement read;

	for (size_t i = 0; i < LW_COUNT_OF(zones); i++) {
		struct lw_statement why = { .at_s = 1000, .zoned = true, .zone_min = zones[i] };
		char word[LW_WHY_MAX], wanted[LW_WHY_MAX];

		snprintf(wanted, sizeof(wanted), V ",tz:%d", zones[i]);
		lw_why_encode(&why, word);
		ck_assert_str_eq(word, wanted);
		ck_assert_int_eq(lw_why_decode(word, &read), 0);
		ck_assert(read.zoned);
		ck_assert_int_eq(read.zone_min, zones[i]);
	}
	ck_assert_int_eq(lw_why_decode(V ",tz:901", &read), -EINVAL);
	ck_assert_int_eq(lw_why_decode(V ",tz:-", &read), -EINVAL);
}

TEST(a_partition_is_named)
{
	struct lw_statement why = { .at_s = 1000,
				    .hints = { { 7200, LW_HINT_LIMIT },
					       { 3, LW_HINT_PARTITION } },
				    .partition = "Big-2.x_y" };
	char word[LW_WHY_MAX];
	struct lw_statement read;

	lw_why_encode(&why, word);
	ck_assert_str_eq(word, V ",t:7200,q:Big-2.x_y");
	ck_assert_int_eq(lw_why_decode(word, &read), 0);
	ck_assert_int_eq(read.hints[1].kind, LW_HINT_PARTITION);
	ck_assert_str_eq(read.partition, "Big-2.x_y");
	/* a name that a word cannot hold is not told */
	snprintf(why.partition, sizeof(why.partition), "a,b");
	lw_why_encode(&why, word);
	ck_assert_str_eq(word, V ",t:7200");
	ck_assert(!lw_why_can_name(""));
	ck_assert(!lw_why_can_name("p23456789012345678901234567890123456789x"));
	ck_assert(lw_why_can_name("p2345678901234567890123456789012345678x"));
}

/* The longest that can be has room, and no item is cut in two. */
TEST(the_longest_word_is_whole)
{
	struct lw_statement longest = full, read;
	char word[LW_WHY_MAX];

	memset(longest.reason, 'x', sizeof(longest.reason) - 1);
	longest.at_s = longest.latest_s = UINT32_MAX;
	longest.faster.done_s = longest.other.done_s = UINT32_MAX;
	memset(longest.faster.name, 'y', sizeof(longest.faster.name) - 1);
	memset(longest.other.name, 'z', sizeof(longest.other.name) - 1);
	longest.before = longest.head = longest.after = longest.stopped = UINT32_MAX;
	longest.low_s = longest.p50_s = longest.p90_s = longest.held_count = UINT32_MAX;
	longest.held_percent = 100;
	for (int i = 0; i < LW_WHY_HINTS; i++)
		longest.hints[i] = (struct lw_hint){ UINT32_MAX, LW_HINT_CPUS };
	lw_why_encode(&longest, word);
	ck_assert_int_eq(lw_why_decode(word, &read), 0);
	ck_assert_uint_eq(read.hints[2].value, UINT32_MAX);
}

static const struct {
	const char *comment;
	int rc;
} odd[] = {
	{ NULL, -ENOENT },
	{ "", -ENOENT },
	{ "leeway:latest-start=2026-11-26T14:47:00", -ENOENT },
	{ "not" V, -ENOENT },
	{ V, 0 },
	{ V ",zz:later,a:1", 0 }, /* items of later Leeways */
	{ LW_WHY_START "v:2,at:1000", -ENOTSUP },
	{ LW_WHY_START "v:1", -EINVAL }, /* of when? */
	{ LW_WHY_START "at:1000", -EINVAL },
	{ LW_WHY_START, -EINVAL },
	{ V ",", -EINVAL },
	{ V ",r", -EINVAL },
	{ V ",r:Bad", -EINVAL },
	{ V ",r:", -EINVAL },
	{ V ",b:-1", -EINVAL },
	{ V ",b:4294967296", -EINVAL },
	{ V ",p:3-2-1", -EINVAL },
	{ V ",p:1-2", -EINVAL },
	{ V ",p:1-2-3-4", -EINVAL },
	{ V ",k:101-3", -EINVAL },
	{ V ",d:x", -EINVAL },
	{ V ",f:a100", -EINVAL },
	{ V ",f::5", -EINVAL },
	{ V ",o:a100:x", -EINVAL },
	{ V ",o:a-name-that-is-too-long-by-far:5", -EINVAL },
	{ V ",m:2", -EINVAL },
	{ V ",t:", -EINVAL },
	{ V ",q:", -EINVAL },
	{ V ",q:a/b", -EINVAL },
};

TEST_EACH(what_is_odd_is_refused, LW_COUNT_OF(odd))
{
	struct lw_statement why = { .before = 5 };

	ck_assert_int_eq(lw_why_decode(odd[_i].comment, &why), odd[_i].rc);
	if (odd[_i].rc)
		ck_assert_uint_eq(why.before, 5);
}
