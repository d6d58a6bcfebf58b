/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/keep/outlook: what is said of each job, and when it is written. */
#include "slurm/keep/outlook.h"

#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#define TWO "lw-snapshot 1\nnow %d\nnode 0-1 n[0-1] cpus=4\nset 0 all 0-1\n"
#define HEAD                                                                                     \
	TWO "run 10 start=0 end=90000 on=0:cpus=4\n"                                             \
	    "wait 20 set=0 submit=1000 limit=50 nodes=2 cpus=4\n"

static struct lw_outlooks *outlooks;
static struct lw_policy *policy;
static struct lw_plan plan;
static char written[8192]; /* "JOB=WORD;" or "JOB=-;" of the last write */

static void setup(void)
{
	static const struct lw_log quiet = { 0 };
	struct lw_policy_params params;

	scratch_setup();
	lw_policy_params_default(&params);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_outlooks_create(scratch_path("outlook"), 0, &quiet, &outlooks), 0);
	lw_plan_init(&plan);
}

static void teardown(void)
{
	lw_plan_fini(&plan);
	lw_outlooks_destroy(outlooks);
	lw_policy_destroy(policy);
	scratch_teardown();
}

static bool note(void *arg, uint32_t job_id, const char *word)
{
	size_t len = strlen(written);

	(void)arg;
	snprintf(written + len, sizeof(written) - len, "%u=%s;", job_id, word ? word : "-");
	return true;
}

static void ask(void *arg, struct lw_statement_case *about)
{
	(void)arg;
	about->latest_s = about->decision->job_id == 20 ? 95000 : 0;
	about->deadline_s = about->snap->waiting[about->decision->waiting].finish_by_s;
}

/* A cycle of the snapshot FORMAT at NOW_S, up to where hints are asked for. */
static void prepare(const char *format, int now_s, bool hide)
{
	struct lw_policy_params params;
	struct lw_outlook_cycle cycle = {
		.params = &params, .plan = &plan, .hide_others = hide, .ask = ask
	};
	struct lw_snapshot snap;
	struct lw_error err;
	char text[2048];

	snprintf(text, sizeof(text), format, now_s);
	ck_assert_msg(!lw_snapshot_parse(&snap, "text", text, &err), "%s", err.text);
	lw_policy_params_default(&params);
	cycle.snap = &snap;
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	ck_assert_int_eq(lw_outlooks_cycle(outlooks, &cycle), 0);
	lw_snapshot_fini(&snap);
}

/* All of it: what is written then. */
static void cycle(const char *format, int now_s, bool hide)
{
	prepare(format, now_s, hide);
	written[0] = '\0';
	lw_outlooks_write(outlooks, note, NULL);
}

#define LONG HEAD "wait 30 set=0 submit=1000 limit=200000 nodes=1 cpus=4\n"

FIXTURE(setup, teardown);

TEST(a_word_has_the_plans_reason)
{
	cycle(LONG, 1000, false);
	ck_assert_str_eq(written, "20=leeway:why=v:1,at:1000,r:reserved,e:10,l:95000,s:90000;"
				  "30=leeway:why=v:1,at:1000,r:would-delay,b:1,h:20;");
}

#define HAS_TYPES                                                                                \
	"lw-snapshot 1\nnow %d\ngpu-type 0 a100\ngpu-type 1 v100\n"                              \
	"node 0 a1 cpus=8 gpu:a100=1\nnode 1 v1 cpus=8 gpu:v100=1\nset 0 all 0-1\n"              \
	"run 10 start=0 end=9000 expect=1600 on=0:cpus=1,gpu:a100=1\n"                           \
	"wait 20 set=0 submit=900 limit=4000 expect=600 expect:a100=600 "

/* A cycle in which jobs choose among types of GPUs. */
static void cycle_by_type(const char *snapshot)
{
	struct lw_policy_params params;

	lw_policy_params_default(&params);
	params.kind = LW_POLICY_EASY;
	params.types = LW_TYPES_FINISH;
	lw_policy_destroy(policy);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	cycle(snapshot, 1000, false);
}

/* Its type comes free at 1600; the other one is free, and slower. */
TEST(a_word_has_the_types_of_who_waits_for_one)
{
	cycle_by_type(HAS_TYPES "expect:v100=1500 nodes=1 cpus=1 gpus=1\n");
	ck_assert_ptr_nonnull(strstr(written, ",r:faster-gpus,"));
	ck_assert_ptr_nonnull(strstr(written, ",f:a100:1200,o:v100:1500"));
	ck_assert_ptr_null(strstr(written, ",m:1"));
}

