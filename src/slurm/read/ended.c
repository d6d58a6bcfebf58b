/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that have ended, noted for the predictor. */
#include "slurm/read/ended.h"

#include "base/pace.h"
#include "slurm/read/learn.h"
#include "slurm/query/amounts.h"
#include "slurm/query/request.h"
#include "slurm/read/reader.h"
#include "slurm/read/sized.h"

#include <errno.h>
#include <string.h>

/*
 * Did something other than JOB and its user end it? `leeway history import` judges the states that
 * sacct shows in the same way.
 */
static bool ended_was_cut(const job_record_t *job)
{
	switch (job->job_state & JOB_STATE_BASE) {
	case JOB_TIMEOUT:
	case JOB_NODE_FAIL:
	case JOB_PREEMPTED:
	case JOB_BOOT_FAIL:
	case JOB_DEADLINE:
		return true;
	default:
		return false;
	}
}

/*
 * The GPUs that JOB held, and their type if they are of one. The record keeps them until Slurm
 * forgets the job; nodes that are gone since are left out.
 */
static void ended_note_gpus(const struct lw_reader *reader, const job_record_t *job,
			    struct lw_finished *finished)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	bitstr_t *nodes = job->job_resrcs ? job->job_resrcs->node_bitmap : NULL;
	uint32_t count[LW_GPU_TYPES_MAX] = { 0 }, host = 0;

	for (bitoff_t i = 0; nodes && (i = bit_ffs_from_bit(nodes, i)) >= 0; i++, host++) {
		struct lw_res held = { 0 };

		if (i >= reader->reading->slurm_nodes)
			break;
		lw_job_holds(snap, job, host, &snap->nodes[i].total, &held);
		for (uint32_t type = 0; type < LW_GPU_TYPES_MAX; type++)
			count[type] += held.gpus[type];
	}
	for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
		if (!count[type])
			continue;
		finished->gpu_type = finished->gpus ? NULL : snap->gpu_types[type];
		finished->gpus += count[type];
	}
	/* what gres.conf calls by no name is of no type */
	if (finished->gpu_type && !strcmp(finished->gpu_type, "gpu"))
		finished->gpu_type = NULL;
}

/*
 * All of its work takes so long on what JOB held, by its progress, with a limit for each of its
 * runs at most. 0: it says nothing.
 */
static int64_t ended_work_s(const job_record_t *job, int64_t limit_s)
{
	double most_s = ((double)job->restart_cnt + 1) * (double)limit_s, rate;
	struct lw_pace pace;

	if (!lw_pace_read(job->comment, &pace) || !pace.of || pace.since_s < job->start_time)
		return 0;
	rate = lw_pace_rate(&pace);
	return rate > 0 && (double)pace.of / rate < most_s ? (int64_t)((double)pace.of / rate) : 0;
}

/*
 * Of a job that runs at several sizes: where it ran again it has done the rest of its work only, so
 * how fast it is is told by its progress or not at all.
 */
static void ended_note_size(const struct lw_reader *reader, const job_record_t *job,
			    struct lw_finished *finished)
{
	finished->slower = lw_sized_slower(reader->context, job);
	if (!job->restart_cnt || !lw_sized_agrees(reader->context, job))
		return;
	finished->work_s = ended_work_s(job, finished->limit_s);
	if (!finished->work_s)
		finished->gpu_type = NULL;
}

/* A task of an array is a job of its own here, and so is a component of a het job. */
int lw_note_ended(const struct lw_reader *reader, const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	struct lw_finished finished = {
		.job_id = lw_slurm_job_id(job),
		.user_id = job->user_id,
		.name = job->name,
		.partition = part ? part->name : job->partition,
		.width = lw_job_width(job),
		.nodes = job->total_nodes,
		.start_s = job->start_time,
		.end_s = job->end_time,
		.turned_s = job->suspend_time,
		.ran_before_s = job->pre_sus_time,
		.suspended_s = job->tot_sus_time,
		.admin_comment = job->admin_comment,
		.cut = ended_was_cut(job),
	};

	/* a job that has started should have a limit in its record */
	if (job->time_limit == NO_VAL)
		return 0;
	finished.limit_s = lw_job_limit_s(job, part);
	if (lw_learn_wants(reader->context->learn, &finished))
		ended_note_gpus(reader, job, &finished);
	ended_note_size(reader, job, &finished);
	if (lw_learn_note(reader->context->learn, &finished))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	return 0;
}
