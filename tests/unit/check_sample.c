/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/sample: some weeks in place of a long trace. */
#include "lab/sim/sample.h"

#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S 86400
#define WEEKS 10
#define JOBS  (WEEKS * 7 * 10) /* ten a day */

static struct lw_sim_job list[JOBS];
static struct lw_after waits[JOBS];
static struct lw_tracejobs jobs;

/* Each waits a second for each day since the first; each waits for the one ten days before. */
static void setup_jobs(void)
{
	memset(list, 0, sizeof(list));
	for (uint32_t i = 0; i < JOBS; i++) {
		struct lw_sim_job *job = &list[i];

		job->id = i + 1;
		job->submit_s = 1000 + (int64_t)i * DAY_S / 10;
		job->start_s = job->submit_s + i / 10;
		job->ready_s = job->submit_s;
		job->awaited_s = job->promise_s = job->latest_s = LW_NO_TIME;
		job->run_s = job->limit_s = DAY_S / 10;
		job->request.nodes_min = 1;
		job->request.cpus_per_node = 1;
		if (i < 100)
			continue;
		waits[i] = (struct lw_after){ LW_AFTER_ANY, i + 1 - 100 };
		job->afters = &waits[i];
		job->after_count = 1;
	}
	jobs = (struct lw_tracejobs){
		.jobs = list, .count = JOBS, .afters = waits, .after_count = JOBS
	};
}

TEST(few_jobs_are_all_taken)
{
	struct lw_sample sample;

	setup_jobs();
	lw_sample_take(&jobs, JOBS, &sample);
	ck_assert_uint_eq(sample.weeks, 0);
	ck_assert_uint_eq(sample.counted, JOBS);
	ck_assert_uint_eq(jobs.count, JOBS);
	/* two weeks have no other to stand for them */
	jobs.count = 140;
	lw_sample_take(&jobs, 10, &sample);
	ck_assert_uint_eq(sample.weeks, 0);
	ck_assert_uint_eq(jobs.count, 140);
}

TEST(weeks_are_spread)
{
	struct lw_sample sample;

	setup_jobs();
	/* a week and three days before it are 100 jobs */
	lw_sample_take(&jobs, 250, &sample);
	ck_assert_uint_eq(sample.weeks, 2);
	ck_assert_uint_eq(sample.of_weeks, WEEKS);
	ck_assert_uint_eq(sample.of_jobs, JOBS);
	ck_assert_uint_eq(sample.counted, 2 * 70);
	ck_assert_uint_eq(jobs.count, 2 * 100);
	ck_assert_int_eq(sample.begin_s[0], 1000 + 2 * LW_SAMPLE_WEEK_S);
	ck_assert_int_eq(sample.begin_s[1], 1000 + 7 * LW_SAMPLE_WEEK_S);
	ck_assert_uint_eq(jobs.jobs[0].id, 2 * 70 - 30 + 1);
	ck_assert_uint_eq(jobs.jobs[100].id, 7 * 70 - 30 + 1);
	/* one at least, however many jobs it has */
	setup_jobs();
	lw_sample_take(&jobs, 1, &sample);
	ck_assert_uint_eq(sample.weeks, 1);
	ck_assert_int_eq(sample.begin_s[0], 1000 + 5 * LW_SAMPLE_WEEK_S);
}

TEST(nobody_waits_for_who_is_gone)
{
	struct lw_sample sample;
	uint32_t waiting = 0;

	setup_jobs();
	/* all weeks but one, with the days before them: most are there */
	lw_sample_take(&jobs, JOBS - 1, &sample);
	for (uint32_t i = 0; i < jobs.count; i++) {
		const struct lw_sim_job *job = &jobs.jobs[i];
		bool found = false;

		for (uint32_t k = 0; job->after_count && k < jobs.count; k++)
			found |= jobs.jobs[k].id == job->afters[0].job;
		ck_assert(found == (job->after_count > 0));
		waiting += job->after_count;
	}
	ck_assert_uint_gt(waiting, 0);
	setup_jobs();
	lw_sample_take(&jobs, 110, &sample);
	ck_assert_uint_eq(sample.weeks, 1);
	for (uint32_t i = 0; i < jobs.count; i++)
		ck_assert_uint_eq(jobs.jobs[i].after_count, 0);
}

TEST(only_the_weeks_count)
{
	const struct lw_machine machine = { .pool = 4 };
	struct lw_figures figures = { { 0 } };
	struct lw_sample sample;
	int64_t base_s[JOBS];

	setup_jobs();
	lw_sample_take(&jobs, 110, &sample);
	figures.value[LW_FIGURE_WALL] = 7;
	ck_assert_int_eq(
		lw_sample_figures(&sample, jobs.jobs, jobs.count, &machine, NULL, &figures), 0);
	ck_assert(figures.value[LW_FIGURE_JOBS] == 70);
	/* days 35 to 41 */
	ck_assert(figures.value[LW_FIGURE_WAIT] == 38);
	ck_assert(figures.value[LW_FIGURE_WALL] == 7);
	/* a processor of four, all the time but for what jobs waited longer each day */
	ck_assert(figures.value[LW_FIGURE_UTILISATION] > 0.249);
	ck_assert(figures.value[LW_FIGURE_UTILISATION] < 0.251);
	ck_assert(isnan(figures.value[LW_FIGURE_LONGER]));
	/* beside a base where jobs of day 40 waited two hours less, and those of day 33 do not
	 * count */
	for (uint32_t i = 0; i < jobs.count; i++) {
		base_s[i] = lw_harm_wait_s(&jobs.jobs[i]);
		base_s[i] -= base_s[i] == 40 || base_s[i] == 33 ? 7200 : 0;
	}
	ck_assert_int_eq(
		lw_sample_figures(&sample, jobs.jobs, jobs.count, &machine, base_s, &figures), 0);
	ck_assert_double_eq_tol(figures.value[LW_FIGURE_LONGER], 1.0 / 7, 1e-12);
	ck_assert(figures.value[LW_FIGURE_LONGER_MAX] == 7200);
	/* without a sample they stay */
	memset(&sample, 0, sizeof(sample));
	ck_assert_int_eq(lw_sample_figures(&sample, jobs.jobs, 1, &machine, NULL, &figures), 0);
	ck_assert(figures.value[LW_FIGURE_JOBS] == 70);
}