/* The free one would do by its times, and has too little memory. */
TEST(a_word_says_what_has_too_little_memory)
{
	cycle_by_type(HAS_TYPES "expect:v100=600 cramped=1 nodes=1 cpus=1 gpus=1\n");
	ck_assert_ptr_nonnull(strstr(written, ",f:a100:1200,o:v100:4200,m:1"));
}

TEST(others_are_hidden_where_slurm_hides_them)
{
	cycle(LONG, 1000, true);
	ck_assert_str_eq(written, "20=leeway:why=v:1,at:1000,r:reserved,l:95000,s:90000;"
				  "30=leeway:why=v:1,at:1000,r:would-delay,b:1;");
}

TEST(a_word_is_written_once_a_minute_and_for_news)
{
	cycle(LONG, 1000, false);
	cycle(LONG, 1030, true); /* says something else, but not yet */
	ck_assert_str_eq(written, "");
	cycle(LONG, 1060, false); /* the same as is there */
	ck_assert_str_eq(written, "");
	cycle(LONG, 1061, true);
	ck_assert_ptr_nonnull(strstr(written, "30=leeway:why=v:1,at:1061,"));
	cycle(LONG, 1061 + LW_OUTLOOK_RENEW_S - 1, true);
	ck_assert_str_eq(written, "");
	cycle(LONG, 1061 + LW_OUTLOOK_RENEW_S, true);
	ck_assert_ptr_nonnull(strstr(written, "30=leeway:why=v:1,at:1661,"));
}

/* A plan that a start of Slurm's overtakes is dropped, and nothing is written in that cycle. */
TEST(what_was_not_written_is_written_in_the_next_cycle)
{
	prepare(LONG, 1000, false);
	cycle(LONG, 1010, false);
	ck_assert_ptr_nonnull(strstr(written, "20=leeway:why=v:1,at:1000,"));
	ck_assert_ptr_nonnull(strstr(written, "30=leeway:why=v:1,at:1000,"));
	prepare(TWO, 1020, false);
	cycle(TWO, 1030, false);
	ck_assert_str_eq(written, "20=-;30=-;");
}

/* A running job's limit was raised: its promise cannot hold, and that is said within the minute.
 */
TEST(a_plan_beyond_the_promise_is_told_at_once)
{
	cycle(LONG, 1000, false);
	cycle(TWO "run 10 start=0 end=99000 on=0:cpus=4\n"
		  "wait 20 set=0 submit=1000 limit=50 nodes=2 cpus=4\n",
	      1030, false);
	ck_assert_str_eq(written,
			 "20=leeway:why=v:1,at:1030,r:reserved,e:10,l:95000,s:99000,z:e;30=-;");
}

/* Its nodes are drained: nothing is wrong with the job, and no start is known. */
TEST(a_job_waits_for_nodes_that_are_drained)
{
	cycle("lw-snapshot 1\nnow %d\nnode 0-1 n[0-1] cpus=4 down\nset 0 all 0-1\n"
	      "wait 20 set=0 submit=1000 limit=50 nodes=2 cpus=4\n"
	      "wait 30 set=0 submit=1000 limit=50 nodes=3 cpus=4\n",
	      1000, false);
	ck_assert_str_eq(written, "20=leeway:why=v:1,at:1000,r:nodes-down,l:95000,z:n;"
				  "30=leeway:why=v:1,at:1000,r:never-fits,i:1;");
}

/* By --time-min Slurm gives it a shorter limit, with which it ends by its deadline. */
TEST(a_shorter_limit_may_meet_the_deadline)
{
	cycle(TWO "run 10 start=0 end=9000 on=0-1:cpus=4\n"
		  "wait 30 set=0 submit=1000 limit=5000 finish-by=10000 nodes=2 cpus=4\n",
	      1000, false);
	ck_assert_ptr_nonnull(strstr(written, ",s:9000,w:m;"));
	cycle(TWO "run 10 start=0 end=9000 on=0-1:cpus=4\n"
		  "wait 31 set=0 submit=1000 limit=5000 finish-by=10000 time-min=600 nodes=2 "
		  "cpus=4\n",
	      1100, false);
	ck_assert_ptr_nonnull(strstr(written, ",s:9000,w:o;"));
}

/* A limit of Slurm's that never allows it is told at once, though Slurm gives the reason. */
TEST(a_job_that_no_limit_allows_is_told)
{
	cycle(TWO "wait 20 set=0 submit=1000 limit=50 state=not-ready never nodes=2 cpus=4\n",
	      1000, false);
	ck_assert_str_eq(written, "20=leeway:why=v:1,at:1000,r:not-ready,l:95000,z:v,i:1;");
}

