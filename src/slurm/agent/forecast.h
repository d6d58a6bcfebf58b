/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: run-time predictions as the agent uses them: on, off, saved and reported. */
#ifndef LW_SLURM_FORECAST_H
#define LW_SLURM_FORECAST_H

#include "config/starters.h"
#include "slurm/agent/settings.h"
#include "slurm/read/learn.h"
#include "slurm/read/read.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * LEARN is NULL without predictions; these functions then do nothing. None needs locks of Slurm.
 * Failures are logged, and jobs are then planned by their time limits.
 */

/* Begin or end learning, as SETTINGS say; the file is in STATE_DIR. */
void lw_forecast_use(const struct lw_settings *settings, const char *state_dir,
		     struct lw_learn **learn);
/*
 * READING is complete: learn from the ended jobs that it noted, and set the expected run times
 * of the waiting jobs in it; under a policy that uses time limits only, just what placement
 * needs.
 */
void lw_forecast_reading(const struct lw_settings *settings, struct lw_learn *learn,
			 uint64_t cycle, struct lw_reading *reading);
/* Write the history, if it is time or AT_ONCE. */
void lw_forecast_save(struct lw_learn *learn, int64_t now_s, bool at_once);
/* Free it, unsaved. */
void lw_forecast_end(struct lw_learn **learn);

/*
 * Log one line on what is known, and a warning if STARTERS start jobs and our select plugin, which
 * judges such starts, is not loaded.
 */
void lw_forecast_announce(struct lw_starters starters, const struct lw_learn *learn);

#endif
