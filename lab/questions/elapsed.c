/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the time that a job has run tells of its end. */
#include "lab/questions/elapsed.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/questions/dist.h"

static const int64_t times_s[LW_ELAPSED_TIMES] = { 0,     10,    60,    600,   3600,
						   10800, 43200, 86400, 259200 };
static const double looks[LW_ELAPSED_LOOKS] = { 0.125, 0.25, 0.5 };

/* ---- how they end ---- */

struct run {
	int64_t run_s;
	uint8_t outcome;
};

static int compare_runs(const void *left, const void *right)
{
	const struct run *a = left, *b = right;

	return a->run_s < b->run_s ? -1 : a->run_s > b->run_s;
}

/* RUNS rise; those from FIRST on still run after AFTER_S. */
static void time_fill(struct lw_elapsed_time *time, const struct run *runs, uint32_t first,
		      uint32_t count)
{
	double known = 0, sum = 0;

	time->running = count - first;
	for (uint32_t i = first; i < count; i++) {
		sum += (double)(runs[i].run_s - time->after_s);
		time->outcome[runs[i].outcome]++;
		known += runs[i].outcome != LW_OUTCOME_UNKNOWN;
	}
	for (uint32_t o = 0; o < LW_OUTCOMES; o++)
		time->outcome[o] = lw_share(time->outcome[o], known);
	time->left_mean_s = lw_share(sum, time->running);
	time->left_median_s = NAN;
	if (time->running)
		time->left_median_s =
			(double)(runs[first + (time->running - 1) / 2].run_s - time->after_s);
}

static int fill_times(const struct lw_joblog *log, struct lw_elapsed *elapsed)
{
	struct run *runs = calloc((size_t)log->count + 1, sizeof(*runs));
	uint32_t first = 0;

	if (!runs)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++)
		runs[i] = (struct run){ log->jobs[i].run_s, log->jobs[i].outcome };
	if (log->count)
		qsort(runs, log->count, sizeof(*runs), compare_runs);
	for (uint32_t t = 0; t < LW_ELAPSED_TIMES; t++) {
		elapsed->times[t].after_s = times_s[t];
		/* at 0 all jobs, also jobs with a run time of 0 */
		while (first < log->count && t && runs[first].run_s <= times_s[t])
			first++;
		time_fill(&elapsed->times[t], runs, first, log->count);
	}
	free(runs);
	return 0;
}

/* ---- guesses ---- */

#define MEMORY 50
#define ENOUGH 3

/* The last jobs of each user, chained by place: the one before of the same user. */
struct memory {
	uint32_t *before; /* of a job, a place + 1 or 0 */
};

/* The value that stands at RANK when VALUES rise (Hoare, Algorithm 65: find, 1961). */
static double select_rank(double *values, uint32_t count, uint32_t rank)
{
	int64_t low = 0, high = (int64_t)count - 1;

	while (low < high) {
		double pivot = values[rank];
		int64_t i = low, k = high;

		do {
			while (values[i] < pivot)
				i++;
			while (pivot < values[k])
				k--;
			if (i <= k) {
				double other = values[i];

				values[i++] = values[k];
				values[k--] = other;
			}
		} while (i <= k);
		if (k < rank)
			low = i;
		if (rank < i)
			high = k;
	}
	return values[rank];
}

static double median_of(double *values, uint32_t count)
{
	return count ? select_rank(values, count, (count - 1) / 2) : NAN;
}

static int64_t start_of(const struct lw_joblog_job *job)
{
	return job->submit_s + (job->wait_s > 0 ? job->wait_s : 0);
}

static void look_add(struct lw_elapsed_look *look, double truth_s, double blind_s, double guess_s)
{
	look->jobs++;
	look->accuracy_blind += fmin(blind_s, truth_s) / fmax(fmax(blind_s, truth_s), 1);
	look->accuracy += fmin(guess_s, truth_s) / fmax(fmax(guess_s, truth_s), 1);
	look->below_blind += blind_s < truth_s;
	look->below += guess_s < truth_s;
}

/* What the last jobs of its user took, as far as they had ended at AT_S. */
static uint32_t recall_runs(const struct lw_joblog *log, const struct memory *memory,
			    uint32_t place, int64_t at_s, double values[MEMORY])
{
	uint32_t next = memory->before[place], count = 0;

	for (uint32_t seen = 0; next && seen < MEMORY; seen++) {
		const struct lw_joblog_job *job = &log->jobs[next - 1];

		if (start_of(job) + job->run_s <= at_s)
			values[count++] = (double)job->run_s;
		next = memory->before[next - 1];
	}
	return count;
}

static void look_at(const struct lw_joblog *log, const struct memory *memory, uint32_t place,
		    struct lw_elapsed_look *look)
{
	const struct lw_joblog_job *job = &log->jobs[place];
	double values[MEMORY], longer[MEMORY], guess_s;
	uint32_t count, longer_count = 0;

	if ((double)job->run_s <= look->after_s)
		return;
	count = recall_runs(log, memory, place, start_of(job) + (int64_t)look->after_s, values);
	if (count < ENOUGH)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (values[i] > look->after_s)
			longer[longer_count++] = values[i];
	guess_s = longer_count ? median_of(longer, longer_count) : 2 * look->after_s;
	look_add(look, (double)job->run_s, median_of(values, count), guess_s);
}

static int memory_fill(const struct lw_joblog *log, struct memory *memory)
{
	uint32_t users = 0, *last;

	for (uint32_t i = 0; i < log->count; i++)
		if (log->jobs[i].user != LW_JOBLOG_NOBODY && log->jobs[i].user >= users)
			users = log->jobs[i].user + 1;
	last = calloc((size_t)users + 1, sizeof(*last));
	memory->before = calloc((size_t)log->count + 1, sizeof(*memory->before));
	if (!last || !memory->before) {
		free(last);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < log->count; i++) {
		uint32_t user = log->jobs[i].user;

		if (user == LW_JOBLOG_NOBODY)
			continue;
		memory->before[i] = last[user];
		last[user] = i + 1;
	}
	free(last);
	return 0;
}

static int fill_looks(const struct lw_joblog *log, struct lw_elapsed *elapsed)
{
	struct memory memory = { NULL };
	double mean_s = 0;
	int rc = memory_fill(log, &memory);

	for (uint32_t i = 0; i < log->count; i++)
		mean_s += (double)log->jobs[i].run_s / log->count;
	for (uint32_t l = 0; !rc && l < LW_ELAPSED_LOOKS; l++) {
		struct lw_elapsed_look *look = &elapsed->looks[l];

		look->after_s = mean_s * looks[l];
		for (uint32_t i = 0; i < log->count; i++)
			if (memory.before[i])
				look_at(log, &memory, i, look);
		look->accuracy_blind = lw_share(look->accuracy_blind, look->jobs);
		look->accuracy = lw_share(look->accuracy, look->jobs);
		look->below_blind = lw_share(look->below_blind, look->jobs);
		look->below = lw_share(look->below, look->jobs);
	}
	free(memory.before);
	return rc;
}

int lw_elapsed_of(const struct lw_joblog *log, struct lw_elapsed *ret_elapsed)
{
	struct lw_elapsed elapsed = { 0 };
	int rc = fill_times(log, &elapsed);

	if (!rc)
		rc = fill_looks(log, &elapsed);
	if (!rc)
		*ret_elapsed = elapsed;
	return rc;
}
