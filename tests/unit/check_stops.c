/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/stops: which jobs are asked, and the way of each back. */
#include "slurm/keep/stops.h"

#include "base/quota.h"
#include "base/savefile.h"
#include "slurm/keep/lessons.h"
#include "unit/last_error.h"
#include "unit/scratch.h"

#include <stdint.h>
#include <string.h>

#define NOW 500000

static struct lw_stops *stops;
static struct lw_stop_rules rules;
static struct lw_stop_case it;
static enum lw_stop_way way;
static int64_t run_start_s; /* of job 7, as it is seen */

static void open_stops(void)
{
	ck_assert_int_eq(lw_stops_create(scratch_path("stops"), NOW, &test_log, &stops), 0);
}

static void setup(void)
{
	last_error[0] = '\0';
	run_start_s = 0;
	scratch_setup();
	open_stops();
	rules = (struct lw_stop_rules){ .mode = LW_STOP_ON,
					.who = "qos:scavenger partition:spare",
					.lease_s = 3600,
					.back_s = 14400,
					.per_day = 2,
					.share = 0.5 };
	it = (struct lw_stop_case){ .job_id = 7,
				    .user = 1,
				    .nodes = 1,
				    .all_nodes = 10,
				    .name = "train",
				    .comment = "leeway:stop",
				    .start_s = NOW - 3600,
				    .batch = true,
				    .requeues = true };
}

static void teardown(void)
{
	lw_stops_destroy(stops);
	scratch_teardown();
}

static void restart(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_stops_save(stops, &err), 0);
	lw_stops_destroy(stops);
	open_stops();
}

static enum lw_stop_answer judge(void)
{
	return lw_stops_judge(stops, &rules, &it, NOW, &way);
}

static void ask(void)
{
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
	ck_assert_ptr_nonnull(lw_stops_ask(stops, &rules, &it, way, NOW));
}

/* Job 7 is seen so at AT_S. */
static enum lw_stop_event see(enum lw_stop_seen seen, uint32_t restarts, int64_t at_s)
{
	const struct lw_stop_sight sight = { seen, restarts, "train", run_start_s, false, false };

	return lw_stops_step(stops, lw_stops_find(stops, 7), &sight, at_s);
}

FIXTURE(setup, teardown);

static const struct {
	const char *comment, *qos, *partition;
	bool agrees;
	int64_t saves_s;
} terms[] = {
	{ NULL, NULL, NULL, false, 0 },
	{ "", "normal", "gpu", false, 0 },
	{ "leeway:stop", NULL, NULL, true, 0 },
	{ "mine; leeway:stop=10m, yours", NULL, NULL, true, 600 },
	{ "leeway:stop=", NULL, NULL, false, 0 },
	{ "leeway:stop=0", NULL, NULL, false, 0 },
	{ "leeway:stop=often", NULL, NULL, false, 0 },
	{ "leeway:stopp", NULL, NULL, false, 0 },
	{ "xleeway:stop", NULL, NULL, false, 0 },
	{ NULL, "scavenger", NULL, true, 0 },
	{ NULL, NULL, "spare", true, 0 },
	{ NULL, "spare", "scavenger", false, 0 },
	{ "leeway:no-stop", "scavenger", "spare", false, 0 },
	{ "leeway:stop leeway:no-stop", NULL, NULL, false, 0 },
	{ "leeway:no-stop,leeway:stop=10m", NULL, NULL, false, 0 },
};

TEST_EACH(only_a_job_that_agrees_is_asked, LW_COUNT_OF(terms))
{
	const struct lw_stop_terms said = { rules.who, terms[_i].comment, terms[_i].qos,
					    terms[_i].partition };
	int64_t saves_s = 1;

	ck_assert_int_eq(lw_stop_agrees(&said, &saves_s), terms[_i].agrees);
	if (terms[_i].agrees)
		ck_assert_int_eq(saves_s, terms[_i].saves_s);
	it.comment = terms[_i].comment;
	it.qos = terms[_i].qos;
	it.partition = terms[_i].partition;
	ck_assert_int_eq(judge(), terms[_i].agrees ? LW_STOP_ASKS : LW_STOP_DISAGREES);
}

