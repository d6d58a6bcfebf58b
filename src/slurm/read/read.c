/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */

/*
 * Does nothing but copy, with Slurm's locks held, and gives these up for a moment between
 * the parts of that and now and then in the queue. The order of the queue and
 * which jobs may start at all (held, dependent, begin time) stay Slurm's: the queue
 * comes from build_job_queue() and sort_job_queue().
 */

#include "slurm/read/read.h"

#include "base/grow.h"
#include "base/lookup.h"
#include "slurm/compat/compat.h"
#include "slurm/layout.h"
#include "slurm/read/amounts.h"
#include "slurm/read/islands.h"
#include "slurm/read/learn.h"
#include "slurm/read/request.h"
#include "slurm/read/sizes.h"
#include "slurm/read/waiting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No site has weights as high. */
#define POWERED_DOWN (UINT32_C(1) << 31)
/* Nobody knows how long an epilog takes; look again after this. */
#define COMPLETING_S 60
/* No node is so much longer than SuspendTime idle before it goes down. */
#define KEPT_UP_S 600
/* As little is known of a node that is silent: by then most are back, or down. */
#define SILENT_S 300

void lw_reading_init(struct lw_reading *reading)
{
	memset(reading, 0, sizeof(*reading));
}

void lw_reading_fini(struct lw_reading *reading)
{
	lw_snapshot_fini(&reading->snap);
	for (uint32_t i = 0; i < reading->name_count; i++)
		free(reading->names[i]);
	free(reading->names);
	free(reading->tickets);
	free(reading->parts);
	memset(reading, 0, sizeof(*reading));
}

/* Nodes that are powered down come last, whatever they weigh: as under stock. */
static uint32_t weight_of(const node_record_t *node)
{
	uint32_t weight = node->config_ptr->weight;

	return bit_test(power_down_node_bitmap, node->index) ? weight | POWERED_DOWN : weight;
}

/*
 * Is it out of use only for a while? On its way down, after which it is as idle as others, or
 * silent, which most get over before Slurm takes them for down.
 */
static bool comes_back(const node_record_t *node, int index)
{
	return !bit_test(avail_node_bitmap, index) && !IS_NODE_DOWN(node) &&
	       !IS_NODE_FUTURE(node) && !IS_NODE_DRAIN(node) && !IS_NODE_FAIL(node) &&
	       (IS_NODE_POWERING_DOWN(node) || IS_NODE_POWER_DOWN(node) ||
		IS_NODE_NO_RESPOND(node));
}

static int read_node(struct lw_walker *walk, int index)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	const node_record_t *node = node_record_table_ptr[index];
	uint16_t ours = lw_islands_of(walk->context->islands, (uint32_t)index);
	struct lw_res total = { 0 };
	char gone[32];
	bool usable;
	int rc;

	if (!node || !node->name) { /* keep the numbering */
		snprintf(gone, sizeof(gone), "deleted-%d", index);
		return lw_snapshot_add_node(snap, gone, &total, false, walk->err);
	}
	lw_node_total(snap, node, &total);
	lw_caps_total(&walk->caps, node, &total);
	usable = bit_test(avail_node_bitmap, index) || bit_test(rs_node_bitmap, index) ||
		 comes_back(node, index);
	rc = lw_snapshot_add_node(snap, node->name, &total, usable, walk->err);
	if (rc)
		return rc;
	lw_snapshot_weigh(snap, (uint32_t)index, weight_of(node));
	lw_snapshot_set_linked(snap, (uint32_t)index, lw_node_linked(node, ours));
	return 0;
}

static int breathe(const struct lw_walker *walk, uint32_t step)
{
	return step % LW_HOLD_STEPS ? 0 : lw_hold_breathe(walk->context->hold);
}

/* A topology of another number of nodes is out of date, and will be read anew. */
static int copy_domains(struct lw_walker *walk)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	const struct lw_domains *domains = walk->context->domains;

	if (domains->of_count != walk->reading->slurm_nodes)
		return 0;
	if (lw_domains_copy(&snap->domains, domains))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	return 0;
}

