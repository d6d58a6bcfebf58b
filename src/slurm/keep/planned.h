/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the starts that the last plan has in store, for the next one to begin with. */
#ifndef LW_SLURM_PLANNED_H
#define LW_SLURM_PLANNED_H

#include "base/lookup.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

/*
 * conservative gives jobs with a planned start their turn first, in order of these starts, so
 * that none gets later (doc/dev/planner.md). A plan has a reservation for one record of a job at
 * most; the other records of a job in several partitions, say, have no planned start.
 */
struct lw_planned {
	struct lw_lookup index; /* by job and variant: its place in starts_s */
	int64_t *starts_s;
	uint32_t count, room;
	struct lw_kept kept; /* the nodes of those that were accepted */
};

/* Zeroed, it knows none. Memory running out only means that fewer are known. */

/* One for each record of a job; what is kept of refusals goes by it, too. */
static inline uint64_t lw_planned_key(uint32_t job_id, uint32_t variant)
{
	return (uint64_t)job_id << 32 | variant;
}

/*
 * Know the reserved starts of PLAN, which was made from SNAP, and of those that it let start the
 * ones that still WAIT, by the keys of their records; no others.
 */
void lw_planned_keep(struct lw_planned *planned, const struct lw_plan *plan,
		     const struct lw_snapshot *snap, const struct lw_lookup *wait);
/* The start planned for that record of the job, or 0. */
int64_t lw_planned_find(const struct lw_planned *planned, uint32_t job_id, uint32_t variant);
void lw_planned_fini(struct lw_planned *planned);

#endif
