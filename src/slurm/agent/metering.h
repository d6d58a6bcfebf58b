/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the file of metrics (sched.metrics), as the agent keeps it. */
#ifndef LW_SLURM_METERING_H
#define LW_SLURM_METERING_H

#include "slurm/agent/report.h"

/*
 * For the agent's thread, without locks of Slurm. Without such a file only counters are kept. A
 * file that cannot be written is logged once, and delays nothing.
 */

/* Begin to count: what Slurm counted before is left out. */
void lw_metering_begin(struct lw_agent *agent);
/* A round began; it may come to nothing. */
void lw_metering_round(struct lw_agent *agent);
/* The round was completed. */
void lw_metering_cycle(struct lw_agent *agent, const struct lw_reading *reading,
		       const struct lw_applied *applied, const struct lw_took *took);
/* Stock took over for REASON, one of LW_METER_HANDOVER_*. */
void lw_metering_handover(struct lw_agent *agent, enum lw_meter_id reason);
/* Write the file, if one is set and the last one is old enough. */
void lw_metering_write(struct lw_agent *agent);

#endif
