/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the file of metrics (sched.metrics), as the agent keeps it. */
#ifndef LW_SLURM_METERING_H
#define LW_SLURM_METERING_H

#include "slurm/agent/report.h"

/*
 * For the agent's thread, without locks of Slurm. With no such file only what is counted is
 * noted. A file that cannot be written is logged once, and holds nothing up.
 */

/* Count from now on: what Slurm has counted before is not asked. */
void lw_metering_begin(struct lw_agent *agent);
/* A round began that may come to nothing. */
void lw_metering_round(struct lw_agent *agent);
/* It came to its end. */
void lw_metering_cycle(struct lw_agent *agent, const struct lw_reading *reading,
		       const struct lw_applied *applied, const struct lw_took *took);
/* Stock has taken over for REASON, one of LW_METER_HANDOVER_*. */
void lw_metering_handover(struct lw_agent *agent, enum lw_meter_id reason);
/* Write the file, if there is to be one and the last is old enough. */
void lw_metering_write(struct lw_agent *agent);

#endif
