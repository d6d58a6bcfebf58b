/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the agent thread of the scheduler plugin: wait for the next cycle, and run it. */
#ifndef LW_SLURM_THREAD_H
#define LW_SLURM_THREAD_H

/*
 * One call for each entry point of the plugin. Start returns 0, or -1 when there is no
 * agent; Slurm then falls back to the stock plugin. Not for use by two threads at once
 * (Slurm does not).
 */
int lw_thread_start(void);
/*
 * Returns when the agent has ended, at most one lock wait later; or, if its planner is stuck,
 * LW_WORKER_GRACE_S later. Then it is left behind, and no agent starts any more in this process.
 */
void lw_thread_stop(void);
/* Read the settings again before the next cycle. */
void lw_thread_reconfigure(void);

#endif
