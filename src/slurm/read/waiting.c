/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one record of Slurm's queue, as a waiting job of the snapshot. */

/*
 * One record of Slurm's queue is one waiting job: a job has several when it may run in
 * several partitions, QOS or reservations. Slurm's tests look at the partition, QOS and
 * reservation of a record in the job record itself; they are put there and taken away again.
 */

#include "slurm/read/waiting.h"

#include "base/grow.h"
#include "planner/cycle/type.h"
#include "slurm/bits.h"
#include "slurm/clock.h"
#include "slurm/query/ask.h"
#include "slurm/keep/failures.h"
#include "slurm/read/aged.h"
#include "slurm/read/avoid.h"
#include "slurm/read/blocks.h"
#include "slurm/read/defaults.h"
#include "slurm/read/backoff.h"
#include "slurm/read/learn.h"
#include "slurm/read/learn_types.h"
#include "slurm/read/moved.h"
#include "slurm/read/ready.h"
#include "slurm/read/sized.h"
#include "slurm/read/stockplans.h"
#include "slurm/query/account.h"
#include "slurm/query/floor.h"
#include "slurm/query/request.h"
#include "slurm/query/tenancy.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A flag beside the count of a job's records: room may be kept for one of them. */
#define HAS_ROOM (UINT32_C(1) << 31)

/* How many tasks of an array may start; 1 for other jobs. */
static uint32_t waiting_startable_tasks(const job_record_t *job)
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
static uint32_t waiting_planned_id(const job_record_t *job)
{
	return job->het_job_id ? job->het_job_id : lw_slurm_job_id(job);
}

/*
 * Slurm's own tests only; earlier refusals are lw_backoff_refusal()'s matter. *RET_LATER: a limit
 * keeps the job from starting now, but room is kept for it (assoc_limit_stop). *RET_NEVER: a
 * limit never allows it.
 */
static enum lw_readiness waiting_readiness_of(struct lw_reader *reader, job_record_t *job,
					      part_record_t *part, uint32_t variant,
					      bool *ret_later, bool *ret_never)
{
	const struct lw_reading_context *context = reader->context;
	enum lw_standing standing;
	uint32_t reason = job->state_reason;

	standing = lw_standing_of(job, part, &reader->licences);
	*ret_never = standing == LW_NEVER_ALLOWED;
	*ret_later = reader->bf.limits_stop && standing == LW_OVER_LIMIT;
	if (*ret_later)
		return LW_READY;
	if (standing != LW_WAITS_FOR_ROOM)
		return LW_NOT_READY;
	lw_promises_seen(context->promises, waiting_planned_id(job));
	/* the tests have wiped the reason that the last refusal left */
	if (job->state_reason == WAIT_NO_REASON &&
	    lw_refusals_holds(context->refusals, waiting_planned_id(job), variant,
			      context->cycle))
		job->state_reason = reason;
	return LW_READY;
}

/* How many records of JOB came before this one; only some jobs can have several. */
static int waiting_count_variants(struct lw_reader *reader, const job_record_t *job,
				  uint32_t *ret_variants)
{
	uint32_t known = 0, job_id = lw_slurm_job_id(job);

	if (job->part_ptr_list || lw_slurm_job_qos_list(job) || job->resv_list ||
	    lw_slurm_job_prefers(job) || list_count(resv_list)) {
		lw_lookup_get(&reader->variants, job_id, &known);
		if (lw_lookup_put(&reader->variants, job_id, known + 1))
			return lw_error_set(reader->err, -ENOMEM, "out of memory");
	}
	*ret_variants = known & ~HAS_ROOM;
	return 0;
}

/*
 * With bf_one_resv_per_job: may room be kept for another record of JOB? If not, it may from now on
 * be kept for this one.
 */
static bool waiting_other_has_room(struct lw_reader *reader, const job_record_t *job)
{
	uint32_t known, job_id = lw_slurm_job_id(job);

	if (!reader->bf.one_resv_per_job || !lw_lookup_get(&reader->variants, job_id, &known))
		return false;
	/* cannot fail: the job has an entry already */
	(void)lw_lookup_put(&reader->variants, job_id, known | HAS_ROOM);
	return known & HAS_ROOM;
}

/* Are the REQUIRED nodes enough for REQ, so that it needs no others? */
static bool waiting_suffice(const struct lw_snapshot *snap, bitstr_t *required,
			    const struct lw_request *req)
{
	uint64_t cpus = 0, gpus = 0;

	lw_bits_foreach(required, i) {
		const struct lw_res *total = &snap->nodes[i].total;

		cpus += total->cpus;
		for (uint32_t type = 0; type < snap->gpu_type_count; type++)
			gpus += total->gpus[type];
	}
	return (uint32_t)bit_set_count(required) >= req->nodes_min && cpus >= req->cpus_total &&
	       gpus >= req->gpus_total;
}

