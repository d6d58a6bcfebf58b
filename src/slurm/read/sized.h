/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that run on more or fewer nodes, of which the plan chooses (size.mode). */
#ifndef LW_SLURM_SIZED_H
#define LW_SLURM_SIZED_H

#include "planner/place/size.h"
#include "slurm/compat/compat.h"
#include "slurm/query/request.h"
#include "slurm/reading.h"

struct lw_reader;
struct lw_reading_context;

/*
 * A job has sizes if its user says so (leeway:size), and that it may be stopped; it asks for a
 * range of nodes (--nodes=4-8), and for GPUs per node; its CPUs and tasks do not say how many
 * nodes there are; and runs of its kind at two sizes are known (predictor/speed.h). All need
 * LW_LOCKS_ALL.
 */

/* Does its user say so, and does Leeway choose at all? */
bool lw_sized_agrees(const struct lw_reading_context *context, const job_record_t *job);
/* JOB in PART has sizes: false, or what is known of them. */
bool lw_sized_of(const struct lw_reading_context *context, const job_record_t *job,
		 const part_record_t *part, struct lw_size *ret_size);

/*
 * WAITING, with its set and request made, is JOB in PART. If that has sizes, ask for the nodes
 * that are chosen for it in this cycle (planner/place/size.h), within COUNTS, which becomes the
 * same. Of a promised job the least is not raised: it was promised room for so few.
 */
void lw_sized_ask(struct lw_reader *reader, const job_record_t *job, const part_record_t *part,
		  struct lw_node_counts *counts, struct lw_waiting *waiting);
/*
 * How much longer JOB, which has started, takes than on all nodes that it may have, in
 * thousandths; 0: it has no sizes.
 */
uint32_t lw_sized_slower(const struct lw_reading_context *context, const job_record_t *job);

/*
 * After the queue was read: if no job waits, and stops are ordered for that (keep/leasing.h),
 * fill READER->reading->growers. 0; -ENOMEM; or as lw_session_yield().
 */
int lw_sized_growers(struct lw_reader *reader);

#endif
