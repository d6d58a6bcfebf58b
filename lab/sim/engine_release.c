/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job of a run releases, and the job that has it then. */
#include "lab/sim/engine_state.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What JOB holds, to be freed: NULL with RET_RECORD's count at 0 if nothing. -ENOMEM. */
static int copy_held(const struct lw_engine *run, const struct lw_sim_job *job,
		     struct lw_running *ret_record, struct lw_alloc **ret_allocs)
{
	const struct lw_running *running =
		lw_snapshot_find_running(run->snap, job->id, job->start_s + job->held_s);
	size_t size = running ? running->alloc_count * sizeof(struct lw_alloc) : 0;

	*ret_record = running ? *running : (struct lw_running){ .alloc_count = 0 };
	*ret_allocs = malloc(size + 1);
	if (*ret_allocs && size)
		memcpy(*ret_allocs, lw_running_allocs(run->snap, running), size);
	return *ret_allocs ? 0 : -ENOMEM;
}

/* Close its nodes for a while, unless another job is left there. */
static int close_nodes(struct lw_engine *run, const struct lw_running *record,
		       const struct lw_alloc *allocs)
{
	uint32_t *nodes = calloc((size_t)record->alloc_count + 1, sizeof(*nodes));
	int rc;

	if (!nodes)
		return -ENOMEM;
	for (uint32_t i = 0; i < record->alloc_count; i++)
		nodes[i] = allocs[i].node;
	rc = lw_completing_close(&run->completing, run->snap, nodes, record->alloc_count);
	free(nodes);
	return rc;
}

int lw_engine_release(struct lw_engine *run, struct lw_sim_job *job)
{
	struct lw_sim_job *heir;
	bool guest = lw_engine_unseat(run, job, &heir);
	struct lw_running record = { .alloc_count = 0 };
	struct lw_alloc *allocs = NULL;
	int rc = 0;

	if (!guest && (run->completing.after_s || heir || run->hooks->gated))
		rc = copy_held(run, job, &record, &allocs);
	for (uint32_t i = 0; run->hooks->gated && !rc && i < record.alloc_count; i++)
		lw_gate_ended(&run->gate, allocs[i].node);
	if (!rc && !guest)
		lw_snapshot_remove_running(run->snap, job->id, job->start_s + job->held_s);
	if (!rc && heir)
		rc = lw_engine_inherit(run, heir, &record, allocs);
	else if (!rc && !guest && run->completing.after_s)
		rc = close_nodes(run, &record, allocs);
	if (!rc && heir && !guest && run->hooks->inherited)
		run->hooks->inherited(run->hooks->arg, job, heir, allocs, record.alloc_count,
				      run->snap->now_s);
	free(allocs);
	return rc;
}

int lw_engine_leave(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	struct lw_sim_job *job = &run->jobs[index];
	int64_t ran_s = now_s - job->start_s;
	int64_t worked_s = ran_s - job->save_s - (job->stops ? job->restart_s : 0);
	int rc = lw_engine_release(run, job);

	run->kinds[job->class_number].runs--;
	lw_agenda_stop(&run->agenda, index);
	if (run->hooks->stopped)
		run->hooks->stopped(run->hooks->arg, job, now_s);
	job->spent_s += ran_s;
	if (job->size.shared && worked_s > 0)
		worked_s = (int64_t)((double)worked_s / lw_size_slower(&job->size, job->nodes));
	job->done_s += worked_s > 0 ? worked_s : 0;
	job->stops++;
	return rc;
}

int lw_engine_stop(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	int rc = lw_engine_leave(run, index, now_s);

	return rc ? rc : lw_engine_queue(run, index, now_s, UINT32_MAX);
}
