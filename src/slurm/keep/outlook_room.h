/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many jobs of each user are told why they wait; keep/outlook.c alone includes this.
 */
#ifndef LW_SLURM_OUTLOOK_ROOM_H
#define LW_SLURM_OUTLOOK_ROOM_H

#include "base/tally.h"
#include "planner/model/plan.h"

#include <stdbool.h>

/*
 * As many as want to be told, where the table has room for all. Otherwise a user with most jobs
 * is not told of all of them, so that other users are. Zeroed, it is empty.
 */
struct lw_outlook_room {
	struct lw_tally wants, has;
	uint32_t level;
};

/* Does the plan say of the job why it waits, rather than Slurm? */
bool lw_outlook_is_told(const struct lw_snapshot *snap, const struct lw_decision *decision);

/* A cycle begins, with room for MOST jobs. -ENOMEM. */
int lw_outlook_room_begin(struct lw_outlook_room *room, const struct lw_snapshot *snap,
			  const struct lw_plan *plan, uint32_t most);
/* Is there room for one more job of USER? It is taken then. */
bool lw_outlook_room_take(struct lw_outlook_room *room, uint32_t user);
void lw_outlook_room_fini(struct lw_outlook_room *room);

#endif