static int read_nodes(struct lw_walker *walk)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	int rc = lw_caps_read(&walk->caps);

	if (rc)
		return lw_error_set(walk->err, rc, "out of memory");
	for (int i = 0; i < node_record_count && !rc; i++) {
		rc = breathe(walk, (uint32_t)i);
		if (!rc)
			rc = read_node(walk, i);
	}
	walk->reading->slurm_nodes = snap->node_count;
	/* licences are nodes, of no domain, and nodes come first */
	if (!rc)
		rc = lw_licences_read(&walk->licences, snap, walk->err);
	if (!rc)
		rc = copy_domains(walk);
	if (!rc) {
		walk->used = calloc((size_t)snap->node_count + 1, sizeof(*walk->used));
		if (!walk->used)
			rc = lw_error_set(walk->err, -ENOMEM, "out of memory");
	}
	return rc;
}

/* When Slurm kills JOB: its limit, and the grace the site gives. */
static int64_t hard_end_s(const job_record_t *job, int64_t now_s)
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

static int add_alloc(struct lw_walker *walk, const struct lw_alloc *alloc, uint32_t *count)
{
	if (lw_grow((void **)&walk->allocs, &walk->alloc_room, *count + 1,
		    sizeof(*walk->allocs)))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	walk->allocs[(*count)++] = *alloc;
	lw_res_add(&walk->used[alloc->node], &alloc->res);
	return 0;
}

/* What JOB holds of its nodes. */
static int collect_nodes(struct lw_walker *walk, const job_record_t *job, uint32_t *count)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	bitstr_t *nodes = job->job_resrcs->node_bitmap;
	struct lw_alloc alloc = { 0 };
	uint32_t host = 0;
	int rc = 0;

	for (bitoff_t i = 0; !rc && (i = bit_ffs_from_bit(nodes, i)) >= 0; i++, host++) {
		if (i >= walk->reading->slurm_nodes)
			break;
		/* a node that left the job early */
		if (job->node_bitmap && !bit_test(job->node_bitmap, i))
			continue;
		alloc.node = (uint32_t)i;
		lw_job_holds(snap, job, host, &snap->nodes[i].total, &alloc.res);
		lw_caps_hold(&walk->caps, job->part_ptr, &alloc.res);
		lw_parts_hold(&walk->parts, snap, job, host, alloc.node, &alloc.res);
		rc = add_alloc(walk, &alloc, count);
	}
	return rc;
}

/* Who keeps others from its blocks holds all of these. */
static int collect_blocks(struct lw_walker *walk, const job_record_t *job, uint32_t *count)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	struct lw_bitset all;
	uint32_t node;
	int rc = 0;

	if (lw_blocks_of(snap, job->job_resrcs->node_bitmap, &all))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	lw_bitset_foreach(&all, node)
	{
		struct lw_alloc alloc = { .node = node, .res = snap->nodes[node].total };

		rc = rc ? rc : add_alloc(walk, &alloc, count);
	}
	lw_bitset_fini(&all);
	return rc;
}

/* And what of licences. */
static int collect_licences(struct lw_walker *walk, const job_record_t *job, uint32_t *count)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < walk->licences.count; i++) {
		struct lw_alloc alloc;

		if (lw_licences_hold(&walk->licences, job, i, &alloc))
			rc = add_alloc(walk, &alloc, count);
	}
	return rc;
}

/*
 * Slurm preempts nobody for a licence: where there is none a job is not even offered. So those of
 * RUNNING, which may be preempted, are taken until its end whatever comes. Before anything else
 * of JOB is collected.
 */
static int keep_licences(struct lw_walker *walk, const job_record_t *job,
			 const struct lw_running *running)
{
	const struct lw_running keeper = { .start_s = running->start_s,
					   .end_s = running->end_s };
	uint32_t count = 0;
	int rc = collect_licences(walk, job, &count);

	return rc || !count ? rc
			    : lw_snapshot_add_running(&walk->reading->snap, &keeper,
						      walk->allocs, count, walk->err);
}

