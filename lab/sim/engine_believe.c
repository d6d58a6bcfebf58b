/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that outrun what the planner was told of them. */
#include "lab/sim/engine_state.h"

#include "planner/model/snapshot_step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lw_engine_believe(struct lw_engine *run, int64_t now_s)
{
	struct lw_snapshot *snap = run->snap;

	while (run->guarantee && snap->running_count && snap->running[0].end_s <= now_s) {
		struct lw_running running = snap->running[0];
		struct lw_sim_job *job = &run->jobs[run->index_of[running.job_id]];
		size_t size = running.alloc_count * sizeof(struct lw_alloc);
		struct lw_alloc *allocs = malloc(size + 1);
		struct lw_error err;
		int rc = allocs ? 0 : -ENOMEM;

		if (!rc) {
			if (size)
				memcpy(allocs, lw_running_allocs(snap, &running), size);
			lw_snapshot_remove_running(snap, running.job_id, running.end_s);
			job->held_s = run->hooks->believe(run->hooks->arg, job,
							  now_s - job->start_s, now_s);
			running.end_s = job->start_s + job->held_s;
			rc = lw_snapshot_insert_running(snap, &running, allocs,
							running.alloc_count, &err);
		}
		free(allocs);
		if (rc)
			return rc;
	}
	return 0;
}