TEST(with_tell_it_is_told_only)
{
	rules.mode = LW_STOP_TELL;
	ck_assert_int_eq(judge(), LW_STOP_TELLS);
	it.comment = NULL;
	ck_assert_int_eq(judge(), LW_STOP_DISAGREES);
}

static const struct {
	size_t at;
	bool value;
	enum lw_stop_answer answer;
} never[] = {
#define CASE(member, value, answer)                                                              \
	{                                                                                        \
		offsetof(struct lw_stop_case, member), value, answer                             \
	}
	CASE(batch, false, LW_STOP_NOT_BATCH),  CASE(requeues, false, LW_STOP_NO_REQUEUE),
	CASE(het, true, LW_STOP_HET),           CASE(federated, true, LW_STOP_FEDERATED),
	CASE(cron, true, LW_STOP_CRON),         CASE(buffer, true, LW_STOP_BUFFER),
	CASE(reserved, true, LW_STOP_RESERVED), CASE(licences, true, LW_STOP_LICENCES),
#undef CASE
};

TEST_EACH(some_jobs_are_never_asked, LW_COUNT_OF(never))
{
	*(bool *)((char *)&it + never[_i].at) = never[_i].value;
	ck_assert_int_eq(judge(), never[_i].answer);
}

TEST(it_is_asked_by_its_own_signal_if_it_has_one)
{
	ask();
	ck_assert_int_eq(way, LW_STOP_BY_REQUEUE);
	it.job_id = 8;
	it.signalled = true;
	ask();
	ck_assert_int_eq(way, LW_STOP_BY_SIGNAL);
	it.job_id = 9;
	it.sent = true;
	ck_assert_int_eq(judge(), LW_STOP_ENDING);
	it.sent = false;
	it.depended = true;
	ck_assert_int_eq(judge(), LW_STOP_DEPENDED);
	/* a job that saves by itself is requeued, and cannot end instead */
	it.comment = "leeway:stop=5m";
	ask();
	ck_assert_int_eq(way, LW_STOP_BY_REQUEUE);
}

TEST(a_save_must_be_done_before_the_kill)
{
	rules.save_s = 60;
	it.kill_wait_s = 59;
	ck_assert_int_eq(judge(), LW_STOP_HASTY);
	it.comment = "leeway:stop=5m";
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
	it.comment = "leeway:stop";
	it.kill_wait_s = 60;
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}

TEST(it_comes_back)
{
	ask();
	ck_assert_int_eq(lw_stops_find(stops, 7)->due_s, NOW + 14400);
	ck_assert_int_eq(judge(), LW_STOP_BUSY);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 0, NOW + 1), LW_STOP_NOTHING);
	ck_assert_int_eq(see(LW_STOP_SEEN_LEAVING, 1, NOW + 2), LW_STOP_NOTHING);
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 5), LW_STOP_OPENS);
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 6), LW_STOP_NOTHING);
	/* Slurm may have lost what was done then */
	restart();
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 7), LW_STOP_OPENS);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 9), LW_STOP_BACK);
	ck_assert_int_eq(lw_stops_find(stops, 7)->back_s, NOW + 9);
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}

TEST(another_job_may_have_its_room_first)
{
	struct lw_stop_sight sight = { LW_STOP_SEEN_WAITING, 1, "train", 0, true, false };
	struct lw_stop *stop;

	it.for_job = 9;
	ask();
	restart();
	stop = lw_stops_find(stops, 7);
	ck_assert_uint_eq(stop->for_job, 9);
	ck_assert_int_eq(lw_stops_step(stops, stop, &sight, NOW + 1), LW_STOP_STAYS);
	ck_assert_int_eq(lw_stops_step(stops, stop, &sight, NOW + 2), LW_STOP_STAYS);
	ck_assert_int_eq(stop->state, LW_STOP_YIELDS);
	sight.yields = false;
	ck_assert_int_eq(lw_stops_step(stops, stop, &sight, NOW + 3), LW_STOP_OPENS);
	/* the other one was requeued: that was another wait */
	sight.yields = true;
	ck_assert_int_eq(lw_stops_step(stops, stop, &sight, NOW + 4), LW_STOP_NOTHING);
}

