/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's queue, copied into a snapshot. */

/*
 * One record of Slurm's queue is one waiting job: a job has several when it may run in
 * several partitions, QOS or reservations. Slurm's tests look at the partition, QOS and
 * reservation of a record in the job record itself; they are put there and taken away again.
 */

#include "slurm/read/waiting.h"

#include "base/grow.h"
#include "slurm/clock.h"
#include "slurm/keep/planned.h"
#include "slurm/layout.h"
#include "slurm/read/ask.h"
#include "slurm/read/defaults.h"
#include "slurm/read/heed.h"
#include "slurm/read/het.h"
#include "slurm/read/learn.h"
#include "slurm/read/ready.h"
#include "slurm/read/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Beside the count of a job's records: for one of them room may be kept. */
#define HAS_ROOM (UINT32_C(1) << 31)

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

/* The promises and refusals of a het job are its leader's. */
static uint32_t planned_id(const job_record_t *job)
{
	return job->het_job_id ? job->het_job_id : lw_slurm_job_id(job);
}

/*
 * Whether Slurm refused it is another matter. With assoc_limit_stop *ret_later says that room is
 * kept for it, though it may not start.
 */
static enum lw_readiness readiness_of(struct lw_walker *walk, job_record_t *job,
				      part_record_t *part, uint32_t variant, bool *ret_later)
{
	const struct lw_reading_context *context = walk->context;
	enum lw_standing standing;
	uint32_t reason = job->state_reason;

	standing = lw_standing_of(job, part, &walk->licences);
	*ret_later = walk->bf.limits_stop && standing == LW_OVER_LIMIT;
	if (*ret_later)
		return LW_READY;
	if (standing != LW_WAITS_FOR_ROOM)
		return LW_NOT_READY;
	lw_promises_seen(context->promises, planned_id(job));
	/* the tests wiped why */
	if (job->state_reason == WAIT_NO_REASON &&
	    lw_refusals_holds(context->refusals, planned_id(job), variant, context->cycle))
		job->state_reason = reason;
	return LW_READY;
}

/* How many records of JOB there are already; nearly all jobs can have only one. */
static int count_variants(struct lw_walker *walk, const job_record_t *job, uint32_t *ret_variants)
{
	uint32_t known = 0, job_id = lw_slurm_job_id(job);

	if (job->part_ptr_list || lw_slurm_job_qos_list(job) || job->resv_list ||
	    lw_slurm_job_prefers(job) || list_count(resv_list)) {
		lw_lookup_get(&walk->variants, job_id, &known);
		if (lw_lookup_put(&walk->variants, job_id, known + 1))
			return lw_error_set(walk->err, -ENOMEM, "out of memory");
	}
	*ret_variants = known & ~HAS_ROOM;
	return 0;
}

/* With bf_one_resv_per_job: is room kept for another record of JOB? If not, it is for this one. */
static bool other_has_room(struct lw_walker *walk, const job_record_t *job)
{
	uint32_t known, job_id = lw_slurm_job_id(job);

	if (!walk->bf.one_resv_per_job || !lw_lookup_get(&walk->variants, job_id, &known))
		return false;
	/* what is in takes no more memory */
	(void)lw_lookup_put(&walk->variants, job_id, known | HAS_ROOM);
	return known & HAS_ROOM;
}

/* Are the required nodes large enough for REQ, or does it need others beside them? */
static bool suffice(const struct lw_snapshot *snap, bitstr_t *required,
		    const struct lw_request *req)
{
	uint64_t cpus = 0, gpus = 0;

	for (bitoff_t i = 0; (i = bit_ffs_from_bit(required, i)) >= 0; i++) {
		const struct lw_res *total = &snap->nodes[i].total;

		cpus += total->cpus;
		for (uint32_t type = 0; type < snap->gpu_type_count; type++)
			gpus += total->gpus[type];
	}
	return (uint32_t)bit_set_count(required) >= req->nodes_min && cpus >= req->cpus_total &&
	       gpus >= req->gpus_total;
}

/* A job that names all the nodes it needs gets just these. */
static int require_nodes(struct lw_walker *walk, const job_record_t *job,
			 struct lw_waiting *waiting)
{
	bitstr_t *required = job->details->req_node_bitmap;
	struct lw_request *req = &waiting->request;

