/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the counters of cycles and starts that sdiag shows under "Backfilling stats". */
#ifndef LW_SLURM_SDIAG_H
#define LW_SLURM_SDIAG_H

#include "planner/model/plan.h"
#include "slurm/reading.h"

#include <stdint.h>

/* The counters have no lock: only the thread that plans adds to them. */

/* Count one cycle: what was waiting, and the microseconds it took. */
void lw_sdiag_cycle(const struct lw_plan *plan, const struct lw_reading *reading, int64_t now_s,
		    uint64_t took_us);
/* Count one start, of JOBS jobs: Slurm counts each component of a het job. */
void lw_sdiag_start(uint32_t jobs);

#endif
