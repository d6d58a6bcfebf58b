/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: change a job record for a start in one partition with one QOS. */
#include "slurm/apply/enter.h"

#include "slurm/apply/publish.h"
#include "slurm/query/eligible.h"
#include "slurm/query/request.h"

static int enter_has_qos(void *x, void *arg)
{
	const slurmdb_qos_rec_t *qos = x;

	return qos->id == *(uint32_t *)arg;
}

static int enter_has_resv_id(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;

	return resv->resv_id == *(uint32_t *)arg;
}

/* Is the job still allowed to start in the partition of its ticket? */
static part_record_t *enter_find_part(const job_record_t *job, const char *name)
{
	part_record_t *part = find_part_record((char *)name);

	if (!part || !part->node_bitmap || !(part->state_up & PARTITION_SCHED))
		return NULL;
	if (job->part_ptr_list)
		return lw_list_has(job->part_ptr_list, part) ? part : NULL;
	return job->part_ptr == part ? part : NULL;
}

/* The QOS of the ticket, if the job still has it; *ret_ok is false otherwise. */
static slurmdb_qos_rec_t *enter_find_qos(const job_record_t *job, uint32_t id, bool *ret_ok)
{
	list_t *list = lw_slurm_job_qos_list(job);
	slurmdb_qos_rec_t *qos = job->qos_ptr;

	*ret_ok = true;
	if (id && list)
		qos = list_find_first(list, enter_has_qos, &id);
	if ((qos ? qos->id : 0) != id)
		*ret_ok = false;
	return qos;
}

/* The time limit of JOB in PART under QOS, which may set one of its own. */
static int64_t enter_limit_with(job_record_t *job, const part_record_t *part,
				slurmdb_qos_rec_t *qos)
{
	slurmdb_qos_rec_t *was = job->qos_ptr;
	int64_t limit_s;

	lw_slurm_use_qos(job, qos);
	limit_s = lw_job_limit_s(job, part);
	lw_slurm_use_qos(job, was);
	return limit_s;
}

/*
 * Does JOB have a priority for each partition and QOS? Any other job has one only, and its record
 * has the newest.
 */
static bool enter_has_priorities(const job_record_t *job)
{
	return job->part_ptr_list || lw_slurm_job_qos_list(job);
}

bool lw_enter(job_record_t *job, const struct lw_ticket *ticket,
	      struct lw_entered *ret_entered)
{
	job_queue_rec_t record = { .job_ptr = job };
	uint32_t resv_id = ticket->resv_id;
	part_record_t *part = enter_find_part(job, ticket->part);
	slurmdb_qos_rec_t *qos;
	bool ok;

	qos = enter_find_qos(job, ticket->qos_id, &ok);
	if (!part || !ok || (ticket->prefer && !lw_slurm_job_prefers(job)) ||
	    enter_limit_with(job, part, qos) > ticket->limit_s)
		return false;
	if (resv_id) {
		record.resv_ptr = list_find_first(resv_list, enter_has_resv_id, &resv_id);
		if (!record.resv_ptr || !lw_waits_in(job, record.resv_ptr))
			return false;
	}
	*ret_entered = (struct lw_entered){ .job = job,
					    .part = job->part_ptr,
					    .qos = job->qos_ptr,
					    .priority = job->priority,
					    .is_array = job->array_recs != NULL,
					    .start_time = job->start_time };
	if (lw_publish_is_ours(job->state_desc))
		ret_entered->text = xstrdup(job->state_desc);
	if (job->resv_list)
		job_queue_rec_resv_list(&record);
	else
		job_queue_rec_magnetic_resv(&record);
	job->part_ptr = part;
	lw_slurm_use_qos(job, qos);
	if (ticket->priority && enter_has_priorities(job))
		job->priority = ticket->priority;
	job->bit_flags |= BACKFILL_SCHED; /* scontrol: Scheduler=Backfill */
	lw_slurm_use_features(job, ticket->prefer);
	return true;
}

/* A job that was held meanwhile has priority 0, and stays held. */
static void enter_restore_priority(const struct lw_entered *entered, job_record_t *job)
{
	if (job->priority)
		job->priority = entered->priority;
}

/*
 * A task that starts leaves its array, and the rest of the array copies its priority and magnetic
 * reservation: give the rest its own again. A task that had a record of its own when it was entered
 * had left the array before.
 */
static void enter_restore_rest(const struct lw_entered *entered)
{
	const job_record_t *task = entered->job;
	job_record_t *rest = entered->is_array ? find_job_record(task->array_job_id) : NULL;

	if (!rest || rest == task)
		return;
	enter_restore_priority(entered, rest);
	job_resv_clear_magnetic_flag(rest);
}

/*
 * An offer that Slurm refuses wipes the text with the reason of the wait. The locks may be given
 * up before the plan is published, and users would see another reason then.
 */
static void enter_restore_text(const struct lw_entered *entered, job_record_t *job)
{
	if (entered->text && !job->state_desc && job->state_reason == WAIT_RESOURCES)
		job->state_desc = xstrdup(entered->text);
}

void lw_leave(const struct lw_entered *entered, bool started)
{
	job_record_t *job = entered->job;
	char *text = entered->text;

	enter_restore_rest(entered);
	if (!started)
		enter_restore_text(entered, job);
	xfree(text);
	if (started)
		return;
	job->part_ptr = entered->part;
	lw_slurm_use_qos(job, entered->qos);
	enter_restore_priority(entered, job);
	job->start_time = entered->start_time;
	job_resv_clear_magnetic_flag(job);
}

/*
 * Does JOB wait for jobs that it preempts? The tasks of an array share one record: the next task
 * may still be offered, until as many wait as there are, or as may run at a time.
 */
static bool enter_has_preempted(const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;

	if (!job->preempt_in_progress || !array || job->array_task_id != NO_VAL)
		return job->preempt_in_progress;
	return array->pend_run_tasks >= array->task_cnt ||
	       (array->max_run_tasks &&
		array->pend_run_tasks + array->tot_run_tasks >= array->max_run_tasks);
}

job_record_t *lw_enter_find(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || !job->details || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || !job->priority || enter_has_preempted(job))
		return NULL;
	return job;
}