	if (!required || !suffice(&walk->reading->snap, required, req))
		return 0;
	req->nodes_min = req->nodes_max = (uint32_t)bit_set_count(required);
	return lw_nodeset_required(walk->sets, job, &waiting->set, walk->err);
}

static int ask(struct lw_walker *walk, job_record_t *job, part_record_t *part,
	       const struct lw_node_counts *counts, struct lw_waiting *waiting)
{
	uint64_t since_us = lw_cpu_us();
	int rc = lw_ask_when(&walk->reading->snap, job, part, counts, waiting, walk->err);

	walk->asking_us += lw_cpu_us() - since_us;
	walk->asked++;
	return rc;
}

static int set_request(struct lw_walker *walk, job_record_t *job, part_record_t *part,
		       struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	struct lw_node_counts counts;
	const node_record_t *node;
	uint32_t first;
	int rc = lw_nodeset_of(walk->sets, job, part, &waiting->terms, &waiting->set, &first,
			       walk->err);

	if (rc)
		return rc;
	/* a dynamic node may have been deleted since the set was made */
	node = first == LW_NO_NODE ? NULL : node_record_table_ptr[first];
	if (!node || !lw_ask_node_counts(job, part, &counts))
		return -EBUSY;
	lw_note_gpu_defaults(job, part);
	lw_job_request(snap, job, part, node, counts.min,
		       counts.max < walk->reading->slurm_nodes ? counts.max
							       : walk->reading->slurm_nodes,
		       &waiting->request);
	waiting->request.cap = lw_caps_of(&walk->caps, part);
	rc = require_nodes(walk, job, waiting);
	if (rc)
		return rc;
	/* asked for one by one, components would be given the same nodes */
	if (!job->het_job_id && lw_heed_stuck(walk, waiting))
		return ask(walk, job, part, &counts, waiting);
	if (lw_blocks_matter(snap, job) && !job->details->req_node_bitmap)
		return lw_blocks_widen(walk->sets, snap, waiting, walk->err);
	return 0;
}

/* Jobs for which stock keeps no room either: they start if they can. */
static bool starts_now_only(struct lw_walker *walk, job_record_t *job,
			    const job_queue_rec_t *record, enum lw_readiness readiness)
{
	const struct lw_bfparams *bf = &walk->bf;
	uint32_t threshold = acct_policy_get_prio_thresh(job, false);

	if (!threshold)
		threshold = bf->min_prio_reserve;
	if (record->use_prefer || record->priority < threshold)
		return true;
	if (bf->min_age_reserve_s && job->details->begin_time &&
	    walk->context->now_s - job->details->begin_time < bf->min_age_reserve_s)
		return true;
	if (job->qos_ptr && (job->qos_ptr->flags & QOS_FLAG_NO_RESERVE))
		return true;
	return readiness == LW_READY && other_has_room(walk, job);
}

/* A job that cannot be planned keeps its place with a harmless request. */
static int plain_set(struct lw_walker *walk, struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &walk->reading->snap;
	struct lw_bitset none = { 0 };
	int rc = 0;

	waiting->request =
		(struct lw_request){ .nodes_min = 1, .nodes_max = 1, .gpu_type = LW_GPU_ANY };
	waiting->terms = (struct lw_terms){ 0 };
	waiting->set = 0;
	if (snap->set_count)
		return 0;
	if (lw_bitset_init(&none, snap->node_count))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	rc = lw_snapshot_add_set(snap, "none", &none, walk->err);
	lw_bitset_fini(&none);
	return rc;
}

static int set_ticket(struct lw_walker *walk, const job_queue_rec_t *record,
		      const job_record_t *job, struct lw_ticket *ticket)
{
	const slurmdb_qos_rec_t *qos = lw_slurm_queue_qos(record);

	ticket->job_id = lw_slurm_job_id(job);
	ticket->qos_id = qos ? qos->id : 0;
	ticket->resv_id = record->resv_ptr ? record->resv_ptr->resv_id : 0;
	ticket->width = lw_job_width(job);
	ticket->priority = record->priority;
	ticket->limit_s = lw_job_limit_s(job, record->part_ptr);
	ticket->prefer = record->use_prefer;
	ticket->part = intern(walk->reading, record->part_ptr->name);
	return ticket->part ? 0 : lw_error_set(walk->err, -ENOMEM, "out of memory");
}

