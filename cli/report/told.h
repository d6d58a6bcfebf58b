/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what became of chains and of deadlines in one replay, by the names of leeway sim. */
#ifndef LW_CLI_REPORT_TOLD_H
#define LW_CLI_REPORT_TOLD_H

#include "cli/common/run.h"

#include <stdbool.h>
#include <stdint.h>

/* Of a job of a run. */
struct lw_told_job {
	const struct lw_run_told *told; /* of its submission; NULL: nothing was */
	int64_t awaited_s; /* the last end that it waited for; NONE: it waited for none */
	uint32_t before;   /* the job that had it, by place; meaningless without an end */
	bool leads;        /* another one waits for it */
};

struct lw_told {
	/* of no links, and of no deadlines, what stands there is negative */
	uint32_t links;
	double interruption_mean_s, interruption_zero, overlap_mean_s;
	double wait_others_mean_s, wait_others_p99_s, wait_others_wide_mean_s;
	uint32_t dues, missed;
	double missed_share, value_lost, jct_best_effort_s;
};

/*
 * Which jobs of RUN waited for which, one entry a job; the caller frees it. NULL: out of memory.
 * A job that waited for an unknown job waited for nothing.
 */
struct lw_told_job *lw_told_jobs(const struct lw_run *run);

/* Is it the link of a chain, which had to wait for others and has started? */
bool lw_told_is_link(const struct lw_run_job *job, const struct lw_told_job *told);

/*
 * The figures of it. A link that started counts; the last end that it waited for may have been
 * one of several. BY_GPUS: jobs are as wide as they have GPUs, else nodes. Of a deadline: Slurm
 * ends a job that cannot meet it, or has not; its value is lost by as much as the job had still
 * to run. One that was taken back before it started, or has not ended, is none. -ENOMEM.
 */
int lw_told_compute(const struct lw_run *run, bool by_gpus, struct lw_told *ret_told);

#endif
