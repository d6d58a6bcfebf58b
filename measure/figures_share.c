/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of jobs that shared GPUs. */
#include "measure/figures.h"

#include <errno.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* From the first submission to the last end. */
static double span_s(const struct lw_sim_job *jobs, uint32_t count)
{
	int64_t last_s = jobs[0].submit_s;

	for (uint32_t i = 0; i < count; i++)
		if (jobs[i].start_s != LW_NO_TIME && lw_sim_job_end_s(&jobs[i]) > last_s)
			last_s = lw_sim_job_end_s(&jobs[i]);
	return (double)(last_s - jobs[0].submit_s);
}

static int64_t alone_s(const struct lw_sim_job *job)
{
	int64_t run_s = job->run_s < job->limit_s ? job->run_s : job->limit_s;

	return run_s > 0 ? run_s : 1;
}

/* Did its user cancel it while it ran? Its run time alone is then not known. */
static bool was_taken_back(const struct lw_sim_job *job)
{
	return job->cancel_after_s &&
	       lw_sim_job_end_s(job) == job->submit_s + job->cancel_after_s;
}

/*
 * The slowdowns of jobs that shared, against their run alone, in order; returns how many there
 * are.
 */
static uint32_t list_slowdowns(const struct lw_sim_job *jobs, uint32_t count, double *slowdowns,
			       uint32_t *ret_shared, uint32_t *ret_cut)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];
		int64_t ran_s = lw_sim_job_end_s(job) - job->start_s;

		if (!job->shared || job->start_s == LW_NO_TIME)
			continue;
		++*ret_shared;
		if (!was_taken_back(job))
			slowdowns[n++] = (double)(job->spent_s + ran_s) / (double)alone_s(job);
		*ret_cut += ran_s == job->limit_s && job->run_s <= job->limit_s &&
			    ran_s > job->run_s;
	}
	qsort(slowdowns, n, sizeof(*slowdowns), by_size);
	return n;
}

int lw_figures_slow_of(const struct lw_sim_job *jobs, uint32_t count,
		       struct lw_figures_slow *ret_slow)
{
	double *slowdowns = calloc((size_t)count + 1, sizeof(*slowdowns));

	if (!slowdowns)
		return -ENOMEM;
	*ret_slow = (struct lw_figures_slow){ .span_s = count ? span_s(jobs, count) : 0 };
	ret_slow->count =
		list_slowdowns(jobs, count, slowdowns, &ret_slow->shared, &ret_slow->cut);
	for (uint32_t i = 0; i < ret_slow->count; i++)
		ret_slow->sum += slowdowns[i];
	if (ret_slow->count)
		ret_slow->p99 = slowdowns[((uint64_t)ret_slow->count * 99 + 99) / 100 - 1];
	free(slowdowns);
	return 0;
}
