/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */

/*
 * Does nothing but copy, with Slurm's locks held, and gives these up for a moment between
 * the parts of that and now and then in the queue. The order of the queue and
 * which jobs may start at all (held, dependent, begin time) stay Slurm's: the queue
 * comes from build_job_queue() and sort_job_queue().
 */

#include "slurm/read.h"

#include "base/grow.h"
#include "base/lookup.h"
#include "slurm/compat/compat.h"
#include "slurm/layout.h"
#include "slurm/learn.h"
#include "slurm/nodeset.h"
#include "slurm/request.h"
#include "slurm/sizes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define YEAR_S (INT64_C(365) * 86400)
/* Nobody knows how long an epilog takes; look again after this. */
#define COMPLETING_S 60

/* One walk; lives on the stack of lw_read(). */
struct walk {
	struct lw_reading *reading;
	const struct lw_reading_context *context;
	struct lw_nodesets *sets;
	struct lw_lookup variants; /* by job: how many records it has */
	struct lw_res *used;     /* by node */
	struct lw_alloc *allocs; /* scratch, a job's */
	uint32_t alloc_room;
	struct lw_error *err;
	int rc;
};

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
	memset(reading, 0, sizeof(*reading));
}

static int read_node(struct walk *walk, int index)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	const node_record_t *node = node_record_table_ptr[index];
	struct lw_res total = { 0 };
	char gone[32];
	bool usable;

	if (!node || !node->name) { /* keep the numbering */
		snprintf(gone, sizeof(gone), "deleted-%d", index);
		return lw_snapshot_add_node(snap, gone, &total, false, walk->err);
	}
	lw_node_total(snap, node, &total);
	usable = bit_test(avail_node_bitmap, index) || bit_test(rs_node_bitmap, index);
	return lw_snapshot_add_node(snap, node->name, &total, usable, walk->err);
}

static int read_nodes(struct walk *walk)
{
	int rc = 0;

	for (int i = 0; i < node_record_count && !rc; i++)
		rc = read_node(walk, i);
	if (!rc) {
		walk->used = calloc((size_t)node_record_count + 1, sizeof(*walk->used));
		if (!walk->used)
			rc = lw_error_set(walk->err, -ENOMEM, "out of memory");
	}
	return rc;
}

/* A topology of another number of nodes is out of date, and will be read anew. */
static int copy_domains(struct walk *walk)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	const struct lw_domains *domains = walk->context->domains;

	if (domains->of_count != snap->node_count)
		return 0;
	if (lw_domains_copy(&snap->domains, domains))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	return 0;
}

/* When Slurm kills JOB: its limit, and the grace the site gives. */
static int64_t hard_end_s(const job_record_t *job, int64_t now_s)
{
	uint16_t over = slurm_conf.over_time_limit;
	int64_t end_s = job->end_time;

	if (job->part_ptr && job->part_ptr->over_time_limit != NO_VAL16)
		over = job->part_ptr->over_time_limit;
	if (over == INFINITE16 || job->time_limit == INFINITE || end_s <= 0)
		return now_s + YEAR_S;
	end_s += (int64_t)over * 60;
	return end_s > now_s ? end_s : now_s + 1;
}

static int collect_allocs(struct walk *walk, const job_record_t *job, uint32_t *ret_count)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	bitstr_t *nodes = job->job_resrcs->node_bitmap;
	uint32_t host = 0, count = 0;

	for (bitoff_t i = 0; (i = bit_ffs_from_bit(nodes, i)) >= 0; i++, host++) {
		struct lw_alloc *alloc;

		if (i >= snap->node_count)
			break;
		/* a node that left the job early */
		if (job->node_bitmap && !bit_test(job->node_bitmap, i))
			continue;
		if (lw_grow((void **)&walk->allocs, &walk->alloc_room, count + 1,
			    sizeof(*walk->allocs)))
			return lw_error_set(walk->err, -ENOMEM, "out of memory");
		alloc = &walk->allocs[count++];
		alloc->node = (uint32_t)i;
		lw_job_holds(snap, job, host, &snap->nodes[i].total, &alloc->res);
		lw_res_add(&walk->used[i], &alloc->res);
	}
	*ret_count = count;
	return 0;
}

