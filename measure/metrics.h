/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users and owners of a cluster get from a schedule, in figures. */
#ifndef LW_MEASURE_METRICS_H
#define LW_MEASURE_METRICS_H

#include <stdint.h>

#define LW_METRICS_NONE (-1)

/* One job that ran, or runs. Pure data: no order is needed. */
struct lw_metrics_job {
	uint64_t id; /* breaks ties: any unique number */
	int64_t submit_s;
	int64_t start_s;
	int64_t end_s;     /* NONE: still running */
	int64_t shown_s;   /* the start first shown, or NONE */
	int64_t width;     /* what "wide" means: processors, GPUs or nodes */
	int64_t cpus;
	int64_t gpus;
};

struct lw_metrics {
	uint32_t jobs;
	double wait_mean_s;
	int64_t wait_s[101]; /* percentiles of the waits: 50 is the median, 100 the longest */
	uint32_t over_1_day, over_3_days; /* jobs with longer waits */
	/* bounded slowdown, max(1, (wait + run) / max(run, 10 s)): finished jobs */
	double bsld_mean;
	double wait_wide_mean_s; /* the widest tenth of the jobs */
	double wait_long_mean_s; /* the tenth with the longest run times */
	uint32_t shown;		 /* of which a start was shown */
	uint32_t later;		 /* of these, jobs that started after it (base/promise.h) */
	double violation_mean_s; /* max(0, start - start first shown), mean over those shown */
	int64_t violation_max_s;
};

/* Bounded slowdown of one job, with the bound of 10 s. */
double lw_metrics_bsld(int64_t wait_s, int64_t run_s);

/*
 * Figures over JOB_COUNT jobs; all 0 for none. Quantiles are by nearest rank. A tenth
 * is rounded up, ties go to the smaller id. Running jobs count for waits and shown starts.
 * -ENOMEM.
 */
int lw_metrics_compute(const struct lw_metrics_job *jobs, uint32_t job_count,
		       struct lw_metrics *ret_metrics);

/* CPU-seconds and GPU-seconds inside [FROM_S, TO_S); running jobs hold to TO_S. */
void lw_metrics_used(const struct lw_metrics_job *jobs, uint32_t job_count,
		     int64_t from_s, int64_t to_s, double *ret_cpu_s, double *ret_gpu_s);

#endif
