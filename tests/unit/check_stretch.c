/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/read/stretch: what is expected of jobs beside others on a GPU. */
#include "slurm/read/stretch.h"

#include "planner/model/snapshot_step.h"
#include "unit/reading.h"
#include "unit/unit.h"

#define NOW   100000
#define LIMIT 3600

static struct lw_reading reading;
static struct lw_ticket tickets[2];
static struct lw_stretch stretches[4];

static void setup(void)
{
	reading_make(&reading, NOW);
	memset(tickets, 0, sizeof(tickets));
	memset(stretches, 0, sizeof(stretches));
	reading.tickets = tickets;
	reading.stretches = stretches;
}

static void teardown(void)
{
	lw_snapshot_fini(&reading.snap);
}

static void note_stretch(uint32_t job_id, uint32_t thousandths)
{
	stretches[reading.stretch_count++] = (struct lw_stretch){ job_id, thousandths };
}

FIXTURE(setup, teardown);

/* What is left of 1,000 s after 200 takes half as long again; what it had stays as it is. */
TEST(what_is_left_of_running_ones_is_stretched)
{
	reading_add_running(&reading, 5, 200, LIMIT);
	lw_snapshot_expect_running(&reading.snap, 0, 1000, 0);
	lw_reading_stretch(&reading);
	ck_assert_int_eq(reading.snap.running[0].expect_s, 1000);
	note_stretch(4, 2000);
	lw_reading_stretch(&reading);
	ck_assert_int_eq(reading.snap.running[0].expect_s, 1000);
	/* with several GPUs the slowest counts */
	note_stretch(5, 1500);
	note_stretch(5, 1200);
	lw_reading_stretch(&reading);
	ck_assert_int_eq(reading.snap.running[0].expect_s, 200 + 1200);
	ck_assert_int_eq(reading.snap.running[0].end_s, NOW - 200 + LIMIT);
}

TEST(who_has_outrun_it_or_is_not_known_stays)
{
	reading_add_running(&reading, 5, 200, LIMIT);
	note_stretch(5, 1500);
	lw_reading_stretch(&reading);
	ck_assert_int_eq(reading.snap.running[0].expect_s, 0);
	lw_snapshot_expect_running(&reading.snap, 0, 150, 0);
	lw_reading_stretch(&reading);
	ck_assert_int_eq(reading.snap.running[0].expect_s, 150);
}

static const struct {
	int64_t mean_s;
	uint32_t stretch;
	int64_t want_s;
} waits[] = {
	{ 1000, 1000, 1000 },  { 1000, 1300, 1300 }, { 1000, 0, 1000 },
	{ 3000, 1300, LIMIT }, { 0, 1300, 0 },
};

TEST_EACH(all_of_waiting_ones_is_stretched_up_to_the_limit, LW_COUNT_OF(waits))
{
	const uint32_t place = reading_add_waiting(&reading, 9, 7, LIMIT, LW_READY);
	struct lw_expectation expected = { .mean_s = waits[_i].mean_s };
	const struct lw_waiting *job = &reading.snap.waiting[place];

	lw_snapshot_expect_jobs(&reading.snap, reading.snap.queue.class_of[place], &expected);
	tickets[place].stretch = waits[_i].stretch;
	lw_reading_stretch(&reading);
	ck_assert_int_eq(job->expected.mean_s, waits[_i].want_s);
	ck_assert_int_eq(job->limit_s, LIMIT);
}
