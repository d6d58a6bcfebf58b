/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a message that may come often, passed on seldom. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/throttle.h"

bool lw_throttle_passes(struct lw_throttle *throttle, int64_t now_s, uint32_t *ret_missed)
{
	if (throttle->passed && now_s >= throttle->last_s &&
	    now_s - throttle->last_s < LW_THROTTLE_S) {
		throttle->held_back++;
		return false;
	}
	*ret_missed = throttle->held_back;
	*throttle = (struct lw_throttle){ .passed = true, .last_s = now_s };
	return true;
}