static int is_same(void *x, void *y)
{
	return x == y;
}

bool lw_list_has(list_t *list, const void *item)
{
	return list_find_first(list, is_same, (void *)(uintptr_t)item) != NULL;
}

bool lw_job_has_qos(const job_record_t *job, const slurmdb_qos_rec_t *qos)
{
	list_t *list = lw_slurm_job_qos_list(job);

	return list ? lw_list_has(list, qos) : job->qos_ptr == qos;
}

bool lw_waits_in(const job_record_t *job, slurmctld_resv_t *resv)
{
	if (!resv)
		return true;
	if (job->resv_list)
		return lw_list_has(job->resv_list, resv);
	return !job->resv_name && (resv->flags & RESERVE_FLAG_MAGNETIC);
}

bool lw_still_waits(const job_queue_rec_t *record)
{
	const job_record_t *job = record->job_ptr;

	return job->details && IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job) &&
	       !IS_JOB_REVOKED(job) && !job->preempt_in_progress && job->priority &&
	       (!record->use_prefer || lw_slurm_job_prefers(job)) &&
	       lw_job_has_qos(job, lw_slurm_queue_qos(record)) &&
	       lw_waits_in(job, record->resv_ptr);
}

/* Only a job of several nodes with GPUs is asked for it. */
static bool talks(const struct lw_walker *walk, const job_record_t *job, const part_record_t *part,
		  const struct lw_request *req)
{
	if (req->nodes_max < 2 || (!req->gpus_per_node && !req->gpus_total))
		return false;
	return lw_learn_talks(walk->context->learn, job->user_id, lw_job_limit_s(job, part),
			      job->admin_comment);
}

static int describe(struct lw_walker *walk, const job_queue_rec_t *record, job_record_t *job,
		    struct lw_component *component)
{
	struct lw_waiting *waiting = &component->waiting;
	part_record_t *part = record->part_ptr;
	const struct lw_promise *promise;
	bool later;
	int rc = count_variants(walk, job, &waiting->variant);

	if (rc)
		return rc;
	waiting->job_id = lw_slurm_job_id(job);
	waiting->readiness = readiness_of(walk, job, part, waiting->variant, &later);
	rc = -EBUSY;
	if (waiting->readiness != LW_NOT_READY)
		rc = set_request(walk, job, part, waiting);
	if (rc == -EBUSY) {
		waiting->readiness = LW_NOT_READY;
		rc = plain_set(walk, waiting);
	}
	if (rc)
		return rc;
	if (!job->het_job_id)
		lw_heed_refusal(walk, job, waiting);
	if (waiting->readiness != LW_NOT_READY) {
		waiting->terms.closed = lw_closures_for(&walk->closures, job) |
					lw_owners_for(&walk->owners, job);
		waiting->terms.tier = part->priority_tier;
		lw_kinds_preempted_by(&walk->kinds, job, &waiting->terms);
		waiting->terms.kind = (uint16_t)lw_kinds_of_standby(&walk->kinds, job);
		waiting->terms.talks = talks(walk, job, part, &waiting->request);
		waiting->terms.now_only = starts_now_only(walk, job, record,
							   waiting->readiness);
		if (later)
			lw_wait_for_limit(&waiting->terms, walk->context->now_s);
	}
	promise = lw_promises_find(walk->context->promises, planned_id(job));
	waiting->user_id = job->user_id;
	waiting->tasks = startable_tasks(job);
	waiting->priority = record->priority;
	waiting->submit_s = job->details->submit_time;
	waiting->begin_s = LW_NO_TIME; /* the queue holds no job whose begin time is to come */
	waiting->limit_s = lw_job_limit_s(job, part);
	waiting->promise_s = promise ? promise->start_s : LW_NO_TIME;
	return set_ticket(walk, record, job, &component->ticket);
}

int lw_read_component(struct lw_walker *walk, job_queue_rec_t *record,
		      struct lw_component *ret_component)
{
	job_record_t *job = record->job_ptr;
	part_record_t *part = job->part_ptr;
	slurmdb_qos_rec_t *qos = job->qos_ptr;
	uint32_t priority = job->priority;
	int rc;

