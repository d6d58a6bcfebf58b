/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the plan of a cycle, made without Slurm's locks by a thread of its own. */
#ifndef LW_SLURM_THINK_H
#define LW_SLURM_THINK_H

#include "slurm/agent/agent.h"
#include "slurm/read/read.h"

/*
 * Plan the queue that is in READING, and say of each job what is to be shown of it. Takes none of
 * Slurm's locks; the caller must hold none. 0; -ENOMEM; or -ECANCELED: the agent must stop, the
 * budget is exceeded, or the thread is stuck and was left behind (agent->left).
 */
int lw_think(struct lw_agent *agent, struct lw_reading *reading);

#endif
