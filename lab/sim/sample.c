/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: some weeks of a long trace in place of all of it. */
#include "lab/sim/sample.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In the middle of the WEEKS-th parts of the trace. */
static void place_weeks(struct lw_sample *sample, uint32_t weeks, int64_t first_s)
{
	sample->weeks = weeks;
	for (uint32_t k = 0; k < weeks; k++)
		sample->begin_s[k] =
			first_s + LW_SAMPLE_WEEK_S * ((2 * (int64_t)k + 1) * sample->of_weeks /
						      (2 * (int64_t)weeks));
}

/* Is a job submitted AT_S in a week that counts, or in the BEFORE_S before one? */
static bool is_in(const struct lw_sample *sample, int64_t at_s, int64_t before_s)
{
	for (uint32_t k = 0; k < sample->weeks; k++)
		if (at_s >= sample->begin_s[k] - before_s &&
		    at_s < sample->begin_s[k] + LW_SAMPLE_WEEK_S)
			return true;
	return false;
}

uint32_t lw_sample_week(const struct lw_sample *sample, int64_t at_s)
{
	uint32_t k = 0;

	while (k < sample->weeks && (at_s < sample->begin_s[k] ||
				     at_s >= sample->begin_s[k] + LW_SAMPLE_WEEK_S))
		k++;
	return k;
}

static uint32_t count_in(const struct lw_sample *sample, const struct lw_tracejobs *jobs,
			 int64_t before_s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < jobs->count; i++)
		count += is_in(sample, jobs->jobs[i].submit_s, before_s);
	return count;
}

/* What is left of what JOB waits for, by the ids of the jobs that are there, which rise. */
static void keep_afters(const struct lw_tracejobs *jobs, struct lw_sim_job *job)
{
	struct lw_after *afters = jobs->afters + (job->afters - jobs->afters);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < job->after_count; i++) {
		uint32_t at;

		LW_SEARCH(at, jobs->count, jobs->jobs[at].id < afters[i].job);
		if (at < jobs->count && jobs->jobs[at].id == afters[i].job)
			afters[kept++] = afters[i];
	}
	job->after_count = kept;
	if (!kept)
		job->afters = NULL;
}

static void keep_jobs(struct lw_tracejobs *jobs, const struct lw_sample *sample)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < jobs->count; i++)
		if (is_in(sample, jobs->jobs[i].submit_s, LW_SAMPLE_BEFORE_S))
			jobs->jobs[kept++] = jobs->jobs[i];
	jobs->count = kept;
	for (uint32_t i = 0; i < kept; i++)
		if (jobs->jobs[i].after_count)
			keep_afters(jobs, &jobs->jobs[i]);
}

/* More weeks than that are not worth a try: they would be of half as many jobs as others. */
static uint32_t most_weeks(const struct lw_sample *sample, uint32_t most)
{
	uint64_t weeks = 2 * (uint64_t)most * sample->of_weeks / sample->of_jobs + 1;

	weeks = weeks < sample->of_weeks ? weeks : sample->of_weeks - 1;
	return weeks < LW_SAMPLE_MAX ? (uint32_t)weeks : LW_SAMPLE_MAX;
}

void lw_sample_take(struct lw_tracejobs *jobs, uint32_t most, struct lw_sample *ret_sample)
{
	struct lw_sample sample = { .of_jobs = jobs->count, .counted = jobs->count };
	int64_t first_s = jobs->count ? jobs->jobs[0].submit_s : 0;
	uint32_t weeks;

	*ret_sample = sample;
	if (jobs->count <= most)
		return;
	sample.of_weeks =
		(uint32_t)((jobs->jobs[jobs->count - 1].submit_s - first_s) / LW_SAMPLE_WEEK_S) +
		1;
	if (sample.of_weeks < 3)
		return;
	weeks = most_weeks(&sample, most);
	place_weeks(&sample, weeks, first_s);
	while (weeks > 1 && count_in(&sample, jobs, LW_SAMPLE_BEFORE_S) > most)
		place_weeks(&sample, --weeks, first_s);
	sample.counted = count_in(&sample, jobs, 0);
	if (!sample.counted)
		return;
	keep_jobs(jobs, &sample);
	*ret_sample = sample;
}

/* Processor time held within the weeks, as a share. */
static double use_of(const struct lw_sample *sample, const struct lw_sim_job *jobs,
		     uint32_t count, const struct lw_machine *machine)
{
	double held_s = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];
		int64_t end_s;

		if (job->start_s == LW_NO_TIME)
			continue;
		end_s = lw_sim_job_end_s(job);
		for (uint32_t k = 0; k < sample->weeks; k++) {
			int64_t from_s = sample->begin_s[k], to_s = from_s + LW_SAMPLE_WEEK_S;

			from_s = job->start_s > from_s ? job->start_s : from_s;
			to_s = end_s < to_s ? end_s : to_s;
			if (to_s > from_s)
				held_s += (double)(to_s - from_s) *
					  lw_machine_width(machine, &job->request);
		}
	}
	return held_s / ((double)sample->weeks * LW_SAMPLE_WEEK_S * lw_machine_procs(machine));
}

/* Those of JOBS that count into COUNTED, and their WAIT_S under the base; returns how many. */
static uint32_t take_counted(const struct lw_sample *sample, const struct lw_sim_job *jobs,
			     uint32_t count, const int64_t *base_wait_s,
			     struct lw_sim_job *counted, int64_t *wait_s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_in(sample, jobs[i].submit_s, 0))
			continue;
		wait_s[n] = base_wait_s ? base_wait_s[i] : LW_NO_TIME;
		counted[n++] = jobs[i];
	}
	return n;
}

int lw_sample_figures(const struct lw_sample *sample, const struct lw_sim_job *jobs,
		      uint32_t count, const struct lw_machine *machine,
		      const int64_t *base_wait_s, struct lw_figures *figures)
{
	const enum lw_figure clocks[] = { LW_FIGURE_WALL, LW_FIGURE_SPEED };
	struct lw_harm harm = { 0 };
	const struct lw_figures_watched seen = { .harm = &harm };
	struct lw_figures found;
	struct lw_sim_job *counted;
	int64_t *wait_s;
	uint32_t n;
	int rc = -ENOMEM;

	if (!sample->weeks)
		return 0;
	counted = calloc(sample->counted, sizeof(*counted));
	wait_s = calloc(sample->counted, sizeof(*wait_s));
	if (counted && wait_s) {
		n = take_counted(sample, jobs, count, base_wait_s, counted, wait_s);
		harm = lw_harm_of(counted, wait_s, n);
		rc = lw_figures_of(counted, n, machine, &seen, &found);
	}
	free(counted);
	free(wait_s);
	if (rc)
		return rc;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		found.value[clocks[i]] = figures->value[clocks[i]];
	found.value[LW_FIGURE_UTILISATION] = use_of(sample, jobs, count, machine);
	*figures = found;
	return 0;
}