	if (job->resv_list)
		job_queue_rec_resv_list(record);
	else
		job_queue_rec_magnetic_resv(record);
	job->part_ptr = record->part_ptr;
	job->qos_ptr = lw_slurm_queue_qos(record);
	job->priority = record->priority;
	job->bit_flags |= BACKFILL_SCHED;
	job->last_sched_eval = (time_t)walk->context->now_s;
	lw_slurm_use_features(job, record->use_prefer);
	memset(ret_component, 0, sizeof(*ret_component));
	rc = describe(walk, record, job, ret_component);
	job->part_ptr = part;
	if (job->qos_ptr || job->state_reason != FAIL_QOS) /* not lost to one of the tests */
		job->qos_ptr = qos;
	if (job->priority) /* not held by one of the tests */
		job->priority = priority;
	job_resv_clear_magnetic_flag(job);
	return rc;
}

/*
 * What all parts of a job need of licence I together: there is one node of it, and each need has
 * nodes of its own. 1, 0: none, or -ENOMEM.
 */
static int add_up(struct lw_walker *walk, const struct lw_ticket *ticket, uint32_t i,
		  struct lw_need *ret_need)
{
	uint32_t *sum = &ret_need->request.mem_per_node_mib;
	bool any = false;

	for (uint32_t part = 0; part <= ticket->part_count; part++) {
		uint32_t job_id = lw_reading_part(walk->reading, ticket, part)->job_id;
		const job_record_t *job = find_job_record(job_id);
		uint32_t before = any ? *sum : 0;
		int rc = job ? lw_licences_need(&walk->licences, &walk->reading->snap, job, i,
						ret_need, walk->err)
			     : 0;

		if (rc < 0)
			return rc;
		if (rc)
			*sum = *sum < UINT32_MAX - before ? *sum + before : UINT32_MAX;
		any |= rc;
	}
	return any;
}

/* What the job and the other parts of a het job need besides nodes. */
static int add_licences(struct lw_walker *walk, const struct lw_ticket *ticket,
			struct lw_needs *needs)
{
	int rc = 0;

	for (uint32_t i = 0; rc >= 0 && i < walk->licences.count; i++) {
		struct lw_need need;

		rc = add_up(walk, ticket, i, &need);
		if (rc > 0)
			rc = lw_needs_add(needs, &need);
	}
	return rc < 0 ? lw_error_set(walk->err, rc, "out of memory") : 0;
}

int lw_needs_add(struct lw_needs *needs, const struct lw_need *need)
{
	if (lw_grow((void **)&needs->items, &needs->room, needs->count + 1,
		    sizeof(*needs->items)))
		return -ENOMEM;
	needs->items[needs->count++] = *need;
	return 0;
}

/* The needs of the job's other parts are there; add the licences of all. */
static int bundle(struct lw_walker *walk, const struct lw_component *component,
		  struct lw_needs *needs, uint32_t *ret_bundle)
{
	int rc = add_licences(walk, &component->ticket, needs);

	if (rc || !needs->count)
		return rc;
	return lw_snapshot_add_bundle(&walk->reading->snap, needs->items, needs->count,
				      ret_bundle, walk->err);
}

/*
 * The start that the last plan reserved. After a restart that is what was told to the user:
 * Slurm keeps it with the job, though not for which of its partitions it was.
 */
static int64_t planned_start(const struct lw_walker *walk, const struct lw_waiting *waiting)
{
	const struct lw_planned *planned = walk->context->planned;
	const job_record_t *job;

	if (planned)
		return lw_planned_find(planned, waiting->job_id, waiting->variant);
	job = find_job_record(waiting->job_id);
	return job ? job->start_time : 0;
}

int lw_add_component(struct lw_walker *walk, const struct lw_component *component,
		     struct lw_needs *needs)
{
	struct lw_reading *reading = walk->reading;
	struct lw_waiting waiting = component->waiting;
	uint32_t index = reading->snap.waiting_count;
	int rc = 0;