TEST(it_waits_for_another_job_until_it_goes_first)
{
	const struct lw_stop_sight sight = { LW_STOP_SEEN_WAITING, 1, "train", 0, true, false };

	ask();
	ck_assert_int_eq(lw_stops_step(stops, lw_stops_find(stops, 7), &sight, NOW + 7199),
			 LW_STOP_STAYS);
	ck_assert_int_eq(lw_stops_step(stops, lw_stops_find(stops, 7), &sight, NOW + 7200),
			 LW_STOP_OPENS);
	ck_assert_int_eq(lw_stops_step(stops, lw_stops_find(stops, 7), &sight, NOW + 14401),
			 LW_STOP_NOTHING);
	ck_assert(lw_stops_find(stops, 7)->late);
}

TEST(all_may_happen_between_two_looks)
{
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 60), LW_STOP_BACK);
	ask();
	/* it ran again, and ended then */
	ck_assert_int_eq(see(LW_STOP_SEEN_ENDED, 1, NOW + 90), LW_STOP_IS_OVER);
	lw_stops_expire(stops, NOW + 90);
	ck_assert_uint_eq(lw_stops_count(stops), 0);
	ck_assert_uint_eq(lw_stops_kind_count(stops), 0);
}

TEST(a_late_return_is_told_once)
{
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 5), LW_STOP_OPENS);
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 14400), LW_STOP_NOTHING);
	ck_assert(!lw_stops_find(stops, 7)->late);
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 14401), LW_STOP_NOTHING);
	ck_assert(lw_stops_find(stops, 7)->late);
	restart();
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 14402), LW_STOP_OPENS);
	ck_assert_int_eq(see(LW_STOP_SEEN_WAITING, 1, NOW + 14403), LW_STOP_NOTHING);
}

TEST(a_deaf_kind_is_not_asked_for_a_week)
{
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 0, NOW + 599), LW_STOP_NOTHING);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 0, NOW + 600), LW_STOP_IS_DEAF);
	restart();
	it.job_id = 8;
	ck_assert_int_eq(judge(), LW_STOP_DEAF);
	it.name = "other";
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
	it.name = "train";
	it.user = 2;
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
	it.user = 1;
	lw_stops_expire(stops, NOW + 600 + LW_STOP_WEEK_S - 1);
	ck_assert_int_eq(judge(), LW_STOP_DEAF);
	lw_stops_expire(stops, NOW + 600 + LW_STOP_WEEK_S);
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}

TEST(a_long_save_has_its_time)
{
	it.signalled = true;
	it.signal_s = 1000;
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 0, NOW + 1999), LW_STOP_NOTHING);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 0, NOW + 2000), LW_STOP_IS_DEAF);
}

TEST(a_kind_that_ends_is_not_asked_again)
{
	it.signalled = true;
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_LEAVING, 0, NOW + 1), LW_STOP_NOTHING);
	ck_assert_int_eq(see(LW_STOP_SEEN_ENDED, 0, NOW + 2), LW_STOP_HAS_ENDED);
	lw_stops_expire(stops, NOW + 2);
	ck_assert_uint_eq(lw_stops_count(stops), 0);
	restart();
	it.job_id = 8;
	ck_assert_int_eq(judge(), LW_STOP_ENDS);
}

/*
 * Nine of ten such jobs run for two hours; it had run for one when it was asked. How often it
 * saves, what was known, and after how long it is told to have begun anew; 0: never.
 */
