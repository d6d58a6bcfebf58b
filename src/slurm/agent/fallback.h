/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when stock backfill plans the queue instead of Leeway, and when that ends. */
#ifndef LW_SLURM_FALLBACK_H
#define LW_SLURM_FALLBACK_H

#include "slurm/agent/agent.h"

/*
 * For the agent's thread, without locks of Slurm. Each of the first three starts stock's agent
 * and logs the reason. If that agent does not start, Leeway goes on planning, unless its
 * self-check failed: then no scheduler plans.
 */

/* The self-check failed: stock plans from now on, also after a reconfigure. */
void lw_fallback_after_self_check(struct lw_agent *agent);
/* The cycle overran its budget: stock plans until slurmctld is reconfigured. */
void lw_fallback_over_budget(struct lw_agent *agent);
/* Too many cycles in a row made no plan: the same. A queue without a planner is worse. */
void lw_fallback_after_failures(struct lw_agent *agent);

/*
 * Do as the settings have it. With sched.mode=watch stock plans the queue, and Leeway's plans are
 * only watched; with a canary (slurm/canary.h) stock plans the other jobs; otherwise a stock that
 * was started for this is stopped.
 */
void lw_fallback_heed_mode(struct lw_agent *agent);

/* slurmctld is reconfigured: stop stock's agent, unless a self-check failed. */
void lw_fallback_end(struct lw_agent *agent);

#endif
