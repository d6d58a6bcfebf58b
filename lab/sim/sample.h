/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: some weeks of a long trace in place of all of it. */
#ifndef LW_LAB_SIM_SAMPLE_H
#define LW_LAB_SIM_SAMPLE_H

#include "lab/sim/tracejobs.h"
#include "measure/figures.h"

/*
 * Whole weeks, counted from the first submission and evenly spread over the trace. Before each
 * the jobs of some days more are simulated, so that it does not begin on an empty machine, but
 * these are not counted.
 */
#define LW_SAMPLE_WEEK_S   (INT64_C(7) * 86400)
#define LW_SAMPLE_BEFORE_S (INT64_C(3) * 86400)
#define LW_SAMPLE_MAX      64 /* weeks, at most */

struct lw_sample {
	int64_t begin_s[LW_SAMPLE_MAX]; /* of the weeks that count, rising */
	uint32_t weeks;                 /* of them; 0: all jobs are there, and count */
	uint32_t of_weeks;              /* the trace has, the last perhaps a part */
	uint32_t of_jobs;               /* it had */
	uint32_t counted;               /* of the jobs that are left */
};

/*
 * Of JOBS, in order of submission, leave as many weeks as have MOST jobs at most with the days
 * before them, and one at least; all, if they are no more than MOST, or there are not three
 * weeks. A job does not wait for a job that was left out.
 */
void lw_sample_take(struct lw_tracejobs *jobs, uint32_t most, struct lw_sample *ret_sample);

/* The place of the week that counts and has AT_S; SAMPLE->weeks: none has. */
uint32_t lw_sample_week(const struct lw_sample *sample, int64_t at_s);

/*
 * The figures of the jobs that count, of JOBS, which have run on MACHINE; the use of the machine
 * is that of the weeks. What only a clock knows stays as it is. BASE_WAIT_S: NULL, or the waits
 * of JOBS under the base (measure/harm.h). -ENOMEM.
 */
int lw_sample_figures(const struct lw_sample *sample, const struct lw_sim_job *jobs,
		      uint32_t count, const struct lw_machine *machine,
		      const int64_t *base_wait_s, struct lw_figures *figures);

#endif
