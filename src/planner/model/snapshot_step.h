/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a snapshot changed in place: what is expected of its jobs, and jobs taken out. */
#ifndef LW_PLANNER_SNAPSHOT_STEP_H
#define LW_PLANNER_SNAPSHOT_STEP_H

#include "planner/model/snapshot.h"

/* Set what is expected of the jobs of class CLASS_NUMBER of snap->queue. O(1). */
void lw_snapshot_expect(struct lw_snapshot *snap, uint32_t class_number,
			const struct lw_expectation *expected);
/*
 * The same, and set it in each record as well, for callers that print the snapshot later. O(jobs
 * of the class).
 */
void lw_snapshot_expect_jobs(struct lw_snapshot *snap, uint32_t class_number,
			     const struct lw_expectation *expected);
/* Running job INDEX is expected to run MEAN_S in all; SURVIVAL counts from now. */
void lw_snapshot_expect_running(struct lw_snapshot *snap, uint32_t index, int64_t mean_s,
				uint64_t survival);

/*
 * A simulator steps from event to event by taking single jobs out, without copying. Removed
 * waiting jobs leave holes in snap->waiting; snap->queue says which records are there.
 */

/*
 * Add a waiting job at the place of SEQ in the queue (lw_queue_insert()). A run that does so
 * must add all jobs this way. *ret_index is its record. -EINVAL with ERR, -ENOMEM.
 */
int lw_snapshot_insert_waiting(struct lw_snapshot *snap, const struct lw_waiting *job,
			       uint64_t seq, uint32_t *ret_index, struct lw_error *err);
/* Take out waiting job INDEX. -ENOMEM. */
int lw_snapshot_remove_waiting(struct lw_snapshot *snap, uint32_t index);
/* Running job JOB_ID that ends at END_S, or NULL; running must be sorted. */
const struct lw_running *lw_snapshot_find_running(const struct lw_snapshot *snap,
						  uint32_t job_id, int64_t end_s);
/* Remove that job. -ENOENT. */
int lw_snapshot_remove_running(struct lw_snapshot *snap, uint32_t job_id, int64_t end_s);
/* Add a running job at its place in the order of ends; running must be sorted. */
int lw_snapshot_insert_running(struct lw_snapshot *snap, const struct lw_running *job,
			       const struct lw_alloc *allocs, uint32_t count,
			       struct lw_error *err);

#endif