/* The promise to an array is settled by the first of its tasks that starts. */
static void settle(const struct lw_walker *walk, const job_record_t *job)
{
	struct lw_promises *promises = walk->context->promises;
	uint32_t id = lw_slurm_job_id(job);

	if (!lw_promises_find(promises, id) && job->array_job_id)
		id = job->array_job_id;
	lw_promises_started(promises, id, job->start_time);
}

/* As leeway history import judges what sacct says. */
static bool was_cut(const job_record_t *job)
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

/* A task of an array and a component of a het job are jobs of their own here. */
static int note_finished(const struct lw_walker *walk, const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	struct lw_finished finished = {
		.job_id = lw_slurm_job_id(job),
		.user_id = job->user_id,
		.partition = part ? part->name : job->partition,
		.width = lw_job_width(job),
		.nodes = job->total_nodes,
		.start_s = job->start_time,
		.end_s = job->end_time,
		.turned_s = job->suspend_time,
		.ran_before_s = job->pre_sus_time,
		.suspended_s = job->tot_sus_time,
		.admin_comment = job->admin_comment,
		.cut = was_cut(job),
	};

	/* a job that started has its limit in its record */
	if (job->time_limit == NO_VAL)
		return 0;
	finished.limit_s = lw_job_limit_s(job, part);
	if (lw_learn_note(walk->context->learn, &finished))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	return 0;
}

/*
 * Has it started, and perhaps ended? Its nodes stay in the record, whereas Slurm drops the
 * flag JOB_WAS_RUNNING when the job has ended; a job cancelled before has none.
 */
static bool has_started(const job_record_t *job)
{
	return !IS_JOB_PENDING(job) && job->nodes && job->nodes[0];
}

/* A completing job holds none any more; its nodes are blocked as a whole. */
static bool holds_nodes(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && !IS_JOB_COMPLETING(job) &&
	       job->job_resrcs && job->job_resrcs->node_bitmap;
}

static int read_started(struct lw_walker *walk, job_record_t *job)
{
	struct lw_running running = { 0 };
	uint32_t count = 0;
	int rc;

	if (has_started(job))
		settle(walk, job);
	if (walk->context->learn && IS_JOB_FINISHED(job) && has_started(job))
		return note_finished(walk, job);
	if (!holds_nodes(job))
		return 0;
	running.job_id = lw_slurm_job_id(job);
	running.user_id = job->user_id;
	lw_kinds_of_running(&walk->kinds, job, &running);
	running.start_s = job->start_time;
	running.end_s = hard_end_s(job, walk->context->now_s);
	rc = running.kind ? keep_licences(walk, job, &running) : 0;
	if (!rc)
		rc = lw_blocks_matter(&walk->reading->snap, job)
			     ? collect_blocks(walk, job, &count)
			     : collect_nodes(walk, job, &count);
	if (!rc && !running.kind)
		rc = collect_licences(walk, job, &count);
	return rc ? rc
		  : lw_snapshot_add_running(&walk->reading->snap, &running, walk->allocs, count,
					    walk->err);
}

/* Who is to be read, by id, and who was read that had started. */
struct gathered {
	struct lw_walker *walk;
	uint32_t *ids;
	uint32_t count, room;
	struct lw_lookup started;
	int rc;
};

static int gather(void *x, void *arg)
{
	const job_record_t *job = x;
	struct gathered *jobs = arg;

	if (jobs->count < jobs->room)
		jobs->ids[jobs->count++] = lw_slurm_job_id(job);
	return 0;
}

/* Before the first of them is read, so that it is known who holds a GPU the longest. */
static int note_parts(void *x, void *arg)
{
	const job_record_t *job = x;
	struct gathered *jobs = arg;
	struct lw_walker *walk = jobs->walk;

	jobs->rc = lw_layout_check_job(job, walk->err);
	if (!jobs->rc && holds_nodes(job) &&
	    lw_parts_note(&walk->parts, job, hard_end_s(job, walk->context->now_s)))
		jobs->rc = lw_error_set(walk->err, -ENOMEM, "out of memory");
	return jobs->rc ? -1 : 0;
}

