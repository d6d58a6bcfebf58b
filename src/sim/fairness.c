/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how fair a schedule was to jobs and users: finish-time fairness, and Jain's index. */
#include "sim/fairness.h"

#include "predictor/history.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* How one job fared. */
struct fare {
	uint32_t user;
	uint32_t job;
	double spent; /* jobs x time in the cluster while it was there */
	double rho;
};

/* A job comes, or goes. */
struct event {
	int64_t at_s;
	uint32_t fare;
	bool goes;
};

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	if (x->fare != y->fare)
		return x->fare < y->fare ? -1 : 1;
	return (int)x->goes - (int)y->goes;
}

static int compare_fares(const void *a, const void *b)
{
	const struct fare *x = a, *y = b;

	if (x->user != y->user)
		return x->user < y->user ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

/* The area under the number of jobs in the cluster, from the coming of each to its going. */
static void integrate(const struct event *events, uint32_t count, struct fare *fares)
{
	double area = 0;
	uint32_t inside = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct fare *fare = &fares[events[i].fare];

		if (i)
			area += (double)inside * (double)(events[i].at_s - events[i - 1].at_s);
		fare->spent = events[i].goes ? area - fare->spent : area;
		inside += events[i].goes ? -1 : 1;
	}
}

static double rho_of(const struct lw_sim_job *job, const struct lw_machine *machine, double spent)
{
	double shared_s = (double)(lw_sim_job_end_s(job) - lw_sim_job_since_s(job));
	double run_s = (double)(lw_sim_job_end_s(job) - job->start_s);
	double slower;

	/* over in the second in which it came: nothing to share, and nothing lost */
	if (shared_s <= 0)
		return 1;
	slower = spent / shared_s * lw_machine_width(machine, &job->request) /
		 lw_machine_procs(machine);
	return shared_s / ((run_s > 1 ? run_s : 1) * (slower > 1 ? slower : 1));
}

static void sum_jobs(const struct fare *fares, uint32_t count, struct lw_fairness *fairness)
{
	uint32_t fair = 0;

	fairness->rho_mean = fairness->rho_worst = 0;
	for (uint32_t i = 0; i < count; i++) {
		fairness->rho_mean += fares[i].rho / count;
		fairness->rho_worst = fmax(fairness->rho_worst, fares[i].rho);
		fair += fares[i].rho <= 1;
	}
	fairness->rho_fair = (double)fair / count;
}

/* FARES are sorted by users; who is not known is no user. */
static void sum_users(const struct fare *fares, uint32_t count, struct lw_fairness *fairness)
{
	double sum = 0, squares = 0, worst = 0;
	uint32_t users = 0, next;

	for (uint32_t i = 0; i < count && fares[i].user != LW_HISTORY_NOBODY; i = next) {
		double mean = 0;

		for (next = i; next < count && fares[next].user == fares[i].user; next++)
			mean += fares[next].rho;
		mean /= next - i;
		sum += mean;
		squares += mean * mean;
		worst = fmax(worst, mean);
		users++;
	}
	fairness->user_worst = users ? worst : NAN;
	fairness->jain = users ? sum * sum / (users * squares) : NAN;
}

int lw_fairness_of(const struct lw_sim_job *jobs, uint32_t count,
		   const struct lw_machine *machine, struct lw_fairness *ret_fairness)
{
	struct event *events = calloc(2 * (size_t)count + 1, sizeof(*events));
	struct fare *fares = calloc((size_t)count + 1, sizeof(*fares));
	uint32_t n = 0;
	int rc = events && fares ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < count; i++) {
		if (jobs[i].start_s == LW_NO_TIME)
			continue;
		fares[n] = (struct fare){ .user = jobs[i].user, .job = i };
		events[2 * n] = (struct event){ lw_sim_job_since_s(&jobs[i]), n, false };
		events[2 * n + 1] = (struct event){ lw_sim_job_end_s(&jobs[i]), n, true };
		n++;
	}
	*ret_fairness = (struct lw_fairness){ NAN, NAN, NAN, NAN, NAN };
	if (!rc && n) {
		qsort(events, 2 * (size_t)n, sizeof(*events), compare_events);
		integrate(events, 2 * n, fares);
		for (uint32_t i = 0; i < n; i++)
			fares[i].rho = rho_of(&jobs[fares[i].job], machine, fares[i].spent);
		qsort(fares, n, sizeof(*fares), compare_fares);
		sum_jobs(fares, n, ret_fairness);
		sum_users(fares, n, ret_fairness);
	}
	free(events);
	free(fares);
	return rc;
}
