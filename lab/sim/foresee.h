/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a trial foresees of run times. */
#ifndef LW_LAB_SIM_FORESEE_H
#define LW_LAB_SIM_FORESEE_H

#include "lab/sim/noise.h"
#include "measure/job.h"
#include "predictor/predict.h"

/* Run times in seconds; JOB is one of the trial. */
struct lw_foresee {
	enum lw_predictor runtime;  /* where they come from */
	struct lw_noise noise;      /* of all but time limits and what was attained */
	struct lw_history *history; /* NULL where nothing is learned */
};

/* As what a history knows JOB at NOW_S. */
struct lw_history_key lw_foresee_key(const struct lw_sim_job *job, int64_t now_s);

/* Hooks of lab/sim/engine.h: ARG is a struct lw_foresee, or begins with one. */
int64_t lw_foresee_mean(void *arg, const struct lw_sim_job *job, int64_t now_s);
int64_t lw_foresee_believe(void *arg, const struct lw_sim_job *job, int64_t elapsed_s,
			   int64_t now_s);
int64_t lw_foresee_tail(void *arg, const struct lw_sim_job *job, int64_t now_s);
int64_t lw_foresee_fresh_until(void *arg, const struct lw_sim_job *job, int64_t now_s);
int64_t lw_foresee_rank(void *arg, const struct lw_sim_job *job, uint32_t alike, int64_t now_s);
int64_t lw_foresee_attained(void *arg, const struct lw_sim_job *job);
uint64_t lw_foresee_survival(void *arg, const struct lw_sim_job *job, int64_t elapsed_s,
			     int64_t now_s);

#endif
