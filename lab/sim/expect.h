/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what leeway sim tells the planner to expect of jobs, and when it asks for that anew. */
#ifndef LW_LAB_SIM_EXPECT_H
#define LW_LAB_SIM_EXPECT_H

#include "lab/sim/engine_state.h"

#include <stdint.h>

/* JOB comes at NOW_S: fill in what is believed or expected of WAITING, and how long it is held. */
void lw_expect_new(const struct lw_engine *run, struct lw_sim_job *job, int64_t now_s,
		   struct lw_waiting *waiting);

/* More or fewer jobs of a class wait or run, or its distribution is another: rank it anew. */
void lw_expect_rank(struct lw_engine *run, uint32_t class_number);

/* What is expected of the class of JOB was asked at NOW_S: note until when that holds. */
void lw_expect_fresh(struct lw_engine *run, uint32_t class_number, const struct lw_sim_job *job,
		     int64_t now_s);

/* What was learned of ENDED may change what is expected of jobs like it. */
void lw_expect_anew(struct lw_engine *run, const struct lw_sim_job *ended, int64_t now_s);

/* What ended lately did so long ago by NOW_S: ask anew where that was so. */
void lw_expect_stale(struct lw_engine *run, int64_t now_s);

/* Survival functions change as jobs run: ask again for jobs that have run an eighth longer. */
void lw_expect_survival(struct lw_engine *run, int64_t now_s);

#endif