TEST(who_starts_is_held_or_goes_loses_it)
{
	cycle(LONG, 1000, false);
	cycle(TWO "run 30 start=1000 end=90000 on=0:cpus=4\n"
		  "wait 20 set=0 submit=1000 limit=50 state=not-ready nodes=2 cpus=4\n",
	      1030, false);
	ck_assert_str_eq(written, "20=-;30=-;");
	ck_assert_uint_eq(lw_outlooks_count(outlooks), 0);
	cycle(TWO, 1060, false);
	ck_assert_str_eq(written, "");
}

/*
 * Starts teach, whether Slurm makes them between two cycles or the plan does in one; after enough
 * of them waits are told, and that outlives the process.
 */
TEST_EACH(starts_teach, 2)
{
	bool by_plan = _i == 1;
	static const struct lw_log quiet = { 0 };
	struct lw_error err;

	for (int i = 0; i < 30; i++) {
		char waits[512], runs[512];
		int now_s = 100000 + 1000 * i;

		snprintf(waits, sizeof(waits),
			 TWO "run 10 start=0 end=9000000 on=0:cpus=4\n"
			     "wait %d set=0 submit=%d limit=50 nodes=2 cpus=4\n",
			 now_s, 100 + i, now_s);
		snprintf(runs, sizeof(runs), TWO "run %d start=%d end=9000000 on=0-1:cpus=4\n",
			 now_s + 500, 100 + i, now_s + 300);
		cycle(waits, 0, false);
		if (by_plan) {
			char starts[512], gone[32];

			snprintf(starts, sizeof(starts),
				 TWO "wait %d set=0 submit=%d limit=50 nodes=2 cpus=4\n",
				 now_s + 300, 100 + i, now_s);
			snprintf(gone, sizeof(gone), "%d=-;", 100 + i);
			cycle(starts, 0, false);
			ck_assert_str_eq(written, gone);
		}
		cycle(runs, 0, false);
		ck_assert_uint_eq(lw_outlooks_count(outlooks), 0);
	}
	ck_assert_msg(!lw_outlooks_save(outlooks, 140000, true, &err), "%s", err.text);
	lw_outlooks_destroy(outlooks);
	ck_assert_int_eq(lw_outlooks_create(scratch_path("outlook"), 0, &quiet, &outlooks), 0);
	cycle(TWO "run 10 start=0 end=9000000 on=0:cpus=4\n"
		  "wait 200 set=0 submit=100000 limit=50 nodes=2 cpus=4\n",
	      140000, false);
	ck_assert_ptr_nonnull(strstr(written, ",p:"));
	ck_assert_ptr_nonnull(strstr(written, ",k:"));
}

TEST(hints_are_shown_while_they_are_fresh)
{
	const struct lw_hint hints[LW_WHY_HINTS] = { { 3600, LW_HINT_LIMIT } };
	const struct lw_decision *asked;

	prepare(LONG, 1000, false);
	asked = lw_outlooks_ask(outlooks, &plan, 1000);
	ck_assert_uint_eq(asked->job_id, 20);
	asked = lw_outlooks_ask(outlooks, &plan, 1000);
	ck_assert_uint_eq(asked->job_id, 30);
	lw_outlooks_hint(outlooks, 20, (struct lw_hint[LW_WHY_HINTS]){ 0 }, 1000);
	lw_outlooks_hint(outlooks, 30, hints, 1000);
	ck_assert_ptr_null(lw_outlooks_ask(outlooks, &plan, 1000));
	lw_outlooks_write(outlooks, note, NULL);
	cycle(LONG, 1010, false);
	ck_assert_ptr_nonnull(strstr(written, "30=leeway:why=v:1,at:1010,r:would-delay,b:1,h:20,"
					      "t:3600;"));
	cycle(LONG, 1001 + LW_OUTLOOK_HINT_S, false);
	ck_assert_ptr_nonnull(strstr(written, "h:20;"));
}

/* What is shown is asked for again in the next cycle, and goes at once if it helps no more. */
TEST(a_hint_goes_when_it_helps_no_more)
{
	const struct lw_hint hints[LW_WHY_HINTS] = { { 3600, LW_HINT_LIMIT } };
	const struct lw_decision *asked;

	cycle(LONG, 1000, false);
	lw_outlooks_hint(outlooks, 30, hints, 1000);
	lw_outlooks_hint(outlooks, 20, (struct lw_hint[LW_WHY_HINTS]){ 0 }, 1000);
	ck_assert_ptr_null(lw_outlooks_ask(outlooks, &plan, 1000));
	cycle(LONG, 1005, false);
	ck_assert_ptr_nonnull(strstr(written, "t:3600;"));
	asked = lw_outlooks_ask(outlooks, &plan, 1010);
	ck_assert_uint_eq(asked->job_id, 30);
	lw_outlooks_hint(outlooks, 30, (struct lw_hint[LW_WHY_HINTS]){ 0 }, 1010);
	ck_assert_ptr_null(lw_outlooks_ask(outlooks, &plan, 1010));
	cycle(LONG, 1010, false);
	ck_assert_ptr_nonnull(strstr(written, "h:20;"));
}

