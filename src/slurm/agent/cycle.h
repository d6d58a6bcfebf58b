/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one cycle of the agent: read, think, apply, report. */
#ifndef LW_SLURM_CYCLE_H
#define LW_SLURM_CYCLE_H

#include "slurm/agent/agent.h"

/*
 * Plan the queue, and plan it once more at once if Slurm refused a start; then save the promises
 * and the history. For the agent's thread, without locks of Slurm. Failures are logged; for some
 * of them stock plans from then on (fallback.h).
 */
void lw_cycle_run(struct lw_agent *agent);

#endif