static const struct {
	const char *comment;
	int64_t expect_s, anew_s;
} begun[] = {
	{ "leeway:stop", 7200, 3600 + LW_STOP_ANEW_S },
	{ "leeway:stop=10m", 7200, 4200 + LW_STOP_ANEW_S },
	{ "leeway:stop=2h", 7200, 7200 + LW_STOP_ANEW_S },
	{ "leeway:stop", 0, 0 },
};

TEST_EACH(a_kind_that_begins_anew_is_not_asked_again, LW_COUNT_OF(begun))
{
	const int64_t anew_s = begun[_i].anew_s;

	it.comment = begun[_i].comment;
	it.expect_s = begun[_i].expect_s;
	ask();
	see(LW_STOP_SEEN_WAITING, 1, NOW + 5);
	run_start_s = NOW + 10;
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 10), LW_STOP_BACK);
	restart();
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 10 + (anew_s ? anew_s : 80000)),
			 LW_STOP_NOTHING);
	if (!anew_s)
		return;
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 11 + anew_s), LW_STOP_IS_ANEW);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 12 + anew_s), LW_STOP_NOTHING);
	restart();
	it.job_id = 8;
	ck_assert_int_eq(judge(), LW_STOP_ANEW);
}

/* Each of its runs counts, as far as it was saved. */
TEST(two_stops_are_added_up)
{
	it.expect_s = 7200;
	ask();
	run_start_s = it.start_s = NOW - 3000;
	see(LW_STOP_SEEN_RUNNING, 1, NOW);
	rules.lease_s = 0;
	it.restarts = 1;
	ask();
	run_start_s = NOW;
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 2, NOW + 10), LW_STOP_BACK);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 2, NOW + 1200), LW_STOP_NOTHING);
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 2, NOW + 1201), LW_STOP_IS_ANEW);
}

TEST(a_file_of_an_earlier_leeway_is_read)
{
	static const char text[] = "job 7 1 2 0 0 1 0 1 2 3 4 499999 6 0 0\nkind 1 2 1 5 train\n";
	struct lw_error err;

	lw_stops_destroy(stops);
	ck_assert_int_eq(lw_savefile_write(scratch_path("stops"), LW_STOP_FILE_KIND,
					   LW_STOP_FILE_VERSION, text, strlen(text), &err),
			 0);
	open_stops();
	ck_assert_str_eq(last_error, "");
	ck_assert_int_eq(lw_stops_find(stops, 7)->expect_s, 0);
	ck_assert_uint_eq(lw_stops_find(stops, 7)->stops, 6);
}

TEST(what_others_end_teaches_nothing)
{
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_GONE, 0, NOW + 2), LW_STOP_IS_OVER);
	lw_stops_expire(stops, NOW + 2);
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}

TEST(stops_of_a_day_are_bounded)
{
	ask();
	see(LW_STOP_SEEN_RUNNING, 1, NOW + 60);
	it.restarts = 1;
	ask();
	see(LW_STOP_SEEN_RUNNING, 2, NOW + 120);
	ck_assert_int_eq(judge(), LW_STOP_OFTEN);
	restart();
	ck_assert_int_eq(judge(), LW_STOP_OFTEN);
	lw_stops_expire(stops, NOW + LW_STOP_DAY_S);
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}

TEST(jobs_that_are_out_have_a_share_of_the_nodes)
{
	rules.share = 0.3;
	it.nodes = 4;
	ask(); /* the first one */
	it.job_id = 8;
	it.nodes = 1;
	ck_assert_int_eq(judge(), LW_STOP_CROWDED);
	see(LW_STOP_SEEN_RUNNING, 1, NOW + 60);
	ask();
	it.job_id = 9;
	it.nodes = 2;
	ask();
	it.job_id = 10;
	it.nodes = 1;
	ck_assert_int_eq(judge(), LW_STOP_CROWDED);
}

