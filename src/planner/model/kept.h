/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that the last plan kept for jobs with accepted deadlines. */
#ifndef LW_PLANNER_KEPT_H
#define LW_PLANNER_KEPT_H

#include "base/lookup.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_alloc;
struct lw_plan;
struct lw_snapshot;

/* The room kept for one record. */
struct lw_kept_job {
	uint32_t job_id, variant;
	uint32_t first_alloc, alloc_count; /* its run of allocs */
};

/* Room is kept from the job's planned start on. All zero is empty. */
struct lw_kept {
	struct lw_kept_job *jobs;
	struct lw_alloc *allocs;
	uint32_t job_count, job_room, alloc_count, alloc_room;
	struct lw_lookup index; /* by record: its place in jobs */
};

void lw_kept_fini(struct lw_kept *kept);
void lw_kept_clear(struct lw_kept *kept);

/* Keep ALLOCS[COUNT] for a record, in place of what was kept for it before. -ENOMEM. */
int lw_kept_add(struct lw_kept *kept, uint32_t job_id, uint32_t variant,
		const struct lw_alloc *allocs, uint32_t count);
/* What is kept for a record, or NULL. */
const struct lw_kept_job *lw_kept_find(const struct lw_kept *kept, uint32_t job_id,
				       uint32_t variant);
/* Its nodes. */
const struct lw_alloc *lw_kept_allocs(const struct lw_kept *kept, const struct lw_kept_job *job);

/*
 * Replace the contents of KEPT by the room that PLAN, made from SNAP, keeps for accepted jobs.
 * If memory runs out, the next plan searches room anew for the jobs that are left out.
 */
void lw_kept_plan(struct lw_kept *kept, const struct lw_plan *plan,
		  const struct lw_snapshot *snap);
/* Copy all that FROM keeps. -ENOMEM. */
int lw_kept_copy(struct lw_kept *kept, const struct lw_kept *from);

#endif
