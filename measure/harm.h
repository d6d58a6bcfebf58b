/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs fare worse than under another schedule of the same jobs, the base. */
#ifndef LW_MEASURE_HARM_H
#define LW_MEASURE_HARM_H

#include "measure/job.h"

/* By more than this a job must wait longer, or less, to count. */
#define LW_HARM_S 3600
/* Of the curve of the jobs that wait longer: from a minute to 45 days. */
#define LW_HARM_POINTS 33

struct lw_harm {
	uint32_t jobs;                      /* that start under both */
	uint32_t longer, shorter;           /* of them, by more than LW_HARM_S */
	int64_t worst_s;                    /* the most that a job waits longer; 0: none does */
	uint32_t longer_by[LW_HARM_POINTS]; /* by at least lw_harm_point_s() */
};

/* How long the job has waited, as in figures.def; LW_NO_TIME: it did not start. */
int64_t lw_harm_wait_s(const struct lw_sim_job *job);
/* The I-th point, in seconds: each second one doubles. */
double lw_harm_point_s(uint32_t i);
/* How COUNT jobs fare beside BASE_WAIT_S, their waits under the base in the same order. */
struct lw_harm lw_harm_of(const struct lw_sim_job *jobs, const int64_t *base_wait_s,
			  uint32_t count);

#endif