TEST(no_user_has_more_than_a_share_of_the_table)
{
	uint32_t asked = 0;

	rules.share = 1.0;
	it.all_nodes = UINT32_MAX;
	for (; asked < LW_STOPS_MAX && judge() == LW_STOP_ASKS; asked++) {
		lw_stops_ask(stops, &rules, &it, way, NOW);
		it.job_id++;
	}
	ck_assert_uint_eq(asked, LW_STOPS_MAX / 2);
	ck_assert_int_eq(judge(), LW_STOP_FULL);
	it.user = 2;
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}

TEST(no_user_has_more_than_a_share_of_what_is_learned)
{
	char name[32];

	rules.share = 1.0;
	it.signalled = true;
	it.name = name;
	for (uint32_t i = 0; i < 2 * LW_LESSONS_MAX; i++) {
		const struct lw_stop_sight ended = { LW_STOP_SEEN_ENDED, 0, name, 0, false, false };

		snprintf(name, sizeof(name), "n%u\n", i);
		it.user = i % 2;
		ask();
		lw_stops_step(stops, lw_stops_find(stops, 7), &ended, NOW);
		lw_stops_expire(stops, NOW);
	}
	ck_assert_uint_eq(lw_stops_kind_count(stops), 2 * lw_quota(LW_LESSONS_MAX));
	restart();
	ck_assert_uint_eq(lw_stops_kind_count(stops), 2 * lw_quota(LW_LESSONS_MAX));
	ck_assert_str_eq(last_error, "");
}

static const char *const damaged[] = {
	"job",
	"job 0 1 2 0 0 1 0 1 2 3 4 5 6 0 0",
	"job 7 1 2 5 0 1 0 1 2 3 4 5 6 0 0",
	"job 7 1 2 0 0 1 0 1 2 3 4 5 6 7",
	"job 7 1 2 0 0 1 0 1 2 3 4 5 6 0 0 0",
	"job 7 1 2 0 0 1 0 1 2 3 4 5 6 0 0\njob 7 1 2 0 0 1 0 1 2 3 4 5 6 0 0",
	"job 7 1 2 0 0 1 0 1 2 3 4 5 6 0 0 5",
	"job 7 1 2 0 0 1 0 1 2 3 4 5 6 0 0 5 6 7",
	"kind 1 2 3 5 train",
	"kind 1 2 3",
	"node 1",
};

TEST_EACH(a_damaged_file_is_set_aside, LW_COUNT_OF(damaged))
{
	struct lw_error err;

	ask();
	lw_stops_destroy(stops);
	ck_assert_int_eq(lw_savefile_write(scratch_path("stops"), LW_STOP_FILE_KIND,
					   LW_STOP_FILE_VERSION, damaged[_i], strlen(damaged[_i]),
					   &err),
			 0);
	open_stops();
	ck_assert(strstr(last_error, "jobs that were asked to stop start"));
	ck_assert_uint_eq(lw_stops_count(stops), 0);
	ck_assert_uint_eq(lw_stops_kind_count(stops), 0);
}

TEST(the_word_tells_it_all)
{
	struct lw_stop stop = { .asked_s = 5, .due_s = 10, .back_s = 7, .for_job = 9 };
	char word[LW_STOP_WORD_MAX], comment[LW_STOP_WORD_MAX + 16];
	struct lw_stop read;

	lw_stop_word(&stop, word);
	snprintf(comment, sizeof(comment), "mine %s yours", word);
	ck_assert(lw_stop_word_read(comment, &read));
	ck_assert_int_eq(read.asked_s, 5);
	ck_assert_int_eq(read.due_s, 10);
	ck_assert_int_eq(read.back_s, 7);
	ck_assert_uint_eq(read.for_job, 9);
	ck_assert(!read.moves);
	stop.moves = true;
	lw_stop_word(&stop, word);
	ck_assert(lw_stop_word_read(word, &read));
	ck_assert(read.moves);
	ck_assert_int_eq(read.back_s, 7);
	ck_assert(!lw_stop_word_read("leeway:stopped=soon", &read));
	ck_assert(!lw_stop_word_read(NULL, &read));
}
