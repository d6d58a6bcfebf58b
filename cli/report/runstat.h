/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of one replay, ready to print. */
#ifndef LW_CLI_REPORT_RUNSTAT_H
#define LW_CLI_REPORT_RUNSTAT_H

#include "cli/common/run.h"
#include "cli/report/told.h"
#include "measure/fairness.h"
#include "measure/locality.h"
#include "measure/metrics.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_RUNSTAT_CLASSES 5
#define LW_RUNSTAT_STATES  24

/* Jobs of one size. */
struct lw_runstat_class {
	const char *name;
	uint32_t jobs;
	double wait_mean_s;
	double bsld_mean; /* negative: none has finished */
};

struct lw_runstat_state {
	const char *name; /* borrowed from the run */
	uint32_t jobs;
};

/* Of jobs that started and of which a start was planned before. */
struct lw_runstat_planned {
	uint32_t jobs;
	double early_mean_s, late_mean_s; /* of all; negative: there are none */
};

struct lw_runstat {
	/* over the jobs that started; what there are no jobs for is negative */
	struct lw_metrics metrics;
	uint32_t started;
	uint32_t finished; /* started and ended */
	uint32_t running;
	uint32_t waiting;   /* still in the queue */
	uint32_t never_ran; /* ended, as by scancel, without having started */
	uint32_t lost;      /* submitted, by meta.json, and unknown to sacct */
	uint32_t starters[LW_RUN_STARTERS];
	/* busy share of the machine; negative when the machine's size is unknown */
	double gpu_use_arrivals; /* first to last submission */
	double gpu_use_all;      /* first submission to last end */
	double cpu_use_arrivals;
	double cpu_use_all;
	int64_t first_submit_s;
	int64_t last_submit_s;
	int64_t last_end_s;
	bool by_gpus; /* what the size classes count: GPUs, else nodes */
	struct lw_runstat_planned planned;
	struct lw_runstat_class classes[LW_RUNSTAT_CLASSES];
	struct lw_runstat_state states[LW_RUNSTAT_STATES];
	uint32_t state_count;
	struct lw_told told;
	bool has_places; /* else nothing is known of where jobs were put */
	struct lw_locality places;
	struct lw_fairness fairness; /* all NAN where the machine's size is unknown */
};

/* Work it out; RUN must outlive the result. -ENOMEM. */
int lw_runstat_compute(const struct lw_run *run, struct lw_runstat *ret_stat);

/* Which of the classes JOB is in, by GPUs or by nodes. */
int lw_runstat_class_of(const struct lw_run_job *job, bool by_gpus);

/* How fair the run was to the jobs that ended, their users and accounts. -ENOMEM. */
int lw_runfair_compute(const struct lw_run *run, struct lw_fairness *ret_fairness);

#endif