static int read_job(struct gathered *jobs, job_record_t *job)
{
	struct lw_walker *walk = jobs->walk;
	int rc = lw_layout_check_job(job, walk->err);

	if (!rc && ((!IS_JOB_PENDING(job) &&
		     lw_lookup_put(&jobs->started, lw_slurm_job_id(job), 0)) ||
		    lw_owners_note(&walk->owners, job)))
		rc = lw_error_set(walk->err, -ENOMEM, "out of memory");
	return rc ? rc : read_started(walk, job);
}

/* Who has started since, a task that left its array among them, with an id of its own. */
static int read_late(void *x, void *arg)
{
	struct gathered *jobs = arg;
	job_record_t *job = x;
	uint32_t ignored;

	if (!IS_JOB_PENDING(job) &&
	    !lw_lookup_get(&jobs->started, lw_slurm_job_id(job), &ignored))
		jobs->rc = read_job(jobs, job);
	return jobs->rc ? -1 : 0;
}

/* Job by job, each looked at whether it is what we think. */
static int read_gathered(struct gathered *jobs, struct lw_sizes_found *found)
{
	struct lw_walker *walk = jobs->walk;
	int rc = 0;

	for (uint32_t i = 0; i < jobs->count && !rc; i++) {
		job_record_t *job;

		rc = breathe(walk, i);
		job = rc ? NULL : find_job_record(jobs->ids[i]);
		if (!job)
			continue;
		rc = read_job(jobs, job);
		if (!rc)
			lw_sizes_note(walk->context->sizes, found, &walk->reading->snap, job);
	}
	return rc;
}

/*
 * By their ids: a thread of Slurm's that had made up its mind to purge old records before we
 * said that we are active does so while others have the locks. Who ends meanwhile is taken to
 * run on; who starts is read at last, in one step.
 */
static int read_jobs(struct lw_walker *walk)
{
	struct gathered jobs = { .walk = walk, .room = (uint32_t)list_count(job_list) };
	struct lw_sizes_found found;

	jobs.ids = calloc((size_t)jobs.room + 1, sizeof(*jobs.ids));
	if (!jobs.ids)
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	list_for_each(job_list, gather, &jobs);
	if (lw_parts_begin(&walk->parts))
		list_for_each(job_list, note_parts, &jobs);
	lw_sizes_begin(walk->context->sizes, &walk->reading->snap, &found);
	if (!jobs.rc)
		jobs.rc = read_gathered(&jobs, &found);
	if (!jobs.rc)
		list_for_each(job_list, read_late, &jobs);
	if (!jobs.rc)
		lw_sizes_keep(walk->context->sizes, &found, &walk->reading->snap);
	lw_lookup_fini(&jobs.started);
	free(jobs.ids);
	return jobs.rc;
}

/* When a node that takes no job now may take one again. */
static int64_t blocked_until_s(const node_record_t *node, int64_t now_s)
{
	int64_t until_s = now_s + COMPLETING_S;

	if (IS_NODE_POWERING_DOWN(node))
		until_s = (int64_t)node->power_save_req_time + node->suspend_timeout;
	else if (IS_NODE_NO_RESPOND(node) && !IS_NODE_POWERING_UP(node))
		until_s = now_s + SILENT_S;
	return until_s > now_s ? until_s : now_s + 1;
}

/* When the last job of each node ends, 0 where there is none; to be freed. NULL: no memory. */
static int64_t *last_ends_s(const struct lw_snapshot *snap)
{
	int64_t *ends_s = calloc((size_t)snap->node_count + 1, sizeof(*ends_s));

	for (uint32_t i = 0; ends_s && i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		for (uint32_t a = 0; a < job->alloc_count; a++) {
			int64_t *end_s = &ends_s[snap->allocs[job->first_alloc + a].node];

			if (job->end_s > *end_s)
				*end_s = job->end_s;
		}
	}
	return ends_s;
}