/* A job that names all the nodes it needs is planned on just these. */
static int waiting_require_nodes(struct lw_reader *reader, const job_record_t *job,
				 struct lw_waiting *waiting)
{
	bitstr_t *required = job->details->req_node_bitmap;
	struct lw_request *req = &waiting->request;

	if (!required || !waiting_suffice(&reader->reading->snap, required, req))
		return 0;
	req->nodes_min = req->nodes_max = (uint32_t)bit_set_count(required);
	return lw_nodeset_required(reader->sets, job, &waiting->set, reader->err);
}

static int waiting_ask(struct lw_reader *reader, job_record_t *job, part_record_t *part,
		       const struct lw_node_counts *counts, struct lw_waiting *waiting)
{
	uint64_t since_us = lw_cpu_us();
	int rc = lw_ask_when(&reader->reading->snap, job, part, counts, waiting, reader->err);

	reader->asking_us += lw_cpu_us() - since_us;
	reader->asked++;
	return rc;
}

int lw_read_request(struct lw_reader *reader, job_record_t *job, part_record_t *part,
		    struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	struct lw_job_place place = { .part = part };
	struct lw_node_counts counts;
	uint32_t first;
	int rc = lw_nodeset_of(reader->sets, job, part, waiting, &first, reader->err);

	if (rc)
		return rc;
	/* a dynamic node may have been deleted since the set was made */
	place.node = first == LW_NO_NODE ? NULL : node_record_table_ptr[first];
	if (!place.node || !lw_ask_node_counts(job, part, &counts))
		return -EBUSY;
	lw_note_gpu_defaults(job, part);
	if (lw_job_may_share(job, part))
		place.most_cpus = lw_nodeset_most_cpus(reader->sets, waiting->set);
	place.min_nodes = counts.min;
	place.max_nodes = counts.max < reader->reading->slurm_nodes
				  ? counts.max
				  : reader->reading->slurm_nodes;
	lw_job_request(snap, job, &place, &waiting->request);
	lw_sized_ask(reader, job, part, &counts, waiting);
	waiting->request.cap = lw_caps_of(&reader->reading->caps, part);
	if (lw_ask_reboot(snap, job, waiting))
		lw_request_keep_whole(&waiting->request);
	rc = waiting_require_nodes(reader, job, waiting);
	if (!rc)
		rc = lw_avoid_failed(reader, job, waiting);
	if (!rc)
		rc = lw_move_to_place(reader, job, waiting);
	if (rc)
		return rc;
	/* Slurm, asked about one component at a time, would give all of them the same nodes */
	if (!job->het_job_id && lw_backoff_asks(reader, job, waiting))
		return waiting_ask(reader, job, part, &counts, waiting);
	if (lw_blocks_matter(snap, job) && !job->details->req_node_bitmap)
		return lw_blocks_widen(reader->sets, snap, waiting, reader->err);
	return 0;
}

/* As under stock, no room is kept for some jobs: they start now or not. */
static bool waiting_starts_now_only(struct lw_reader *reader, job_record_t *job,
				    const job_queue_rec_t *record, enum lw_readiness readiness)
{
	const struct lw_bfparams *bf = &reader->bf;
	uint32_t threshold = acct_policy_get_prio_thresh(job, false);

	if (!threshold)
		threshold = bf->min_prio_reserve;
	if (record->use_prefer || record->priority < threshold)
		return true;
	/* nor for a guest */
	if ((bf->min_age_reserve_s && job->details->begin_time &&
	     reader->context->now_s - job->details->begin_time < bf->min_age_reserve_s) ||
	    (reader->tenancies.house && lw_tenancy_is_guest(job)) ||
	    (job->qos_ptr && (job->qos_ptr->flags & QOS_FLAG_NO_RESERVE)))
		return true;
	return readiness == LW_READY && waiting_other_has_room(reader, job);
}

/* A job that cannot be planned keeps its place with a harmless request. */
static int waiting_plain_set(struct lw_reader *reader, struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	struct lw_bitset none = { 0 };
	int rc;

	waiting->request =
		(struct lw_request){ .nodes_min = 1, .nodes_max = 1, .gpu_type = LW_GPU_ANY };
	waiting->constraints = (struct lw_constraints){ 0 };
	waiting->set = 0;
	if (snap->set_count)
		return 0;
	if (lw_bitset_init(&none, snap->node_count))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	rc = lw_snapshot_add_set(snap, "none", &none, reader->err);
	lw_bitset_fini(&none);
	return rc;
}

