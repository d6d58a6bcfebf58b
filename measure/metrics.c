/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users and owners of a cluster get from a schedule, in figures. */
#include "measure/metrics.h"

#include "base/promise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BSLD_BOUND_S 10
#define DAY_S        INT64_C(86400)

/* A job under one key, for sorting. */
struct keyed {
	int64_t key;
	uint64_t id;
	int64_t wait_s;
};

double lw_metrics_bsld(int64_t wait_s, int64_t run_s)
{
	int64_t bounded = run_s > BSLD_BOUND_S ? run_s : BSLD_BOUND_S;
	double slowdown = (double)(wait_s + run_s) / (double)bounded;

	return slowdown > 1 ? slowdown : 1;
}

/* Falling by key. */
static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

static int64_t wait_of(const struct lw_metrics_job *job)
{
	return job->start_s - job->submit_s;
}

static int64_t run_of(const struct lw_metrics_job *job)
{
	return job->end_s == LW_METRICS_NONE ? LW_METRICS_NONE
					     : job->end_s - job->start_s;
}

static double mean_wait_of_top_tenth(struct keyed *order, uint32_t n)
{
	uint32_t tenth = n / 10 + (n % 10 != 0);
	double sum = 0;

	qsort(order, n, sizeof(*order), compare_keyed);
	for (uint32_t i = 0; i < tenth; i++)
		sum += (double)order[i].wait_s;
	return tenth ? sum / tenth : 0;
}

/* ORDER falls; the quantile PERCENT by nearest rank. */
static int64_t find_quantile(const struct keyed *order, uint32_t n, uint32_t percent)
{
	uint64_t rank = ((uint64_t)n * percent + 99) / 100;

	return order[n - (rank ? rank : 1)].wait_s;
}

static void compute_waits(const struct lw_metrics_job *jobs, uint32_t n,
			  struct keyed *order, struct lw_metrics *m)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		order[i].key = order[i].wait_s = wait_of(&jobs[i]);
		order[i].id = jobs[i].id;
		sum += (double)order[i].wait_s;
		m->over_1_day += order[i].wait_s > DAY_S;
		m->over_3_days += order[i].wait_s > 3 * DAY_S;
	}
	qsort(order, n, sizeof(*order), compare_keyed);
	m->wait_mean_s = sum / n;
	for (uint32_t percent = 0; percent <= 100; percent++)
		m->wait_s[percent] = find_quantile(order, n, percent);
}

static void compute_tenths(const struct lw_metrics_job *jobs, uint32_t n,
			   struct keyed *order, struct lw_metrics *m)
{
	uint32_t finished = 0;
	double bsld = 0;

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ jobs[i].width, jobs[i].id, wait_of(&jobs[i]) };
	m->wait_wide_mean_s = mean_wait_of_top_tenth(order, n);
	for (uint32_t i = 0; i < n; i++) {
		int64_t run_s = run_of(&jobs[i]);

		if (run_s == LW_METRICS_NONE)
			continue;
		order[finished++] =
			(struct keyed){ run_s, jobs[i].id, wait_of(&jobs[i]) };
		bsld += lw_metrics_bsld(wait_of(&jobs[i]), run_s);
	}
	m->wait_long_mean_s = mean_wait_of_top_tenth(order, finished);
	m->bsld_mean = finished ? bsld / finished : 0;
}

static void compute_shown(const struct lw_metrics_job *jobs, uint32_t n,
			     struct lw_metrics *m)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t late_s = jobs[i].start_s - jobs[i].shown_s;

		if (jobs[i].shown_s == LW_METRICS_NONE)
			continue;
		m->shown++;
		m->later += lw_promise_judge(jobs[i].shown_s, INT64_MAX - LW_PROMISE_GRACE_S,
					     jobs[i].start_s) == LW_PROMISE_LATER;
		if (late_s <= 0)
			continue;
		sum += (double)late_s;
		if (late_s > m->violation_max_s)
			m->violation_max_s = late_s;
	}
	m->violation_mean_s = m->shown ? sum / m->shown : 0;
}

int lw_metrics_compute(const struct lw_metrics_job *jobs, uint32_t job_count,
		       struct lw_metrics *ret_metrics)
{
	struct lw_metrics metrics;
	struct keyed *order;

	memset(&metrics, 0, sizeof(metrics));
	if (job_count) {
		order = calloc(job_count, sizeof(*order));
		if (!order)
			return -ENOMEM;
		compute_waits(jobs, job_count, order, &metrics);
		compute_tenths(jobs, job_count, order, &metrics);
		compute_shown(jobs, job_count, &metrics);
		free(order);
	}
	metrics.jobs = job_count;
	*ret_metrics = metrics;
	return 0;
}

void lw_metrics_used(const struct lw_metrics_job *jobs, uint32_t job_count,
		     int64_t from_s, int64_t to_s, double *ret_cpu_s, double *ret_gpu_s)
{
	double cpu_s = 0, gpu_s = 0;

	for (uint32_t i = 0; i < job_count; i++) {
		int64_t start = jobs[i].start_s > from_s ? jobs[i].start_s : from_s;
		int64_t end = jobs[i].end_s == LW_METRICS_NONE || jobs[i].end_s > to_s
				      ? to_s
				      : jobs[i].end_s;

		if (end <= start)
			continue;
		cpu_s += (double)(end - start) * (double)jobs[i].cpus;
		gpu_s += (double)(end - start) * (double)jobs[i].gpus;
	}
	*ret_cpu_s = cpu_s;
	*ret_gpu_s = gpu_s;
}