/* The promise to an array is settled by the first of its tasks that starts. */
static void settle(const struct walk *walk, const job_record_t *job)
{
	struct lw_promises *promises = walk->context->promises;
	uint32_t id = lw_slurm_job_id(job);

	if (!lw_promises_find(promises, id) && job->array_job_id)
		id = job->array_job_id;
	lw_promises_started(promises, id, job->start_time);
}

/* As submitted: Slurm writes what it made of it into the other fields. */
static uint32_t asked_width(const job_record_t *job)
{
	return job->details ? job->details->orig_min_cpus : 0;
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
static int note_finished(const struct walk *walk, const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	struct lw_finished finished = {
		.job_id = lw_slurm_job_id(job),
		.user_id = job->user_id,
		.partition = part ? part->name : job->partition,
		.width = asked_width(job),
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

/* A completing job holds nothing any more; its nodes are blocked as a whole. */
static int read_started(void *x, void *arg)
{
	const job_record_t *job = x;
	struct walk *walk = arg;
	struct lw_running running = { 0 };
	uint32_t count = 0;

	if (has_started(job))
		settle(walk, job);
	if (walk->context->learn && IS_JOB_FINISHED(job) && has_started(job)) {
		walk->rc = note_finished(walk, job);
		return walk->rc ? -1 : 0;
	}
	if (!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || IS_JOB_COMPLETING(job) ||
	    !job->job_resrcs || !job->job_resrcs->node_bitmap)
		return 0;
	walk->rc = collect_allocs(walk, job, &count);
	if (walk->rc)
		return -1;
	running.job_id = lw_slurm_job_id(job);
	running.user_id = job->user_id;
	running.start_s = job->start_time;
	running.end_s = hard_end_s(job, walk->context->now_s);
	walk->rc = lw_snapshot_add_running(&walk->reading->snap, &running, walk->allocs, count,
					   walk->err);
	return walk->rc ? -1 : 0;
}

/*
 * Nodes with a completing job or on their way up take no new job now but soon will:
 * a running record of job 0 holds what is left of them.
 */
static int block_nodes(struct walk *walk)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	struct lw_running blocker = { .start_s = walk->context->now_s,
				      .end_s = walk->context->now_s + COMPLETING_S };
	int rc = 0;

	for (uint32_t i = 0; i < snap->node_count && !rc; i++) {
		struct lw_alloc rest = { .node = i, .res = snap->nodes[i].total };

		if (!bit_test(cg_node_bitmap, i) && !bit_test(rs_node_bitmap, i))
			continue;
		lw_res_sub(&rest.res, &walk->used[i]);
		rc = lw_snapshot_add_running(snap, &blocker, &rest, 1, walk->err);
	}
	return rc;
}

/* One copy of each name. */
static const char *intern(struct lw_reading *reading, const char *name)
{
	char *copy;

	for (uint32_t i = 0; i < reading->name_count; i++) {
		if (!strcmp(reading->names[i], name))
			return reading->names[i];
	}
	copy = strdup(name);
	if (!copy || lw_grow((void **)&reading->names, &reading->name_room,
			     reading->name_count + 1, sizeof(*reading->names))) {
		free(copy);
		return NULL;
	}
	reading->names[reading->name_count++] = copy;
	return copy;
}

/* How many tasks of an array may start; 1 for other jobs. */
static uint32_t startable_tasks(const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;
	uint32_t tasks;

	if (!array || job->array_task_id != NO_VAL)
		return 1;
	tasks = array->task_cnt;
	if (array->max_run_tasks && array->max_run_tasks > array->tot_run_tasks &&
	    tasks > array->max_run_tasks - array->tot_run_tasks)
		tasks = array->max_run_tasks - array->tot_run_tasks;
	return tasks ? tasks : 1;
}

static bool only_stock_plans(const struct walk *walk, const job_record_t *job)
{
	return job->het_job_id || job->burst_buffer || job->fed_details ||
	       lw_refusals_stuck(walk->context->refusals, lw_slurm_job_id(job));
}

/* May it start as far as Slurm's limits go? Sets the job's state reason if not. */
static bool is_ready(job_record_t *job, const part_record_t *part)
{
	if (!(part->state_up & PARTITION_SCHED) || !part->node_bitmap)
		return false;
	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return false;
	if (job_limits_check(&job, false) != WAIT_NO_REASON)
		return false;
	if (license_job_test(job, time(NULL), true)) {
		if (job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_PRIORITY)
			job->state_reason = WAIT_LICENSES;
		return false;
	}
	return acct_policy_job_runnable_pre_select(job, false);
}

static enum lw_readiness readiness_of(struct walk *walk, job_record_t *job,
				      const part_record_t *part)
{
	const struct lw_reading_context *context = walk->context;

	if (!is_ready(job, part))
		return LW_NOT_READY;
	if (only_stock_plans(walk, job)) {
		walk->reading->left_to_stock++;
		walk->reading->stock_example = lw_slurm_job_id(job);
		return LW_LEFT_TO_STOCK;
	}
	lw_promises_seen(context->promises, lw_slurm_job_id(job));
	if (lw_refusals_holds(context->refusals, lw_slurm_job_id(job), context->cycle))
		return LW_REFUSED;
	return LW_READY;
}

/* How many records of JOB there are already; nearly all jobs can have only one. */
static int count_variants(struct walk *walk, const job_record_t *job, uint32_t *ret_variants)
{
	uint32_t variants = 0, job_id = lw_slurm_job_id(job);

	if (job->part_ptr_list || lw_slurm_job_qos_list(job) || job->resv_list ||
	    list_count(resv_list)) {
		lw_lookup_get(&walk->variants, job_id, &variants);
		if (lw_lookup_put(&walk->variants, job_id, variants + 1))
			return -ENOMEM;
	}
	*ret_variants = variants;
	return 0;
}

static int set_request(struct walk *walk, job_record_t *job, part_record_t *part,
		       struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	uint32_t flags = job->qos_ptr ? job->qos_ptr->flags : 0;
	uint32_t min = 1, wanted, max = 1, first;
	int rc = lw_nodeset_of(walk->sets, job, part, &waiting->set, &first, walk->err);

	if (rc)
		return rc;
	if (first == LW_NO_NODE ||
	    get_node_cnts(job, flags, part, &min, &wanted, &max) != SLURM_SUCCESS)
		return -EBUSY;
	lw_job_request(snap, job, part, node_record_table_ptr[first], min,
		       max < snap->node_count ? max : snap->node_count, &waiting->request);
	return 0;
}

static int add_ticket(struct lw_reading *reading, const job_queue_rec_t *record,
		      const job_record_t *job)
{
	uint32_t index = reading->snap.waiting_count;
	const slurmdb_qos_rec_t *qos = lw_slurm_queue_qos(record);
	struct lw_ticket *ticket;

	if (lw_grow((void **)&reading->tickets, &reading->ticket_room, index + 1,
		    sizeof(*reading->tickets)))
		return -ENOMEM;
	ticket = &reading->tickets[index];
	ticket->job_id = lw_slurm_job_id(job);
	ticket->qos_id = qos ? qos->id : 0;
	ticket->resv_id = record->resv_ptr ? record->resv_ptr->resv_id : 0;
	ticket->width = asked_width(job);
	ticket->part = intern(reading, record->part_ptr->name);
	return ticket->part ? 0 : -ENOMEM;
}

/* A job that cannot be planned keeps its place with a harmless request. */
static int plain_set(struct walk *walk, struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	struct lw_bitset none = { 0 };
	int rc = 0;

	waiting->request =
		(struct lw_request){ .nodes_min = 1, .nodes_max = 1, .gpu_type = LW_GPU_ANY };
	waiting->set = 0;
	if (snap->set_count)
		return 0;
	if (lw_bitset_init(&none, snap->node_count))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	rc = lw_snapshot_add_set(snap, "none", &none, walk->err);
	lw_bitset_fini(&none);
	return rc;
}

static int read_waiting(struct walk *walk, const job_queue_rec_t *record, job_record_t *job)
{
	struct lw_reading *reading = walk->reading;
	part_record_t *part = record->part_ptr;
	const struct lw_promise *promise;
	struct lw_waiting waiting = { 0 };
	int rc = -EBUSY;

	waiting.job_id = lw_slurm_job_id(job);
	waiting.readiness = readiness_of(walk, job, part);
	if (waiting.readiness == LW_READY || waiting.readiness == LW_REFUSED)
		rc = set_request(walk, job, part, &waiting);
	if (rc == -EBUSY) {
		if (waiting.readiness != LW_LEFT_TO_STOCK)
			waiting.readiness = LW_NOT_READY;
		rc = plain_set(walk, &waiting);
	}
	if (rc)
		return rc;
	promise = lw_promises_find(walk->context->promises, waiting.job_id);
	waiting.user_id = job->user_id;
	waiting.tasks = startable_tasks(job);
	waiting.priority = record->priority;
	waiting.submit_s = job->details->submit_time;
	waiting.begin_s = LW_NO_TIME; /* the queue holds no job whose begin time is to come */
	waiting.limit_s = lw_job_limit_s(job, part);
	waiting.promise_s = promise ? promise->start_s : LW_NO_TIME;
	if (count_variants(walk, job, &waiting.variant) || add_ticket(reading, record, job))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	return lw_snapshot_add_waiting(&reading->snap, &waiting, walk->err);
}

static int is_qos(void *x, void *qos)
{
	return x == qos;
}

/* A QOS that was deleted meanwhile is no longer the job's, and not to be looked at. */
static bool has_qos(const job_record_t *job, slurmdb_qos_rec_t *qos)
{
	list_t *list = lw_slurm_job_qos_list(job);

	return list ? list_find_first(list, is_qos, qos) != NULL : job->qos_ptr == qos;
}

/* It may have started, ended, been held or changed while the locks were given up. */
static bool still_waits(const job_record_t *job, slurmdb_qos_rec_t *qos)
{
	return IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job) && !IS_JOB_REVOKED(job) &&
	       job->priority && has_qos(job, qos);
}

/*
 * Slurm's tests look at the partition, QOS and reservation of a queue record in the
 * job record itself; put them there and take them away again.
 */
static int read_record(struct walk *walk, job_queue_rec_t *record)
{
	job_record_t *job = record->job_ptr;
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
	uint32_t priority;
	int rc;

	/* a preferred feature is left to the main loop; the record without it follows */
	if (!job || !job->details || !record->part_ptr || record->use_prefer ||
	    job->preempt_in_progress ||
	    !still_waits(job, lw_slurm_queue_qos(record)))
		return 0;
	part = job->part_ptr;
	qos = job->qos_ptr;
	priority = job->priority;
	if (job->resv_list)
		job_queue_rec_resv_list(record);
	else
		job_queue_rec_magnetic_resv(record);
	job->part_ptr = record->part_ptr;
	job->qos_ptr = lw_slurm_queue_qos(record);
	job->priority = record->priority;
	job->bit_flags |= BACKFILL_SCHED;
	job->last_sched_eval = (time_t)walk->context->now_s;
	rc = read_waiting(walk, record, job);
	job->part_ptr = part;
	job->qos_ptr = qos;
	if (job->priority) /* not held by one of the tests */
		job->priority = priority;
	job_resv_clear_magnetic_flag(job);
	return rc;
}

static int read_queue(struct walk *walk)
{
	list_t *queue = build_job_queue(false, true);
	job_queue_rec_t *record;
	int rc = lw_nodesets_create(&walk->reading->snap, &walk->sets);

	if (rc)
		lw_error_set(walk->err, rc, "out of memory");

	sort_job_queue(queue);
	while (!rc && (record = list_pop(queue))) {
		rc = lw_hold_breathe(walk->context->hold);
		if (!rc)
			rc = lw_layout_check_record("a queue record", record, sizeof(*record),
						    walk->err);
		if (!rc)
			rc = read_record(walk, record);
		xfree(record);
	}
	FREE_NULL_LIST(queue);
	lw_nodesets_destroy(walk->sets);
	return rc;
}

int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err)
{
	struct walk walk = { .reading = reading, .context = context, .err = err };
	int rc;

	lw_snapshot_init(&reading->snap, context->now_s);
	lw_promises_begin(context->promises);
	if (context->learn)
		lw_learn_begin(context->learn, context->now_s);
	rc = read_nodes(&walk);
	if (!rc)
		rc = copy_domains(&walk);
	if (!rc)
		rc = lw_hold_breathe(context->hold);
	if (!rc) {
		list_for_each(job_list, read_started, &walk);
		rc = walk.rc;
	}
	if (!rc)
		lw_sizes_read(context->sizes, &reading->snap);
	if (!rc)
		rc = block_nodes(&walk);
	if (!rc)
		rc = lw_hold_breathe(context->hold);
	if (!rc)
		rc = read_queue(&walk);
	if (!rc)
		lw_promises_end(context->promises);
	lw_lookup_fini(&walk.variants);
	free(walk.used);
	free(walk.allocs);
	return rc;
}