	waiting.planned_s = planned_start(walk, &waiting);
	if (waiting.readiness != LW_NOT_READY)
		rc = bundle(walk, component, needs, &waiting.terms.bundle);
	if (rc)
		return rc;
	if (lw_grow((void **)&reading->tickets, &reading->ticket_room, index + 1,
		    sizeof(*reading->tickets)))
		return lw_error_set(walk->err, -ENOMEM, "out of memory");
	reading->tickets[index] = component->ticket;
	return lw_snapshot_add_waiting(&reading->snap, &waiting, walk->err);
}

static int read_record(struct lw_walker *walk, job_queue_rec_t *record, struct lw_needs *needs)
{
	struct lw_component component;
	int rc;

	if (!lw_still_waits(record))
		return 0;
	rc = lw_read_component(walk, record, &component);
	needs->count = 0;
	return rc ? rc : lw_add_component(walk, &component, needs);
}

/*
 * Slurm's queue as an array, without what is not to be planned. What Slurm does to build and to
 * sort it is one step each.
 */
static int take_queue(const struct lw_walker *walk, job_queue_rec_t ***ret_records,
		      uint32_t *ret_count)
{
	list_t *queue = build_job_queue(false, true);
	job_queue_rec_t **records = calloc((size_t)list_count(queue) + 1, sizeof(*records));
	job_queue_rec_t *record;
	uint32_t count = 0, taken = 0;
	int rc = records ? 0 : lw_error_set(walk->err, -ENOMEM, "out of memory");

	if (!rc)
		rc = lw_hold_breathe(walk->context->hold);
	if (!rc) {
		sort_job_queue(queue);
		rc = lw_hold_breathe(walk->context->hold);
	}
	while (records && (record = list_pop(queue))) {
		const job_record_t *job = record->job_ptr;

		if (!rc && ++taken % LW_HOLD_STEPS == 0)
			rc = lw_hold_breathe(walk->context->hold);
		rc = rc ? rc
			: lw_layout_check_record("a queue record", record, sizeof(*record),
						 walk->err);
		if (!rc && job && job->details && record->part_ptr)
			records[count++] = record;
		else
			xfree(record);
	}
	FREE_NULL_LIST(queue);
	*ret_records = records;
	*ret_count = count;
	return rc;
}

static int note_standby(struct lw_walker *walk, job_queue_rec_t **records, uint32_t count)
{
	int rc = 0;

	if (!slurm_preemption_enabled())
		return 0;
	for (uint32_t i = 0; !rc && i < count; i++) {
		rc = lw_hold_breathe(walk->context->hold);
		if (!rc && lw_still_waits(records[i]))
			lw_kinds_note_standby(&walk->kinds, records[i]);
	}
	return rc;
}

static int read_records(struct lw_walker *walk, job_queue_rec_t **records, uint32_t count)
{
	struct lw_hets hets = { 0 };
	struct lw_needs needs = { 0 };
	int rc = lw_hets_find(&hets, records, count, walk->bf.hetjob_first);

	if (rc)
		lw_error_set(walk->err, rc, "out of memory");
	if (!rc)
		rc = note_standby(walk, records, count);
	for (uint32_t i = 0; !rc && i < count; i++) {
		rc = lw_hold_breathe(walk->context->hold);
		if (rc)
			break;
		if (records[i]->job_ptr->het_job_id)
			rc = lw_hets_add(&hets, walk, records, i, &needs);
		else
			rc = read_record(walk, records[i], &needs);
	}
	free(needs.items);
	lw_hets_fini(&hets);
	return rc;
}

int lw_read_queue(struct lw_walker *walk)
{
	job_queue_rec_t **records;
	uint32_t count;
	int rc;

	walk->bf = lw_bfparams_of(slurm_conf.sched_params);
	rc = take_queue(walk, &records, &count);
	if (!rc) {
		rc = lw_nodesets_create(&walk->reading->snap, &walk->closures, &walk->sets);
		if (rc)
			lw_error_set(walk->err, rc, "out of memory");
	}
	if (!rc)
		rc = read_records(walk, records, count);
	lw_nodesets_destroy(walk->sets);
	lw_lookup_fini(&walk->variants);
	for (uint32_t i = 0; i < count; i++)
		xfree(records[i]);
	free(records);
	return rc;
}
