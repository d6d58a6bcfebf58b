/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: run-time predictions as the agent uses them: on, off, told, saved and reported. */
#ifndef LW_SLURM_FORECAST_H
#define LW_SLURM_FORECAST_H

#include "slurm/read/learn.h"
#include "slurm/read/read.h"
#include "slurm/settings.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A LEARN of NULL says that nobody asks for predictions; then all of this does
 * nothing. Needs none of Slurm's locks. Failures are logged: the limits stand in then.
 */

/* Begin or end learning, as SETTINGS say; the file is in StateSaveLocation. */
void lw_forecast_use(const struct lw_settings *settings, struct lw_learn **learn);
/*
 * READING is complete: learn what it noted and say in it what is expected of who waits; under
 * a policy that goes by limits, only what placement asks.
 */
void lw_forecast_reading(const struct lw_settings *settings, struct lw_learn *learn,
			 uint64_t cycle, struct lw_reading *reading);
/* Write what was learned, when it is time or AT_ONCE. */
void lw_forecast_save(struct lw_learn *learn, int64_t now_s, bool at_once);
/* Free it, unsaved. */
void lw_forecast_end(struct lw_learn **learn);

/*
 * One line on what is known, and a warning if others start jobs beside a policy that
 * needs to be the only one.
 */
void lw_forecast_announce(const struct lw_settings *settings, const struct lw_learn *learn);

#endif
