/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what sdiag counts of cycles and starts, under "Backfilling stats". */
#ifndef LW_SLURM_SDIAG_H
#define LW_SLURM_SDIAG_H

#include "planner/model/plan.h"
#include "slurm/reading.h"

#include <stdint.h>

/* The counters have no lock: only the thread that plans adds to them. */

/* One cycle: what was waiting, and the microseconds it took. */
void lw_sdiag_cycle(const struct lw_plan *plan, const struct lw_reading *reading, int64_t now_s,
		    uint64_t took_us);
/* One start, of as many JOBS: Slurm counts each component of a het job. */
void lw_sdiag_start(uint32_t jobs);

#endif
