/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a model of the jobs of a deep learning cluster. */
#ifndef LW_LAB_SIM_DLMIX_H
#define LW_LAB_SIM_DLMIX_H

#include "lab/sim/arrival.h"
#include "lab/sim/model.h"
#include "measure/rng.h"

struct lw_dlmix;

/*
 * Users work on recipes: a program, its size, its usual run time and its limit. A
 * submission is a new recipe or, more often, an old one once more; a sweep is a job
 * array. Every figure and its source stands in dlmix.c. The machine needs GPUs.
 * NULL: out of memory.
 */
struct lw_dlmix *lw_dlmix_create(const struct lw_model_machine *machine, uint64_t seed);
void lw_dlmix_destroy(struct lw_dlmix *model);

/* The daily cycle of its arrivals. */
void lw_dlmix_cycle(struct lw_arrival_cycle *ret_cycle);
/* Draw the next submission; arrays are numbered from 1. */
void lw_dlmix_draw(struct lw_dlmix *model, struct lw_model_submission *ret_submission);

#endif
