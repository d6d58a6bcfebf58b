/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the workload model of Lublin and Feitelson for rigid HPC jobs. */
#ifndef LW_LAB_SIM_LUBLIN_H
#define LW_LAB_SIM_LUBLIN_H

#include "lab/sim/arrival.h"
#include "lab/sim/model.h"
#include "measure/rng.h"

struct lw_lublin;

/*
 * U. Lublin, D. G. Feitelson, The workload on parallel supercomputers: modeling the
 * characteristics of rigid jobs, J. Parallel Distrib. Comput. 63(11), 2003, 1105-1122,
 * with the values it gives for batch jobs. The model has no users and no limits: those
 * come from userlimit.h. A job takes whole nodes. NULL: out of memory.
 */
struct lw_lublin *lw_lublin_create(const struct lw_model_machine *machine, uint64_t seed);
void lw_lublin_destroy(struct lw_lublin *model);

/* The daily cycle of its arrivals. */
void lw_lublin_cycle(struct lw_arrival_cycle *ret_cycle);
/* Draw the next job: always a single one. */
void lw_lublin_draw(struct lw_lublin *model, struct lw_model_submission *ret_submission);

#endif
