/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: see jobs go elsewhere, so that others have room (stop.for). */
#ifndef LW_SLURM_MOVE_H
#define LW_SLURM_MOVE_H

#include "slurm/keep/leasing.h"

/*
 * With the locks of LW_LOCKS_ALL, after lw_stop_begin(): see where jobs are that move. One that
 * has not gone in time, or has lost its place, is stopped as any other one.
 */
void lw_move_follow(struct lw_moving *moving, struct lw_stops *stops, int64_t now_s);

#endif
