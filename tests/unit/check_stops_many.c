/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/stops: of ten thousand stops none is of a job that did not agree.
 */
#include "slurm/keep/stops.h"

#include "base/lookup.h"
#include "unit/last_error.h"
#include "unit/scratch.h"

#include <stdint.h>

#define NOW 500000

static struct lw_stops *stops;

static void open_stops(void)
{
	ck_assert_int_eq(lw_stops_create(scratch_path("stops"), NOW, &test_log, &stops), 0);
}

static void setup(void)
{
	last_error[0] = '\0';
	scratch_setup();
	open_stops();
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

FIXTURE(setup, teardown);

#define JOBS 200

/* What a job does once it is asked. */
enum manner { REQUEUES, SLOW, DEAF, ENDS, CANCELLED, MANNERS };

static struct job {
	enum manner manner;
	enum lw_stop_seen seen;
	uint32_t restarts, stops;
	int64_t start_s, next_s; /* of what it does next */
	bool agrees, asked, opened;
} jobs[JOBS];

static uint64_t seed;
static const struct lw_stop_rules rules = {
	.mode = LW_STOP_ON, .lease_s = 60, .back_s = 14400, .per_day = 20, .share = 1.0
};

static uint32_t below(uint32_t count)
{
	seed = lw_hash_mix(seed, 1);
	return (uint32_t)(seed % count);
}

static void come(struct job *job, int64_t now_s)
{
	*job = (struct job){ .manner = below(MANNERS),
			     .seen = LW_STOP_SEEN_RUNNING,
			     .start_s = now_s,
			     .agrees = below(2) };
}

/* A job that was asked goes on. */
static void go_on(struct job *job, int64_t now_s)
{
	if (!job->asked || job->manner == DEAF || now_s < job->next_s)
		return;
	job->next_s = now_s + (job->manner == SLOW ? 300 : below(30));
	if (job->seen == LW_STOP_SEEN_RUNNING) {
		job->seen = LW_STOP_SEEN_LEAVING;
		job->restarts += job->manner != ENDS && job->manner != CANCELLED;
	} else if (job->seen == LW_STOP_SEEN_LEAVING) {
		job->seen = job->manner == ENDS        ? LW_STOP_SEEN_ENDED
			    : job->manner == CANCELLED ? LW_STOP_SEEN_GONE
						       : LW_STOP_SEEN_WAITING;
	} else if (job->seen == LW_STOP_SEEN_WAITING && job->opened) {
		job->seen = LW_STOP_SEEN_RUNNING;
		job->start_s = now_s;
		job->asked = false;
	}
}

static void note(struct job *job, enum lw_stop_event event)
{
	switch (event) {
	case LW_STOP_OPENS:
		ck_assert_int_eq(job->seen, LW_STOP_SEEN_WAITING);
		job->opened = true;
		break;
	case LW_STOP_BACK:
		ck_assert(job->opened);
		break;
	case LW_STOP_IS_DEAF:
		ck_assert_int_eq(job->manner, DEAF);
		job->asked = false;
		break;
	case LW_STOP_HAS_ENDED:
		ck_assert_int_eq(job->manner, ENDS);
		break;
	case LW_STOP_IS_OVER:
		ck_assert_int_eq(job->manner, CANCELLED);
		break;
	default:
		break;
	}
}

/* Job I of its user has a name of its own, by manner and user, so that what is learned counts. */
static void name_of(uint32_t i, char name[16])
{
	snprintf(name, 16, "n%d", (int)jobs[i].manner);
}

/* One look at job I, after which the table knows what the job does. */
static void look(uint32_t i, int64_t now_s)
{
	struct job *job = &jobs[i];
	struct lw_stop *stop = lw_stops_find(stops, i + 1);
	char name[16];
	const struct lw_stop_sight sight = { job->seen, job->restarts, name, 0, !below(4), false };

	name_of(i, name);
	ck_assert_msg(stop || !job->asked, "job %u is lost", i + 1);
	if (!stop)
		return;
	note(job, lw_stops_step(stops, stop, &sight, now_s));
	if (job->seen == LW_STOP_SEEN_WAITING && job->asked)
		ck_assert(job->opened || (sight.yields && now_s <= stop->due_s));
	if (job->seen < LW_STOP_SEEN_ENDED)
		ck_assert_int_eq(lw_stop_is_out(stop), job->asked);
}

/* Slurm may not have kept what was done for a job that waits. */
static void restart_slurmctld(void)
{
	restart();
	for (uint32_t i = 0; i < JOBS; i++)
		if (jobs[i].seen == LW_STOP_SEEN_WAITING)
			jobs[i].opened = false;
}

/* 1: a job was asked */
static uint32_t try_to_ask(uint32_t i, int64_t now_s)
{
	struct job *job = &jobs[i];
	char name[16];
	const struct lw_stop_case it = {
		.job_id = i + 1,
		.user = i % 50,
		.nodes = 1,
		.all_nodes = JOBS,
		.name = name,
		.comment = job->agrees ? "leeway:stop"
			   : below(2)  ? "leeway:no-stop"
				       : NULL,
		.restarts = job->restarts,
		.start_s = job->start_s,
		.signalled = job->manner == DEAF || job->manner == ENDS,
		.batch = true,
		.requeues = true,
	};
	enum lw_stop_answer answer;
	enum lw_stop_way way;

	name_of(i, name);
	if (job->seen != LW_STOP_SEEN_RUNNING)
		return 0;
	answer = lw_stops_judge(stops, &rules, &it, now_s, &way);
	ck_assert(answer != LW_STOP_ASKS || (job->agrees && !job->asked));
	ck_assert(answer != LW_STOP_ASKS || now_s - job->start_s >= rules.lease_s);
	if (answer != LW_STOP_ASKS)
		return 0;
	ck_assert_ptr_nonnull(lw_stops_ask(stops, &rules, &it, way, now_s));
	ck_assert_uint_le(lw_stops_find(stops, i + 1)->stops, rules.per_day);
	job->asked = true;
	job->opened = false;
	job->next_s = now_s + below(60);
	return 1;
}

TEST_EACH(ten_thousand_stops_lose_no_job, 5)
{
	uint32_t asked = 0;
	int64_t now_s = NOW;

	seed = (uint64_t)_i + 1;
	for (uint32_t i = 0; i < JOBS; i++)
		come(&jobs[i], now_s);
	while (asked < 2000) {
		uint32_t i = below(JOBS);

		now_s += below(1000) ? 1 + below(20) : LW_STOP_DAY_S + 1;
		for (uint32_t k = 0; k < JOBS; k++)
			go_on(&jobs[k], now_s);
		/* much may happen between two looks */
		for (uint32_t k = 0; k < JOBS; k++)
			if (below(3))
				look(k, now_s);
		lw_stops_expire(stops, now_s);
		for (uint32_t k = 0; k < JOBS; k++)
			if (jobs[k].seen >= LW_STOP_SEEN_ENDED && !lw_stops_find(stops, k + 1))
				come(&jobs[k], now_s);
		asked += try_to_ask(i, now_s);
		if (!below(50))
			restart_slurmctld();
	}
	ck_assert_str_eq(last_error, "");
}

/* What is kept is in memory alone; the file says for people that it is. */
TEST(after_a_restart_no_job_moves)
{
	const struct lw_stop_case it = { .job_id = 7, .user = 1, .moves = true, .name = "train" };
	struct lw_error err;
	char *text;

	lw_stops_ask(stops, &rules, &it, LW_STOP_BY_SIGNAL, NOW);
	ck_assert_int_eq(lw_stops_save(stops, &err), 0);
	text = scratch_read(scratch_path("stops"));
	ck_assert_ptr_nonnull(strstr(text, " 0 0 1\n"));
	free(text);
	restart();
	ck_assert(!lw_stops_find(stops, 7)->moves);
	lw_stops_set_moves(stops, lw_stops_find(stops, 7), true);
	lw_stops_set_moves(stops, lw_stops_find(stops, 7), false);
	ck_assert_int_eq(lw_stops_save(stops, &err), 0);
	text = scratch_read(scratch_path("stops"));
	ck_assert_ptr_nonnull(strstr(text, " 0 0 0\n"));
	free(text);
}
