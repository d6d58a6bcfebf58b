/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the simulator's agenda: what happens when, and in which order. */
#include "lab/sim/agenda.h"

#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

/* Submitted in this order; a start of -1 is a job that only waits. */
static const struct row {
	uint32_t id;
	int64_t submit_s, run_s, limit_s, cancel_after_s, start_s;
} rows[] = {
	{ 1, 0, 50, 100, 0, 0 },   /* ends by itself at 50 */
	{ 2, 0, 500, 40, 0, 10 },  /* at its limit at 50, with the first */
	{ 3, 5, 500, 500, 15, 8 }, /* cancelled at 20 while it runs, so it ends then */
	{ 4, 7, 10, 10, 23, -1 },  /* cancelled at 30 while it waits */
	{ 6, 60, 5, 5, 10, 60 },   /* over at 65, before it is cancelled at 70 */
	{ 5, 60, 5, 5, 0, 60 },    /* the same end, and a lower id */
};

/* A letter for each event, its job's id and its second. */
static const char expected[] = "s1@0 s2@0 s3@5 s4@7 e3@20 c3@20 c4@30 e1@50 e2@50 s6@60 s5@60 "
			       "e5@65 e6@65 ";

struct told {
	char text[256];
	size_t length;
};

static void tell(struct told *told, char what, const struct lw_sim_job *job, int64_t now_s)
{
	int wrote = snprintf(told->text + told->length, sizeof(told->text) - told->length,
			     "%c%u@%lld ", what, job->id, (long long)now_s);

	told->length += (size_t)wrote;
	ck_assert_uint_lt(told->length, sizeof(told->text));
}

static void fill(struct lw_sim_job *jobs)
{
	memset(jobs, 0, LW_COUNT_OF(rows) * sizeof(*jobs));
	for (size_t i = 0; i < LW_COUNT_OF(rows); i++) {
		jobs[i].id = rows[i].id;
		jobs[i].submit_s = rows[i].submit_s;
		jobs[i].run_s = rows[i].run_s;
		jobs[i].limit_s = rows[i].limit_s;
		jobs[i].cancel_after_s = rows[i].cancel_after_s;
		jobs[i].start_s = rows[i].start_s;
	}
}

/* Those that start do so when they are submitted: the agenda only looks at their ends. */
static void one_second(struct lw_agenda *agenda, const struct lw_sim_job *jobs, int64_t now_s,
		       struct told *told)
{
	uint32_t job;

	while (lw_agenda_end(agenda, now_s, &job))
		tell(told, 'e', &jobs[job], now_s);
	while (lw_agenda_cancel(agenda, now_s, &job))
		tell(told, 'c', &jobs[job], now_s);
	while (lw_agenda_submit(agenda, now_s, &job)) {
		tell(told, 's', &jobs[job], now_s);
		if (jobs[job].start_s >= 0)
			ck_assert_int_eq(lw_agenda_start(agenda, job), 0);
	}
}

TEST(in_order)
{
	struct lw_sim_job jobs[LW_COUNT_OF(rows)];
	struct told told = { .length = 0 };
	struct lw_agenda agenda;
	int64_t now_s;

	fill(jobs);
	ck_assert_int_eq(lw_agenda_init(&agenda, jobs, LW_COUNT_OF(rows)), 0);
	while (lw_agenda_next(&agenda, &now_s))
		one_second(&agenda, jobs, now_s, &told);
	ck_assert_str_eq(told.text, expected);
	lw_agenda_fini(&agenda);
}

TEST(wakes)
{
	struct lw_sim_job jobs[LW_COUNT_OF(rows)];
	struct lw_agenda agenda;
	int64_t now_s = -1;
	uint32_t job;

	fill(jobs);
	ck_assert_int_eq(lw_agenda_init(&agenda, jobs, 1), 0);
	ck_assert(lw_agenda_submit(&agenda, 0, &job));
	ck_assert(!lw_agenda_next(&agenda, &now_s));
	ck_assert_int_eq(now_s, -1);
	agenda.wake_s = 17;
	ck_assert(lw_agenda_next(&agenda, &now_s));
	ck_assert_int_eq(now_s, 17);
	ck_assert(lw_agenda_happens(&agenda, 17));
	ck_assert(!lw_agenda_happens(&agenda, 16));
	/* the main loop is due, and nothing else happens */
	agenda.main_s = 12;
	ck_assert(lw_agenda_next(&agenda, &now_s));
	ck_assert_int_eq(now_s, 12);
	ck_assert(!lw_agenda_happens(&agenda, 12));
	agenda.main_s = INT64_MAX;
	now_s = 17;
	ck_assert(!lw_agenda_end(&agenda, now_s, &job));
	ck_assert_int_eq(lw_agenda_start(&agenda, job), 0);
	agenda.wake_s = INT64_MAX;
	ck_assert(lw_agenda_next(&agenda, &now_s));
	ck_assert_int_eq(now_s, 50);
	lw_agenda_fini(&agenda);
}
