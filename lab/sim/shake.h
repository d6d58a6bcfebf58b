/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: submissions moved at random. */
#ifndef LW_LAB_SIM_SHAKE_H
#define LW_LAB_SIM_SHAKE_H

#include "measure/job.h"

/* The default, and the largest (a year), move of submissions. */
#define LW_SHAKE_S     30
#define LW_SHAKE_MAX_S 31536000

/*
 * Shake JOBS: move every submission by a uniform -BY_S .. BY_S seconds, not below 0, and
 * put them in order again. What a policy is worth must not hang on a few seconds (Tsafrir,
 * Ouaknine, Feitelson, Reducing performance evaluation sensitivity and variability by input
 * shaking, MASCOTS 2007).
 */
void lw_shake(struct lw_sim_job *jobs, uint32_t count, uint32_t by_s, uint64_t seed);

/* A user that submits nothing for longer begins a new session with the next job. */
#define LW_SESSION_S 3600

/*
 * The same, but what a user submits in one session moves together (Zakay, Feitelson, On
 * identifying user session boundaries in parallel workload logs, JSSPP 2012): a bag of alike
 * jobs stays one, in its order, however far it moves. Jobs of no known user move alone.
 */
void lw_shake_sessions(struct lw_sim_job *jobs, uint32_t count, uint32_t by_s, uint64_t seed);

#endif
