/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how fair a schedule was to jobs and users: finish-time fairness, and Jain's index. */
#include "measure/fairness.h"

#include "predictor/history.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

_Static_assert(LW_FAIRNESS_UNKNOWN == LW_HISTORY_NOBODY, "who is not known");

/* How one job fared. */
struct fare {
	uint32_t owner; /* user, then account */
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

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
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

static double rho_of(const struct lw_fairness_job *job, double spent)
{
	double shared_s = (double)(job->end_s - job->since_s);
	double run_s = (double)(job->alone_s ? job->alone_s : job->end_s - job->start_s);
	double slower;

	/* over in the second in which it came: nothing to share, and nothing lost */
	if (shared_s <= 0)
		return 1;
	slower = spent / shared_s * job->share;
	return shared_s / ((run_s > 1 ? run_s : 1) * (slower > 1 ? slower : 1));
}

/* As they come, one rho at a time. */
struct sums {
	double sum, squares, worst;
	uint32_t count, fair;
};

static void add_rho(struct sums *sums, double rho)
{
	sums->sum += rho;
	sums->squares += rho * rho;
	sums->worst = fmax(sums->worst, rho);
	sums->fair += rho <= 1;
	sums->count++;
}

static struct lw_fares fares_of(const struct sums *sums)
{
	if (!sums->count)
		return (struct lw_fares){ NAN, NAN, NAN, NAN };
	return (struct lw_fares){
		.mean = sums->sum / sums->count,
		.worst = sums->worst,
		.fair = (double)sums->fair / sums->count,
		.jain = sums->sum * sums->sum / (sums->count * sums->squares),
	};
}

/* FARES are sorted by owners; unknown ones are left out. */
static struct lw_fares sum_owners(const struct fare *fares, uint32_t count)
{
	struct sums sums = { 0 };
	uint32_t next;

	for (uint32_t i = 0; i < count && fares[i].owner != LW_FAIRNESS_UNKNOWN; i = next) {
		double all = 0;

		for (next = i; next < count && fares[next].owner == fares[i].owner; next++)
			all += fares[next].rho;
		add_rho(&sums, all / (next - i));
	}
	return fares_of(&sums);
}

static void sum_all(const struct lw_fairness_job *jobs, uint32_t count, struct fare *fares,
		    struct lw_fairness *ret_fairness)
{
	struct sums sums = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		fares[i].rho = rho_of(&jobs[fares[i].job], fares[i].spent);
		fares[i].owner = jobs[fares[i].job].user;
		add_rho(&sums, fares[i].rho);
	}
	ret_fairness->jobs = fares_of(&sums);
	qsort(fares, count, sizeof(*fares), compare_fares);
	ret_fairness->users = sum_owners(fares, count);
	for (uint32_t i = 0; i < count; i++)
		fares[i].owner = jobs[fares[i].job].account;
	qsort(fares, count, sizeof(*fares), compare_fares);
	ret_fairness->accounts = sum_owners(fares, count);
}

int lw_fairness_compute(const struct lw_fairness_job *jobs, uint32_t count,
			struct lw_fairness *ret_fairness)
{
	struct event *events = calloc(2 * (size_t)count + 1, sizeof(*events));
	struct fare *fares = calloc((size_t)count + 1, sizeof(*fares));
	int rc = events && fares ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < count; i++) {
		fares[i].job = i;
		events[2 * i] = (struct event){ jobs[i].since_s, i, false };
		events[2 * i + 1] = (struct event){ jobs[i].end_s, i, true };
	}
	if (!rc) {
		qsort(events, 2 * (size_t)count, sizeof(*events), compare_events);
		integrate(events, 2 * count, fares);
		sum_all(jobs, count, fares, ret_fairness);
	}
	free(events);
	free(fares);
	return rc;
}

/* How long it runs on what is its own; 0: as long as it ran. */
static int64_t own_run_s(const struct lw_sim_job *job)
{
	if (job->share_s || !job->shared)
		return job->share_s;
	return job->run_s < job->limit_s ? job->run_s : job->limit_s;
}

int lw_fairness_of(const struct lw_sim_job *jobs, uint32_t count,
		   const struct lw_machine *machine, struct lw_fairness *ret_fairness)
{
	struct lw_fairness_job *started = calloc((size_t)count + 1, sizeof(*started));
	uint32_t n = 0;
	int rc;

	if (!started)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		if (jobs[i].start_s == LW_NO_TIME)
			continue;
		started[n++] = (struct lw_fairness_job){
			.since_s = lw_sim_job_since_s(&jobs[i]),
			.start_s = jobs[i].start_s,
			.end_s = lw_sim_job_end_s(&jobs[i]),
			.alone_s = own_run_s(&jobs[i]),
			.share = (double)lw_machine_width(machine, &jobs[i].request) /
				 lw_machine_procs(machine),
			.user = jobs[i].user,
			.account = jobs[i].group,
		};
	}
	rc = lw_fairness_compute(started, n, ret_fairness);
	free(started);
	return rc;
}
