/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: longer expected run times for jobs that share a GPU. */
#ifndef LW_SLURM_STRETCH_H
#define LW_SLURM_STRETCH_H

#include "slurm/reading.h"

/*
 * Lengthen the expected run times of jobs that share, by the stretches and tickets of READING:
 * what is left of running jobs, all of waiting jobs, up to their limits. Jobs without expected
 * run times are left alone. Pure.
 */
void lw_reading_stretch(struct lw_reading *reading);

#endif