/* Of two changes Slurm refuses one: the other is still told. */
TEST(a_hint_that_is_refused_goes)
{
	const struct lw_hint hints[LW_WHY_HINTS] = { { 3600, LW_HINT_LIMIT },
						     { 1, LW_HINT_NODES } };

	cycle(LONG, 1000, false);
	lw_outlooks_hint(outlooks, 30, hints, 1000);
	cycle(LONG, 1005, false);
	ck_assert_ptr_nonnull(strstr(written, "t:3600,n:1;"));
	lw_outlooks_unhint(outlooks, 30, &(struct lw_hint){ 2, LW_HINT_NODES });
	lw_outlooks_unhint(outlooks, 30, &hints[0]);
	lw_outlooks_unhint(outlooks, 40, &hints[1]);
	cycle(LONG, 1010, false);
	ck_assert_ptr_nonnull(strstr(written, "h:20,n:1;"));
}

/* Room is kept from an earlier time on: what was found before may end too late for that. */
TEST(a_hint_goes_when_a_promised_job_comes_sooner)
{
	const struct lw_hint hints[LW_WHY_HINTS] = { { 3600, LW_HINT_LIMIT } };

	cycle(LONG, 1000, false);
	lw_outlooks_hint(outlooks, 30, hints, 1000);
	cycle(LONG, 1005, false);
	ck_assert_ptr_nonnull(strstr(written, "t:3600;"));
	cycle(TWO "run 10 start=0 end=4000 on=0:cpus=4\n"
		  "wait 20 set=0 submit=1000 limit=50 nodes=2 cpus=4\n"
		  "wait 30 set=0 submit=1000 limit=200000 nodes=1 cpus=4\n",
	      1070, false);
	ck_assert_ptr_nonnull(strstr(written, "30=leeway:why=v:1,at:1070"));
	ck_assert_ptr_null(strstr(written, "t:3600"));
}

TEST(a_hint_names_a_partition)
{
	struct lw_hint hints[LW_WHY_HINTS] = { { 0, LW_HINT_PARTITION } };
	uint32_t ids[4];

	prepare(LONG, 1000, false);
	ck_assert_uint_eq(lw_outlooks_next(outlooks, &plan, ids, 4), 2);
	ck_assert_uint_eq(ids[0], 20);
	ck_assert_uint_eq(lw_outlooks_next(outlooks, &plan, ids, 1), 1);
	ck_assert_uint_eq(lw_outlooks_part(outlooks, "big"), 1);
	ck_assert_uint_eq(lw_outlooks_part(outlooks, "spare"), 2);
	ck_assert_uint_eq(lw_outlooks_part(outlooks, "big"), 1);
	ck_assert_uint_eq(lw_outlooks_part(outlooks, "a b"), 0);
	hints[0].value = 2;
	lw_outlooks_hint(outlooks, 30, hints, 1000);
	lw_outlooks_write(outlooks, note, NULL);
	cycle(LONG, 1060, false);
	ck_assert_ptr_nonnull(strstr(written, "h:20,q:spare;"));
}

static bool count_word(void *arg, uint32_t job_id, const char *word)
{
	(void)job_id;
	(void)word;
	++*(uint32_t *)arg;
	return true;
}

/* However many wait, so many are written at a time, and all in turn. */
TEST(words_are_bounded)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	uint32_t jobs = LW_OUTLOOK_WORDS_MAX + 300, told = 0;
	struct lw_policy_params params;
	struct lw_outlook_cycle cycle = { .params = &params, .plan = &plan, .ask = ask };
	struct lw_snapshot snap;
	struct lw_error err;

	lw_strbuf_add(&text, HEAD, 1000);
	for (uint32_t i = 1; i < jobs; i++)
		lw_strbuf_add(&text, "wait %u set=0 submit=1 limit=50 nodes=2 cpus=4\n",
			      1000 + i);
	ck_assert(!lw_snapshot_parse(&snap, "text", lw_strbuf_text(&text), &err));
	lw_policy_params_default(&params);
	cycle.snap = &snap;
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	for (int i = 0; i < 2; i++) {
		uint32_t here = 0;

		ck_assert_int_eq(lw_outlooks_cycle(outlooks, &cycle), 0);
		lw_outlooks_write(outlooks, count_word, &here);
		ck_assert_uint_le(here, LW_OUTLOOK_WORDS_MAX);
		told += here;
	}
	ck_assert_uint_eq(told, jobs);
	ck_assert_uint_eq(lw_outlooks_count(outlooks), jobs);
	lw_snapshot_fini(&snap);
	lw_strbuf_fini(&text);
}