/*
 * As many nodes are powered up as may be: when the first of these, UP, will have been idle for long
 * enough to make place for another.
 */
static int64_t place_for_another_s(const struct lw_snapshot *snap, bitstr_t *up)
{
	int64_t first_s = snap->now_s + LW_YEAR_S, *ends_s = last_ends_s(snap);

	for (bitoff_t i = 0; ends_s && (i = bit_ffs_from_bit(up, i)) >= 0; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		int64_t down_s;

		if (!node || i >= snap->node_count || node->suspend_time == INFINITE ||
		    node->suspend_time == NO_VAL)
			continue;
		down_s = (ends_s[i] ? ends_s[i] : node->last_busy) + node->suspend_time;
		/* one that should be down for long is kept up (SuspendExcNodes) */
		if (down_s < first_s && down_s > snap->now_s - KEPT_UP_S)
			first_s = down_s;
	}
	free(ends_s);
	return first_s > snap->now_s ? first_s : snap->now_s + COMPLETING_S;
}

/* How long a node takes no new job; 0: it takes some. NO_MORE_S: until then none is powered up. */
static int64_t blocked_s(const struct lw_walker *walk, uint32_t index, int64_t no_more_s)
{
	const node_record_t *node = node_record_table_ptr[index];

	if (!node)
		return 0;
	if (bit_test(cg_node_bitmap, index) || bit_test(rs_node_bitmap, index) ||
	    comes_back(node, (int)index))
		return blocked_until_s(node, walk->context->now_s);
	return bit_test(power_down_node_bitmap, index) ? no_more_s : 0;
}

/*
 * Nodes with a completing job, on their way up or down, silent, or that may not be powered up take
 * no new job now but soon will: a running record of job 0 holds what is left of them.
 */
static int block_nodes(struct lw_walker *walk)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	struct lw_running blocker = { .start_s = walk->context->now_s };
	bitstr_t *up = lw_slurm_most_powered_up();
	int64_t no_more_s = up ? place_for_another_s(snap, up) : 0;
	int rc = lw_licences_block(&walk->licences, snap, walk->err);

	for (uint32_t i = 0; i < walk->reading->slurm_nodes && !rc; i++) {
		struct lw_alloc rest = { .node = i, .res = snap->nodes[i].total };

		blocker.end_s = blocked_s(walk, i, no_more_s);
		if (!blocker.end_s)
			continue;
		lw_res_sub(&rest.res, &walk->used[i]);
		rc = lw_snapshot_add_running(snap, &blocker, &rest, 1, walk->err);
	}
	return rc;
}

/* Slurm may have started it after its record was read, before the queue was. */
static int64_t started_s(uint32_t job_id)
{
	const job_record_t *job = find_job_record(job_id);

	return job && has_started(job) ? job->start_time : 0;
}

int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err)
{
	struct lw_walker walk = { .reading = reading, .context = context, .err = err };
	int rc;

	lw_snapshot_init(&reading->snap, context->now_s);
	lw_promises_begin(context->promises);
	if (context->learn)
		lw_learn_begin(context->learn, context->now_s);
	rc = read_nodes(&walk);
	if (!rc)
		rc = lw_hold_breathe(context->hold);
	if (!rc)
		rc = read_jobs(&walk);
	if (!rc)
		rc = block_nodes(&walk);
	if (!rc)
		rc = lw_closures_read(&walk.closures, &reading->snap, err);
	if (!rc)
		rc = lw_owners_read(&walk.owners, &reading->snap, err);
	/* Slurm builds its queue in one step, the longest of all */
	if (!rc)
		rc = lw_hold_anew(context->hold);
	if (!rc)
		rc = lw_read_queue(&walk);
	if (!rc)
		lw_promises_end(context->promises, started_s);
	lw_licences_fini(&walk.licences);
	lw_parts_fini(&walk.parts);
	lw_kinds_fini(&walk.kinds);
	lw_caps_fini(&walk.caps);
	lw_owners_fini(&walk.owners);
	free(walk.used);
	free(walk.allocs);
	return rc;
}
