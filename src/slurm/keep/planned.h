/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planned starts of the last plan, for the next one. */
#ifndef LW_SLURM_PLANNED_H
#define LW_SLURM_PLANNED_H

#include "base/lookup.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

/*
 * The policy conservative plans jobs with a planned start first, in order of these starts, so
 * that none gets later (doc/dev/planner.md). A plan has a reservation for at most one record of
 * a job; the other records of the job have no planned start.
 */
struct lw_planned {
	struct lw_lookup index; /* by job and variant: its place in starts_s */
	int64_t *starts_s;
	uint32_t *least; /* how many nodes it was planned on at least */
	uint32_t count, room, least_room;
	struct lw_kept kept; /* nodes kept for accepted jobs */
};

/* Empty if zeroed. If memory runs out, fewer starts are known. */

/* The key of a record of a job; refusals use it, too. */
static inline uint64_t lw_planned_key(uint32_t job_id, uint32_t variant)
{
	return (uint64_t)job_id << 32 | variant;
}

/*
 * Keep the reserved starts of PLAN, made from SNAP, and the starts of records in WAIT (by key),
 * which were started and still wait; forget all others.
 */
void lw_planned_keep(struct lw_planned *planned, const struct lw_plan *plan,
		     const struct lw_snapshot *snap, const struct lw_lookup *wait);
/* The start planned for that record of the job, or 0. */
int64_t lw_planned_find(const struct lw_planned *planned, uint32_t job_id, uint32_t variant);
/* The fewest nodes that it was planned to have, or 0. */
uint32_t lw_planned_least(const struct lw_planned *planned, uint32_t job_id, uint32_t variant);
void lw_planned_fini(struct lw_planned *planned);

#endif
