/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's jobs that have started, copied into a snapshot. */
#include "slurm/read/running.h"

#include "base/grow.h"
#include "base/pace.h"
#include "slurm/layout.h"
#include "slurm/query/amounts.h"
#include "slurm/keep/marking.h"
#include "slurm/keep/since.h"
#include "slurm/query/account.h"
#include "slurm/query/request.h"
#include "slurm/read/blocks.h"
#include "slurm/read/ended.h"
#include "slurm/read/learn_types.h"
#include "slurm/read/sized.h"
#include "slurm/read/sizes.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>

int64_t lw_hard_end_s(const job_record_t *job, int64_t now_s)
{
	uint16_t over = slurm_conf.over_time_limit;
	int64_t end_s = job->end_time;

	if (job->part_ptr && job->part_ptr->over_time_limit != NO_VAL16)
		over = job->part_ptr->over_time_limit;
	if (over == INFINITE16 || job->time_limit == INFINITE || end_s <= 0)
		return now_s + LW_YEAR_S;
	end_s += (int64_t)over * 60;
	return end_s > now_s ? end_s : now_s + 1;
}

static int running_add_alloc(struct lw_reader *reader, const struct lw_alloc *alloc,
			     uint32_t *count)
{
	if (lw_grow((void **)&reader->allocs, &reader->alloc_room, *count + 1,
		    sizeof(*reader->allocs)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	reader->allocs[(*count)++] = *alloc;
	lw_res_add(&reader->used[alloc->node], &alloc->res);
	return 0;
}

/* What JOB holds of its nodes. */
static int running_collect_nodes(struct lw_reader *reader, const job_record_t *job,
				 uint32_t *count)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	bitstr_t *nodes = job->job_resrcs->node_bitmap;
	struct lw_alloc alloc = { 0 };
	uint32_t host = 0;
	int rc = 0;

	for (bitoff_t i = 0; !rc && (i = bit_ffs_from_bit(nodes, i)) >= 0; i++, host++) {
		if (i >= reader->reading->slurm_nodes)
			break;
		/* the job has given this node back already */
		if (job->node_bitmap && !bit_test(job->node_bitmap, i))
			continue;
		alloc.node = (uint32_t)i;
		lw_job_holds(snap, job, host, &snap->nodes[i].total, &alloc.res);
		lw_caps_hold(&reader->reading->caps, job->part_ptr, &alloc.res);
		lw_shards_hold(&reader->shards, snap, job, host, alloc.node, &alloc.res);
		rc = running_add_alloc(reader, &alloc, count);
	}
	return rc;
}

/* A job that keeps others from its blocks of the topology holds all nodes of these. */
static int running_collect_blocks(struct lw_reader *reader, const job_record_t *job,
				  uint32_t *count)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	struct lw_bitset all;
	uint32_t node;
	int rc = 0;

	if (lw_blocks_of(snap, job->job_resrcs->node_bitmap, &all))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	lw_bitset_foreach(&all, node)
	{
		struct lw_alloc alloc = { .node = node, .res = snap->nodes[node].total };

		rc = rc ? rc : running_add_alloc(reader, &alloc, count);
	}
	lw_bitset_fini(&all);
	return rc;
}

/* What JOB holds of licences. */
static int running_collect_licences(struct lw_reader *reader, const job_record_t *job,
				    uint32_t *count)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < reader->licences.count; i++) {
		struct lw_alloc alloc;

		if (lw_licences_hold(&reader->licences, job, i, &alloc))
			rc = running_add_alloc(reader, &alloc, count);
	}
	return rc;
}

/*
 * Slurm preempts no job for its licences: if a licence is missing, it does not search for jobs
 * to preempt. So the licences of JOB, which is preemptible, are held by a running record of
 * their own, which is not. Call it before anything else of JOB is collected.
 */
static int running_keep_licences(struct lw_reader *reader, const job_record_t *job,
				 const struct lw_running *running)
{
	const struct lw_running keeper = { .start_s = running->start_s,
					   .end_s = running->end_s };
	uint32_t count = 0;
	int rc = running_collect_licences(reader, job, &count);

	return rc || !count ? rc
			    : lw_snapshot_add_running(&reader->reading->snap, &keeper,
						      reader->allocs, count, reader->err);
}

/* A promise to an array is settled when the first of its tasks starts. */
static void running_settle(const struct lw_reader *reader, const job_record_t *job)
{
	struct lw_promises *promises = reader->context->promises;
	uint32_t id = lw_slurm_job_id(job);

	if (!lw_promises_find(promises, id) && job->array_job_id)
		id = job->array_job_id;
	if (!lw_promises_find(promises, id))
		return;
	lw_promises_started(promises, id, job->start_time);
	/* what is left of the array waits on, and is promised something else */
	if (!lw_promises_find(promises, id))
		lw_marking_off_id(id);
}

