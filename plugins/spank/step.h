/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one step in slurmstepd: what it has, its watch, and what is told at its end. */
#ifndef LW_PLUGINS_SPANK_STEP_H
#define LW_PLUGINS_SPANK_STEP_H

#include "base/log.h"

#include <slurm/spank.h>
#include <stddef.h>

/* Start watching when the step has GPUs; WORDS is the plugin's line in plugstack.conf. */
void lw_step_begin(spank_t spank, int count, char **words);
/* Stop watching; the record is complete and the summary sent, or the log says why not. */
void lw_step_end(void);

/*
 * In sbatch, salloc and srun: the job that is submitted does not get what Slurm said of the shards
 * of the job that this runs in.
 */
void lw_step_disinherit(void);

/* Slurm's own log. */
const struct lw_log *lw_step_log(void);
/* This node as Slurm calls it, cut to SIZE. */
void lw_step_name_node(char *buf, size_t size);

#endif
