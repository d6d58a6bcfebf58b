/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a message that may come often, passed on seldom. */
#ifndef LW_SLURM_THROTTLE_H
#define LW_SLURM_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

/* So long a message is held back after it was passed on. */
#define LW_THROTTLE_S 600

/* Of one message; all 0: it never came. */
struct lw_throttle {
	bool passed;
	int64_t last_s;	    /* when it was passed on last */
	uint32_t held_back; /* how often it came since */
};

/*
 * The message comes at NOW_S, a time of day: is it to be passed on? Then RET_MISSED says how many
 * were held back before it. A clock that was set back holds none back.
 */
bool lw_throttle_passes(struct lw_throttle *throttle, int64_t now_s, uint32_t *ret_missed);

#endif
