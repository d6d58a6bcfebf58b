/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/past: what became of a job while it waited. */
#include "base/past.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define V LW_PAST_START "v:1,t:1000"

static struct lw_statement statement(int64_t at_s, int64_t planned_s, int64_t latest_s)
{
	return (struct lw_statement){
		.at_s = at_s, .planned_s = planned_s, .latest_s = latest_s, .reason = "reserved"
	};
}

static const struct lw_past_facts none = { 0 };

static void check_word(const struct lw_past *past, const char *wanted)
{
	char word[LW_PAST_MAX];

	lw_past_encode(past, word);
	ck_assert_str_eq(word, wanted);
}

TEST(a_wait_is_noted_from_plan_to_start)
{
	struct lw_statement was = { 0 }, news = statement(1000, 4600, 6400);
	struct lw_past past = { 0 };

	check_word(&past, "");
	lw_past_note(&past, &was, &news, &none);
	check_word(&past, V ",p:0-3600,l:0-5400");
	/* a minute is no move */
	was = news;
	news = statement(1100, 4660, 6400);
	lw_past_note(&past, &was, &news, &none);
	check_word(&past, V ",p:0-3600,l:0-5400");
	news = statement(1200, 4700, 6400);
	news.before = 2;
	lw_past_note(&past, &was, &news, &none);
	check_word(&past, V ",p:0-3600,l:0-5400,s:200-3700-b");
	/* again for the same cause is one event, with the last of its starts */
	was = news;
	news = statement(1300, 4900, 6400);
	news.before = 3;
	lw_past_note(&past, &was, &news, &none);
	check_word(&past, V ",p:0-3600,l:0-5400,s:300-3900-b-2");
	lw_past_add(&past, LW_PAST_REFUSED, 1400, LW_PAST_ROOM);
	lw_past_add(&past, LW_PAST_REFUSED, 1460, LW_PAST_ROOM);
	was = news;
	news = statement(1500, 4500, 6400);
	lw_past_note(&past, &was, &news, &none);
	news = statement(1600, 4500, 0);
	lw_past_note(&past, &was, &news, &none);
	lw_past_add(&past, LW_PAST_STARTED, 4500, 0);
	check_word(&past, V ",p:0-3600,l:0-5400,s:300-3900-b-2,x:460-r-2,e:500-3500-o,w:600,"
			    "g:3500");
}

/* A job that was requeued starts again. */
TEST(a_start_is_noted_once)
{
	struct lw_past past = { 0 };

	ck_assert(!lw_past_has_start(&past, 4500));
	lw_past_add(&past, LW_PAST_STARTED, 4500, 0);
	ck_assert(lw_past_has_start(&past, 4500));
	lw_past_add(&past, LW_PAST_LOST, 5000, 0);
	ck_assert(lw_past_has_start(&past, 4500));
	ck_assert(!lw_past_has_start(&past, 6000));
}

/* Nodes that are down take its start away; with them back it has one, which may be later. */
TEST(a_start_that_is_lost_is_noted)
{
	struct lw_statement was = statement(1000, 2000, 0), news = { .at_s = 1100 };
	struct lw_past past = { 0 }, read;
	char word[LW_PAST_MAX];

	strcpy(news.reason, "nodes-down");
	lw_past_note(&past, &(struct lw_statement){ 0 }, &news, &none);
	check_word(&past, "");
	lw_past_note(&past, &(struct lw_statement){ 0 }, &was, &none);
	lw_past_note(&past, &was, &news, &none);
	was = news;
	news.at_s = 1200;
	lw_past_note(&past, &was, &news, &none);
	was = news;
	news = statement(1300, 3000, 0);
	lw_past_note(&past, &was, &news, &none);
	check_word(&past, V ",p:0-1000,u:100-n,s:300-2000-n");
	lw_past_encode(&past, word);
	ck_assert_int_eq(lw_past_decode(word, &read), 0);
	ck_assert_int_eq(read.events[1].kind, LW_PAST_NO_START);
	ck_assert_int_eq(read.events[1].cause, LW_PAST_NODES);
}

/* A job that was requeued is planned anew: that its start is later than before has no cause. */
TEST(a_plan_after_a_requeue_is_a_first_one)
{
	struct lw_statement was = statement(1000, 2000, 0), news = statement(1300, 4000, 0);
	struct lw_past_facts facts = { .queued_s = 1200 };
	struct lw_past past = { 0 };

	lw_past_note(&past, &(struct lw_statement){ 0 }, &was, &none);
	lw_past_note(&past, &(struct lw_statement){ 0 }, &news, &facts);
	check_word(&past, V ",p:0-1000,p:300-3000");
	was = news;
	news = statement(1400, 5000, 0);
	news.before = 1;
	lw_past_note(&past, &was, &news, &facts);
	check_word(&past, V ",p:0-1000,p:300-3000,s:400-4000-b");
	/* a begin time to come is none of that */
	facts.queued_s = 9000;
	news.at_s = 1500;
	lw_past_note(&past, &news, &news, &facts);
	check_word(&past, V ",p:0-1000,p:300-3000,s:400-4000-b");
}