/* If the job is ready, but cannot be planned, it is not ready after all. */
static int waiting_set_any_request(struct lw_reader *reader, job_record_t *job,
				   part_record_t *part, struct lw_waiting *waiting)
{
	int rc;

	if (waiting->readiness != LW_NOT_READY) {
		rc = lw_read_request(reader, job, part, waiting);
		if (rc != -EBUSY)
			return rc;
		waiting->readiness = LW_NOT_READY;
	}
	return waiting_plain_set(reader, waiting);
}

/* Does it name some of the nodes that it needs, and not all? */
static bool waiting_needs_more_nodes(const job_details_t *details)
{
	return details->req_node_bitmap &&
	       (uint32_t)bit_set_count(details->req_node_bitmap) < details->min_nodes;
}

static int waiting_set_ticket(struct lw_reader *reader, const job_queue_rec_t *record,
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
	ticket->follows = lw_follows_of(&reader->follows, job) != NULL;
	ticket->segments = lw_slurm_wants_segments(job);
	ticket->slower = reader->slower;
	ticket->sized = reader->slower;
	ticket->unplaced = waiting_needs_more_nodes(job->details);
	ticket->part = lw_read_name(reader->reading, record->part_ptr->name);
	return ticket->part ? 0 : lw_error_set(reader->err, -ENOMEM, "out of memory");
}

/* Only jobs with GPUs on several nodes are taken to talk between nodes. */
static bool waiting_communicates(const struct lw_reader *reader, const job_record_t *job,
				 const part_record_t *part, const struct lw_request *req)
{
	if (req->nodes_max < 2 || (!req->gpus_per_node && !req->gpus_total))
		return false;
	return lw_learn_communicates(reader->context->learn, job->user_id,
				     lw_job_limit_s(job, part), job->admin_comment);
}

void lw_read_constraints(struct lw_reader *reader, const job_queue_rec_t *record,
			 job_record_t *job, struct lw_waiting *waiting)
{
	const part_record_t *part = record->part_ptr;
	const struct lw_promise *promise =
		lw_promises_find(reader->context->promises, waiting_planned_id(job));
	struct lw_constraints *constraints = &waiting->constraints;

	constraints->closed = lw_resv_windows_for(&reader->resv_windows, job) |
			      lw_stockplans_for(reader->context->stockplans, record, promise) |
			      lw_user_nodes_for(&reader->owners, job);
	constraints->tier = part->priority_tier;
	lw_preempt_classes_preempted_by(&reader->kinds, job, constraints);
	constraints->preempt_class = (uint16_t)lw_preempt_classes_of_standby(&reader->kinds, job);
	constraints->communicates = waiting_communicates(reader, job, part, &waiting->request);
	constraints->now_only = waiting_starts_now_only(reader, job, record, waiting->readiness);
}

/* What is said of every job, whether it is planned or not. */
static void waiting_set_facts(const struct lw_reader *reader, const job_queue_rec_t *record,
			      const job_record_t *job, struct lw_waiting *waiting)
{
	const struct lw_promise *promise =
		lw_promises_find(reader->context->promises, waiting_planned_id(job));
	struct lw_floor floor;

	waiting->user_id = job->user_id;
	waiting->account = lw_job_account(job);
	if (reader->context->by_account)
		waiting->account_share = lw_job_account_share(job);
	waiting->tasks = waiting_startable_tasks(job);
	waiting->priority = record->priority;
	waiting->submit_s = lw_submitted_s(reader, job);
	waiting->first = lw_goes_first(reader, job);
	waiting->begin_s = LW_NO_TIME; /* no job of the queue has one in the future */
	lw_job_floor(job, &floor);
	waiting->least_nodes = floor.nodes > 1 ? floor.nodes : 0;
	waiting->least_cpus = floor.cpus;
	waiting->least_gpus = floor.gpus;
	waiting->least_mem_mib = floor.mem_mib;
	waiting->typed = floor.typed;
	waiting->limit_s = lw_job_start_limit_s(job, record->part_ptr,
						reader->context->now_s);
	waiting->promise_s = promise ? promise->start_s : LW_NO_TIME;
	if (!job->deadline || job->deadline == NO_VAL)
		return;
	waiting->finish_by_s = job->deadline - LW_DEADLINE_MARGIN_S;
	if (job->time_min && job->time_min != NO_VAL && job->time_min != INFINITE)
		waiting->time_min_s = (int64_t)job->time_min * 60;
	/* what was accepted is in force as long as the limit is the one that it was accepted by
	 */
	waiting->accepted =
		promise && promise->latest_s == waiting->finish_by_s - waiting->limit_s;
}

/* What kind of work it is: kinds of which something is known by type of GPU are planned apart. */
static void waiting_set_kind(const struct lw_reader *reader, const job_record_t *job,
			     struct lw_component *component)
{
	const struct lw_reading_context *context = reader->context;
	struct lw_waiting *waiting = &component->waiting;
	uint32_t gpus = lw_type_gpus(&waiting->request);
	struct lw_job_kind kind;

