/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a message that may come often, passed on seldom. */
#ifndef LW_SLURM_THROTTLE_H
#define LW_SLURM_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

/* A message is held back for this long after it was passed on. */
#define LW_THROTTLE_S 600

/* The state of one message; all 0: it never came. */
struct lw_throttle {
	bool passed;
	int64_t last_s;	    /* when it was last passed on */
	uint32_t held_back; /* how often it came since */
};

/*
 * The message comes at NOW_S, a time of day: is it passed on? Then RET_MISSED is the number held
 * back before it. A clock that was set back holds nothing back.
 */
bool lw_throttle_passes(struct lw_throttle *throttle, int64_t now_s, uint32_t *ret_missed);

#endif
