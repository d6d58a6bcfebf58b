/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: by when each job would be over if its account had its share of each GPU type. */
#include "planner/place/type_sum.h"

#include <errno.h>

/*
 * A job that is late costs as much as so many mean runs, times its finish-time fairness; chosen
 * on 24 inputs (doc/lab/2026-11-27-types-bound.md).
 */
#define LATE_RUNS 0.1

/* The run time of a job that has each type for the share of it in all GPUs that it may have. */
static double type_due_run_s(const struct lw_types_plan *plan, const struct lw_type_job *job)
{
	double gpus = 0, rate = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		if (!job->time_s[type] || plan->pools[type].gpus < job->gpus)
			continue;
		gpus += (double)plan->pools[type].gpus;
		rate += (double)plan->pools[type].gpus / job->time_s[type];
	}
	return rate > 0 ? gpus / rate : 0;
}

/*
 * Shares and GPUs of the accounts, and the sum of the shares. The share of an account of which
 * no job waits is not known: it counts as the mean.
 */
static int type_due_add_up(struct lw_types_plan *plan, double *ret_shares)
{
	double sum = 0;
	uint32_t known = 0;

	for (uint32_t i = 0; i < plan->job_count; i++) {
		const struct lw_type_job *job = &plan->jobs[i];
		struct lw_type_account *account;

		if (lw_types_account(plan, job->account, &account))
			return -ENOMEM;
		account->gpus += job->gpus;
		if (account->share)
			continue;
		account->share = job->account_share ? job->account_share : 1;
		sum += account->share;
		known++;
	}
	*ret_shares = known ? sum * plan->account_count / known : 0;
	return 0;
}

/* How many times as long a job takes with its account's share as with all GPUs that it asks for.
 */
static int type_due_crowd(struct lw_types_plan *plan, struct lw_type_job *job, double shares,
			  double *ret_crowd)
{
	struct lw_type_account *account;
	double gpus = 0;

	if (lw_types_account(plan, job->account, &account))
		return -ENOMEM;
	job->has = account->held / account->share;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		gpus += (double)plan->pools[type].gpus;
	*ret_crowd = (double)account->gpus * shares / (account->share * gpus);
	if (!(*ret_crowd > 1))
		*ret_crowd = 1;
	return 0;
}

int lw_types_set_dues(struct lw_types_plan *plan, int64_t now_s)
{
	double shares, crowd, run_s = 0;

	if (type_due_add_up(plan, &shares))
		return -ENOMEM;
	for (uint32_t i = 0; i < plan->job_count; i++) {
		struct lw_type_job *job = &plan->jobs[i];

		if (type_due_crowd(plan, job, shares, &crowd))
			return -ENOMEM;
		if (job->has > plan->most_has)
			plan->most_has = job->has;
		job->since_s = now_s - job->waited_s;
		job->span_s = type_due_run_s(plan, job);
		run_s += job->span_s;
		job->span_s *= crowd;
	}
	plan->late_s = plan->job_count ? LATE_RUNS * run_s / plan->job_count : 0;
	return 0;
}

double lw_types_late_s(const struct lw_types_plan *plan, const struct lw_type_job *job)
{
	double took_s = (double)(job->done_s - job->since_s);

	return took_s > job->span_s && job->span_s > 0 ? plan->late_s * took_s / job->span_s : 0;
}
