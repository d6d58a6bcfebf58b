/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that go elsewhere, and jobs that might. */
#ifndef LW_SLURM_MOVED_H
#define LW_SLURM_MOVED_H

#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"
#include "slurm/read/read.h"

struct lw_reader;

/* Hold what is kept for jobs on their way. All running jobs are in the snapshot. -ENOMEM. */
int lw_read_kept_places(struct lw_reader *reader);

/*
 * List how running jobs would wait that agree to be stopped, run on one node, and can be placed
 * by their amounts: to READING->agains. After the queue, for its node sets. 0, or as lw_read().
 */
int lw_read_agains(struct lw_reader *reader);

/* Does JOB agree to be stopped, by its comment, its QOS or its partition? */
bool lw_again_agrees(const struct lw_reading_context *context, const job_record_t *job);
/* Can the running JOB be placed by its amounts, so that it finds room where the plan sees some? */
bool lw_again_is_plain(const struct lw_reader *reader, const job_record_t *job);
/*
 * WAITING becomes JOB, which runs, as it would wait for NODES nodes, up to MOST. -EBUSY: Slurm
 * knows none for it; or as lw_read().
 */
int lw_read_again(struct lw_reader *reader, job_record_t *job, uint32_t nodes, uint32_t most,
		  struct lw_waiting *waiting);

/* Of a job on its way, that is in the queue: its node alone, if its place is free. -ENOMEM. */
int lw_move_to_place(struct lw_reader *reader, const job_record_t *job,
		     struct lw_waiting *waiting);

#endif
