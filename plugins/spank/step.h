/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one step in slurmstepd: its GPUs, its watch, and the report at its end. */
#ifndef LW_PLUGINS_SPANK_STEP_H
#define LW_PLUGINS_SPANK_STEP_H

#include "base/log.h"

#include <slurm/spank.h>
#include <stddef.h>

/* Start the watch if the step has GPUs; WORDS is the plugin's line in plugstack.conf. */
void lw_step_begin(spank_t spank, int count, char **words);
/* Stop the watch; the record is complete and the summary sent, or the log says why not. */
void lw_step_end(void);

/*
 * In sbatch, salloc and srun: the submitted job must not inherit Slurm's variables on the shards
 * of the job in which the command runs.
 */
void lw_step_disinherit(void);

/* Slurm's own log. */
const struct lw_log *lw_step_log(void);
/* This node's name in Slurm, cut to SIZE. */
void lw_step_name_node(char *buf, size_t size);

#endif
