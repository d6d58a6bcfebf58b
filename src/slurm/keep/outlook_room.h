/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for how many jobs of each user there are words; keep/outlook.c alone includes it. */
#ifndef LW_SLURM_OUTLOOK_ROOM_H
#define LW_SLURM_OUTLOOK_ROOM_H

#include "base/tally.h"
#include "planner/model/plan.h"

#include <stdbool.h>

/*
 * If the table has room, all jobs get words. Otherwise users with many jobs get words for some
 * of them only, so that other users get theirs. Empty if zeroed.
 */
struct lw_outlook_room {
	struct lw_tally wants, has;
	uint32_t level;
};

/* Does the plan, rather than Slurm, give the reason why the job waits, or will it never start? */
bool lw_outlook_is_told(const struct lw_snapshot *snap, const struct lw_decision *decision);

/* Begin a cycle with room for MOST jobs. -ENOMEM. */
int lw_outlook_room_begin(struct lw_outlook_room *room, const struct lw_snapshot *snap,
			  const struct lw_plan *plan, uint32_t most);
/* Take room for one more job of USER; false: there is none. */
bool lw_outlook_room_take(struct lw_outlook_room *room, uint32_t user);
void lw_outlook_room_fini(struct lw_outlook_room *room);

#endif