void lw_settle_started(const struct lw_reader *reader, job_record_t *job)
{
	if (!IS_JOB_PENDING(job))
		lw_marking_end(job);
	if (lw_marking_has_started(job))
		running_settle(reader, job);
}

/* A completing job counts as holding none: lw_block_nodes() blocks its nodes as a whole. */
static bool running_holds_nodes(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && !IS_JOB_COMPLETING(job) &&
	       job->job_resrcs && job->job_resrcs->node_bitmap;
}

/* Should it be requeued, Slurm will know of no earlier submission than that moment. */
static void running_remember_submission(const struct lw_reader *reader, const job_record_t *job)
{
	if (reader->context->since && job->batch_flag && job->details && job->details->requeue)
		lw_since_runs(reader->context->since, lw_slurm_job_id(job), job->user_id,
			      job->details->submit_time, job->restart_cnt > 0);
}

static bool running_hold_gpus(const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
			if (allocs[i].res.gpus[type])
				return true;
	return false;
}

/* For what is known of it by the type of its GPUs. */
static int running_note_kind(struct lw_reader *reader, const job_record_t *job, uint32_t count)
{
	struct lw_reading *reading = reader->reading;

	if (!reader->context->by_type || !running_hold_gpus(reader->allocs, count))
		return 0;
	if (lw_grow((void **)&reading->kinds, &reading->kind_room, reading->kind_count + 1,
		    sizeof(*reading->kinds)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	reading->kinds[reading->kind_count++] = (struct lw_running_kind){
		.job_id = lw_slurm_job_id(job),
		.kind = lw_learn_kind(job->admin_comment, job->name),
	};
	return 0;
}

/*
 * Its user may write anything there. So it counts for what is expected alone, between now and its
 * limit. Without memory nothing was said.
 */
static void running_note_progress(const struct lw_reader *reader, const job_record_t *job,
				  const struct lw_running *running)
{
	struct lw_pace progress;
	int64_t end_s;

	if (!reader->context->progress || !lw_pace_read(job->comment, &progress) ||
	    !lw_pace_end(&progress, running->start_s, reader->context->now_s, &end_s))
		return;
	if (end_s > running->end_s)
		end_s = running->end_s;
	if (end_s - running->start_s <= UINT32_MAX)
		(void)lw_lookup_put(&reader->reading->said, running->job_id,
				    (uint32_t)(end_s - running->start_s));
}

/* Out of memory it is expected to run as on all nodes. */
static void running_note_size(const struct lw_reader *reader, const job_record_t *job,
			      uint32_t job_id)
{
	uint32_t slower = lw_sized_slower(reader->context, job);

	if (slower)
		(void)lw_lookup_put(&reader->reading->slower, job_id, slower);
}

static int running_read_started(struct lw_reader *reader, job_record_t *job)
{
	struct lw_running running = { 0 };
	uint32_t count = 0;
	int rc;

	lw_settle_started(reader, job);
	if (reader->context->learn && IS_JOB_FINISHED(job) && lw_marking_has_started(job))
		return lw_note_ended(reader, job);
	if (!running_holds_nodes(job))
		return 0;
	running_remember_submission(reader, job);
	running.job_id = lw_slurm_job_id(job);
	running.user_id = job->user_id;
	running.account = lw_job_account(job);
	lw_preempt_classes_of_running(&reader->kinds, job, &running);
	running.since_s = job->details ? job->details->submit_time : LW_NO_TIME;
	running.start_s = job->start_time;
	running.end_s = lw_hard_end_s(job, reader->context->now_s);
	running_note_progress(reader, job, &running);
	running_note_size(reader, job, running.job_id);
	/* out of memory, a preemptor is shown no start */
	if (job->preempt_time)
		(void)lw_lookup_put(&reader->reading->leaving, running.job_id, 0);
	rc = running.preempt_class ? running_keep_licences(reader, job, &running) : 0;
	if (!rc)
		rc = lw_blocks_matter(&reader->reading->snap, job)
			     ? running_collect_blocks(reader, job, &count)
			     : running_collect_nodes(reader, job, &count);
	if (!rc && !running.preempt_class)
		rc = running_collect_licences(reader, job, &count);
	if (!rc)
		rc = running_note_kind(reader, job, count);
	return rc ? rc
		  : lw_snapshot_add_running(&reader->reading->snap, &running, reader->allocs,
					    count, reader->err);
}

/* A cycle through all jobs. */
struct gathered {
	struct lw_reader *reader;
	uint32_t *ids; /* of the jobs that are to be read */
	uint32_t count, room;
	struct lw_lookup started; /* ids of the jobs that were read after their start */
	int rc;
};

static int running_gather(void *x, void *arg)
{
	const job_record_t *job = x;
	struct gathered *jobs = arg;
	struct lw_since *since = jobs->reader->context->since;

	if (since && !IS_JOB_FINISHED(job))
		lw_since_alive(since, lw_slurm_job_id(job), job->user_id);
	if (jobs->count < jobs->room)
		jobs->ids[jobs->count++] = lw_slurm_job_id(job);
	return 0;
}

static void running_gather_all(struct gathered *jobs)
{
	struct lw_since *since = jobs->reader->context->since;

	if (since)
		lw_since_begin(since);
	list_for_each(job_list, running_gather, jobs);
	if (since)
		lw_since_end(since);
}

/* A first pass: which job holds each shared GPU longest must be known before any job is read. */
static int running_note_shards(void *x, void *arg)
{
	const job_record_t *job = x;
	struct gathered *jobs = arg;
	struct lw_reader *reader = jobs->reader;

	jobs->rc = lw_layout_check_job(job, reader->err);
	int64_t end_s;

	if (jobs->rc || !running_holds_nodes(job))
		return jobs->rc ? -1 : 0;
	end_s = lw_hard_end_s(job, reader->context->now_s);
	if (lw_shards_note(&reader->shards, job, end_s) ||
	    lw_tenancies_note(&reader->tenancies, job, end_s))
		jobs->rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	return jobs->rc ? -1 : 0;
}

static int running_read_job(struct gathered *jobs, job_record_t *job)
{
	struct lw_reader *reader = jobs->reader;
	int rc = lw_layout_check_job(job, reader->err);

	if (!rc &&
	    ((!IS_JOB_PENDING(job) && lw_lookup_put(&jobs->started, lw_slurm_job_id(job), 0)) ||
	     lw_user_nodes_note(&reader->owners, job)))
		rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	return rc ? rc : running_read_started(reader, job);
}

/*
 * A last pass: the jobs that have started since they were read, and the tasks that have left their
 * array to start, with ids of their own.
 */
static int running_read_late(void *x, void *arg)
{
	struct gathered *jobs = arg;
	job_record_t *job = x;
	uint32_t ignored;

	if (!IS_JOB_PENDING(job) &&
	    !lw_lookup_get(&jobs->started, lw_slurm_job_id(job), &ignored))
		jobs->rc = running_read_job(jobs, job);
	return jobs->rc ? -1 : 0;
}

/* Jobs that were purged meanwhile are left out. */
static int running_read_gathered(struct gathered *jobs, struct lw_sizes_found *found)
{
	struct lw_reader *reader = jobs->reader;
	int rc = 0;

	for (uint32_t i = 0; i < jobs->count && !rc; i++) {
		job_record_t *job;

		rc = lw_session_yield_step(reader->context->session, i);
		job = rc ? NULL : find_job_record(jobs->ids[i]);
		if (!job)
			continue;
		rc = running_read_job(jobs, job);
		if (!rc)
			lw_sizes_note(reader->context->sizes, found, &reader->reading->snap, job);
	}
	return rc;
}

/*
 * Jobs are listed by id and then looked up one by one: while the locks are given up records may
 * be purged, by a thread of Slurm's that decided on it before we said that we are active. A job
 * that ends meanwhile is taken to run on; one that starts is read at the end, in one step.
 */
int lw_read_running(struct lw_reader *reader)
{
	struct gathered jobs = { .reader = reader, .room = (uint32_t)list_count(job_list) };
	struct lw_sizes_found found;

	jobs.ids = calloc((size_t)jobs.room + 1, sizeof(*jobs.ids));
	if (!jobs.ids)
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	running_gather_all(&jobs);
	lw_tenancies_begin(&reader->tenancies, reader->context->house);
	if (lw_shards_begin(&reader->shards))
		list_for_each(job_list, running_note_shards, &jobs);
	if (!jobs.rc && lw_tenancies_read(&reader->tenancies, reader->reading))
		jobs.rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	lw_sizes_begin(reader->context->sizes, &reader->reading->snap, &found);
	if (!jobs.rc)
		jobs.rc = running_read_gathered(&jobs, &found);
	if (!jobs.rc)
		list_for_each(job_list, running_read_late, &jobs);
	if (!jobs.rc)
		lw_sizes_keep(reader->context->sizes, &found, &reader->reading->snap);
	lw_lookup_fini(&jobs.started);
	free(jobs.ids);
	return jobs.rc;
}
