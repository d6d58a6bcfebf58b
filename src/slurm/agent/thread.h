/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the agent thread of the scheduler plugin: wait for the next cycle, and run it. */
#ifndef LW_SLURM_THREAD_H
#define LW_SLURM_THREAD_H

/*
 * One function for each entry point of the plugin. lw_thread_start() returns 0, or -1 without an
 * agent; Slurm then falls back to the stock plugin. The functions are not for two threads at
 * once (Slurm does not do that).
 */
int lw_thread_start(void);
/*
 * Returns once the agent has ended, at most one wait for a lock later, or, if its planner is
 * stuck, LW_WORKER_GRACE_S later. A stuck planner is left behind, and this process starts no
 * other agent.
 */
void lw_thread_stop(void);
/* Read the settings again before the next cycle. */
void lw_thread_reconfigure(void);

#endif
