/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Leeway's log lines in Slurm's log. */
#ifndef LW_SLURM_LOG_H
#define LW_SLURM_LOG_H

#include "base/log.h"

#include <stdint.h>

/* The writer to hand to the library; lines get the prefix "leeway: ". */
const struct lw_log *lw_slurm_log(void);
/* The least important level that is logged from now on. */
void lw_slurm_log_level(enum lw_log_level level);

/*
 * Like lw_log_error() and lw_log_warn(), but each KEY (a string constant) is logged at most once
 * in ten minutes; NOW_S is the caller's clock. The next line of the key says how many lines were
 * left out.
 */
void lw_slurm_log_throttled(enum lw_log_level level, const char *key, int64_t now_s,
			    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