	if (!context->by_type || !context->learn || !gpus ||
	    reader->reading->snap.gpu_type_count < 2)
		return;
	kind = lw_learn_kind(job->admin_comment, job->name);
	component->ticket.kind = kind;
	waiting->recipe = lw_learn_recipe(lw_learn_history(context->learn), job->user_id, gpus,
					  &kind);
}

/*
 * A job that follows another cannot start in this cycle, whatever Slurm would say of limits: these
 * are asked of when the other one has ended.
 */
static void waiting_set_readiness(struct lw_reader *reader, job_record_t *job,
				  part_record_t *part, struct lw_waiting *waiting,
				  bool *ret_later)
{
	*ret_later = false;
	if (!lw_follows_of(&reader->follows, job))
		waiting->readiness = waiting_readiness_of(reader, job, part, waiting->variant,
							  ret_later, &waiting->never);
	else if (lw_may_follow_in(job, part))
		waiting->readiness = LW_READY;
	else
		waiting->readiness = LW_NOT_READY;
}

/* A follower does not start now, so it preempts no job and has no promise. */
static void waiting_set_follow(const struct lw_reader *reader, const job_record_t *job,
			       struct lw_waiting *waiting)
{
	const struct lw_follow *follow = lw_follows_of(&reader->follows, job);
	struct lw_constraints *constraints = &waiting->constraints;

	if (!follow)
		return;
	waiting->tasks = 1;
	waiting->promise_s = LW_NO_TIME;
	if (waiting->readiness == LW_NOT_READY)
		return;
	constraints->preempts = constraints->preempts_lower = 0;
	constraints->lower_than = 0;
	constraints->after = follow->after;
	if (constraints->earliest_s < follow->earliest_s)
		constraints->earliest_s = follow->earliest_s;
}

static int waiting_describe(struct lw_reader *reader, const job_queue_rec_t *record,
			    job_record_t *job, struct lw_component *component)
{
	struct lw_waiting *waiting = &component->waiting;
	part_record_t *part = record->part_ptr;
	bool later;
	int rc = waiting_count_variants(reader, job, &waiting->variant);

	if (rc)
		return rc;
	reader->slower = 0;
	waiting->job_id = lw_slurm_job_id(job);
	waiting_set_readiness(reader, job, part, waiting, &later);
	rc = waiting_set_any_request(reader, job, part, waiting);
	if (rc)
		return rc;
	if (!job->het_job_id && !lw_follows_of(&reader->follows, job))
		lw_backoff_refusal(reader, job, waiting);
	if (waiting->readiness != LW_NOT_READY) {
		lw_read_constraints(reader, record, job, waiting);
		rc = lw_tenancies_for(&reader->tenancies, job, reader->reading,
				      &waiting->constraints.closed, &component->ticket.stretch);
		if (rc)
			return lw_error_set(reader->err, rc, "out of memory");
		if (later)
			lw_wait_for_limit(&waiting->constraints, reader->context->now_s);
	}
	waiting_set_facts(reader, record, job, waiting);
	waiting_set_kind(reader, job, component);
	waiting_set_follow(reader, job, waiting);
	if (waiting->never)
		component->ticket.never = job_state_reason_string(job->state_reason);
	return waiting_set_ticket(reader, record, job, &component->ticket);
}

/* As with stock: a component waits for the others, if for nothing else that Slurm told it. */
static void waiting_give_het_reason(job_record_t *job)
{
	if (!job->het_job_id || job->state_reason != WAIT_NO_REASON || !job->priority)
		return;
	xfree(job->state_desc);
	job->state_reason = WAIT_RESOURCES;
	last_job_update = time(NULL);
}

int lw_read_component(struct lw_reader *reader, job_queue_rec_t *record,
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
	lw_slurm_use_qos(job, lw_slurm_queue_qos(record));
	job->priority = record->priority;
	if (!lw_follows_of(&reader->follows, job)) {
		job->bit_flags |= BACKFILL_SCHED;
		job->last_sched_eval = (time_t)reader->context->now_s;
	}
	lw_slurm_use_features(job, record->use_prefer);
	memset(ret_component, 0, sizeof(*ret_component));
	rc = waiting_describe(reader, record, job, ret_component);
	job->part_ptr = part;
	if (job->qos_ptr || job->state_reason != FAIL_QOS) /* else a test has taken its QOS away */
		lw_slurm_use_qos(job, qos);
	if (job->priority) /* else a test has put the job on hold */
		job->priority = priority;
	waiting_give_het_reason(job);
	job_resv_clear_magnetic_flag(job);
	return rc;
}
