/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that are to move: what is kept for them until they have left. */
#include "lab/sim/engine_state.h"

#include "planner/model/snapshot_step.h"

#include <errno.h>

/* In the snapshot it is a job that runs, like a node that takes none yet (completing.h). */
static uint32_t move_id(const struct lw_engine *run, uint32_t index)
{
	return run->completing.first_id + run->snap->node_count + index;
}

int lw_engine_keep(struct lw_engine *run, uint32_t index, const struct lw_alloc *places,
		   uint32_t count, int64_t until_s)
{
	const struct lw_running kept = { .job_id = move_id(run, index),
					 .start_s = run->snap->now_s,
					 .end_s = until_s };
	struct lw_error err;

	return lw_snapshot_insert_running(run->snap, &kept, places, count, &err) ? -ENOMEM : 0;
}

void lw_engine_let_go(struct lw_engine *run, uint32_t index, int64_t until_s)
{
	(void)lw_snapshot_remove_running(run->snap, move_id(run, index), until_s);
}
