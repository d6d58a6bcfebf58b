/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: write what a cycle changed to disk. */
#ifndef LW_SLURM_SAVE_H
#define LW_SLURM_SAVE_H

#include "slurm/agent/agent.h"

/* Without Slurm's locks. Nothing that planning changes is written if that may still go on. */
void lw_save_cycle(struct lw_agent *agent);

#endif