/* What it was, what it is, and what became of its nodes; the start is later. */
static const struct {
	struct lw_statement was, news;
	struct lw_past_facts facts;
	char cause;
} slips[] = {
	{ { .after = 7 }, { .after = 7 }, { .longer = true }, LW_PAST_LONGER },
	{ { 0 }, { .before = 1 }, { .longer = true }, LW_PAST_LONGER },
	{ { .after = 7 }, { .after = 7 }, { 0 }, LW_PAST_CAUSE },
	{ { .after = 7 }, { .after = 8 }, { 0 }, LW_PAST_OTHER },
	{ { .after = 7, .before = 1 }, { .after = 8, .before = 2 }, { 0 }, LW_PAST_BEFORE },
	{ { .after = 7 }, { .after = 8 }, { .taken = true }, LW_PAST_BEFORE },
	{ { .after = 7 }, { .after = 7, .unkept = LW_UNKEPT_NODES }, { 0 }, LW_PAST_NODES },
	{ { .after = 7 },
	  { .after = 7 },
	  { .nodes_gone = true, .longer = true, .taken = true },
	  LW_PAST_NODES },
	{ { .reason = "nodes-down" }, { .before = 3 }, { 0 }, LW_PAST_NODES },
	{ { .after = 7 }, { .after = 7, .reason = "refused" }, { 0 }, LW_PAST_RETRY },
	{ { .after = 7 }, { .faster = { .name = "a100" } }, { 0 }, LW_PAST_TYPE },
	{ { .before = 2 }, { .before = 2 }, { 0 }, LW_PAST_BEHIND },
	{ { .before = 1, .head = 9 }, { .head = 9 }, { 0 }, LW_PAST_BEHIND },
	{ { .after = 7 }, { .after = 7, .reason = "accepted" }, { 0 }, LW_PAST_DEADLINE },
	{ { .after = 7 }, { .after = 8, .reason = "accepted" }, { 0 }, LW_PAST_OTHER },
	{ { .after = 7 }, { .after = 7, .at_s = 2900 }, { .cleaned = true }, LW_PAST_CLEANED },
	{ { .after = 7 }, { .after = 7 }, { .cleaned = true }, LW_PAST_CAUSE },
	{ { 0 }, { 0 }, { 0 }, LW_PAST_CAUSE },
};

TEST_EACH(a_slip_has_its_cause, sizeof(slips) / sizeof(slips[0]))
{
	struct lw_statement was = slips[_i].was, news = slips[_i].news;
	struct lw_past past = { 0 };

	was.at_s = 1000;
	was.planned_s = 2000;
	news.at_s = news.at_s ? news.at_s : 1100;
	news.planned_s = 3000;
	lw_past_note(&past, &(struct lw_statement){ 0 }, &was, &none);
	lw_past_note(&past, &was, &news, &slips[_i].facts);
	ck_assert_uint_eq(past.count, 2);
	ck_assert_int_eq(past.events[1].kind, LW_PAST_LATER);
	ck_assert_int_eq(past.events[1].cause, slips[_i].cause);
}

/* However long it waits, the first plan and the promise stay, and the word has room. */
TEST(what_is_kept_is_bounded)
{
	struct lw_statement was = { 0 }, news = statement(1000, 2000, 900000000);
	char word[LW_PAST_MAX], again[LW_PAST_MAX];
	struct lw_past past = { 0 }, read;

	lw_past_note(&past, &was, &news, &none);
	for (uint32_t i = 1; i < 1000; i++) {
		was = news;
		news = statement(1000 + 86400 * i, 2000 + 86400 * i, 900000000);
		news.after = was.after + i % 2;
		news.before = i;
		lw_past_note(&past, &was, &news, &none);
		lw_past_add(&past, LW_PAST_REFUSED, news.at_s, LW_PAST_LIMIT);
	}
	lw_past_encode(&past, word);
	ck_assert_uint_le(past.count, LW_PAST_EVENTS);
	ck_assert_int_eq(past.events[0].kind, LW_PAST_PLANNED);
	ck_assert_int_eq(past.events[1].kind, LW_PAST_PROMISED);
	ck_assert_int_eq(past.events[past.count - 1].kind, LW_PAST_REFUSED);
	ck_assert_int_eq(lw_past_decode(word, &read), 0);
	ck_assert_uint_eq(read.count, past.count);
	ck_assert_uint_eq(read.left_out, past.left_out);
	lw_past_encode(&read, again);
	ck_assert_str_eq(again, word);
}

static const struct {
	const char *comment;
	int rc;
} odd[] = {
	{ NULL, -ENOENT },
	{ "leeway:why=v:1,at:1000", -ENOENT },
	{ "free text " V ",p:0-5 leeway:why=v:1", 0 },
	{ V ",p:0-5,zz:later,j:1", 0 }, /* items of later Leeways */
	{ LW_PAST_START "v:2,t:1000,p:0-5", -ENOTSUP },
	{ V, -EINVAL },
	{ LW_PAST_START "v:1,p:0-5", -EINVAL }, /* from when on? */
	{ V ",p", -EINVAL },
	{ V ",p:", -EINVAL },
	{ V ",p:0", -EINVAL },
	{ V ",p:0--5", -EINVAL },
	{ V ",p:0-4294967296", -EINVAL },
	{ V ",g:0-?", -EINVAL },
	{ V ",g:0-or", -EINVAL },
	{ V ",s:0-5-b-x", -EINVAL },
	{ V ",s:0-5-b-2-3", -EINVAL },
	{ V ",g:1,g:2,g:3,g:4,g:5,g:6,g:7,g:8,g:9,g:10", 0 },
	{ V ",g:1,g:2,g:3,g:4,g:5,g:6,g:7,g:8,g:9,g:10,g:11", -EINVAL },
};

TEST_EACH(a_damaged_word_is_none, sizeof(odd) / sizeof(odd[0]))
{
	struct lw_past past;

	ck_assert_int_eq(lw_past_decode(odd[_i].comment, &past), odd[_i].rc);
}
