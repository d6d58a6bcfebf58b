/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lines of slurmctld's log on one planning cycle. */
#ifndef LW_SLURM_REPORT_H
#define LW_SLURM_REPORT_H

#include "slurm/agent/agent.h"
#include "slurm/apply/apply.h"

/* One cycle: the ends of its steps (lw_clock_us()), and how long it held Slurm's locks. */
struct lw_took {
	uint64_t begin_us, read_us, think_us, apply_us;
	struct lw_session reading, applying;
};

/*
 * Log what AGENT's cycle read, planned and started; at the level debug also the times it took
 * and each decision. Needs no lock.
 */
void lw_report_cycle(const struct lw_agent *agent, const struct lw_reading *reading,
		     const struct lw_applied *applied, const struct lw_took *took);

#endif
