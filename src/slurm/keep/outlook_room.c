/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many jobs of each user are told why they wait. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/outlook_room.h"

bool lw_outlook_is_told(const struct lw_snapshot *snap, const struct lw_decision *decision)
{
	const struct lw_waiting *job = &snap->waiting[decision->waiting];

	if (job->never)
		return true;
	return decision->verdict != LW_START && job->readiness != LW_NOT_READY &&
	       decision->reason != LW_REASON_WAITS_FOR_SLURM &&
	       decision->reason != LW_REASON_WAITS_FOR_OTHER;
}

int lw_outlook_room_begin(struct lw_outlook_room *room, const struct lw_snapshot *snap,
			  const struct lw_plan *plan, uint32_t most)
{
	int rc = 0;

	lw_outlook_room_fini(room);
	room->level = UINT32_MAX;
	if (plan->decision_count <= most)
		return 0;
	for (uint32_t i = 0; !rc && i < plan->decision_count; i++)
		if (lw_outlook_is_told(snap, &plan->decisions[i]))
			rc = lw_tally_add(&room->wants,
					  snap->waiting[plan->decisions[i].waiting].user_id, 1);
	if (!rc)
		rc = lw_tally_level(&room->wants, most, &room->level);
	/* more users than places: the first ones */
	room->level += !room->level;
	return rc;
}

bool lw_outlook_room_take(struct lw_outlook_room *room, uint32_t user)
{
	if (room->level == UINT32_MAX)
		return true;
	return lw_tally_of(&room->has, user) < room->level && !lw_tally_add(&room->has, user, 1);
}

void lw_outlook_room_fini(struct lw_outlook_room *room)
{
	lw_tally_fini(&room->wants);
	lw_tally_fini(&room->has);
}
