/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: run times of jobs that share a GPU, as long as they are expected to be beside others.
 */
#ifndef LW_SLURM_STRETCH_H
#define LW_SLURM_STRETCH_H

#include "slurm/reading.h"

/*
 * Let those that share take so much longer than is expected of them alone, as the stretches and
 * tickets of READING say: of running ones what is left of it, of waiting ones all of it, up to
 * their limits. Of whom nothing is expected, nothing is after it. Pure.
 */
void lw_reading_stretch(struct lw_reading *reading);

#endif
