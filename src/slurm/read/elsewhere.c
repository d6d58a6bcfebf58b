/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: in which other partitions a waiting job might start. */

/*
 * Slurm is asked with its own tests, which look at the partition in the job record itself, and
 * leave in it why a job may not start: both are put back.
 */
#include "slurm/read/elsewhere.h"

#include "base/grow.h"
#include "slurm/clock.h"
#include "slurm/query/limits.h"
#include "slurm/query/request.h"
#include "slurm/read/reader.h"
#include "slurm/read/ready.h"
#include "slurm/read/waiting.h"

#include <errno.h>
#include <string.h>

/* Locks are held meanwhile, and all of it is only advice. */
#define MOST_US 1000

static bool elsewhere_is_listed(char *const *accounts, const char *account)
{
	for (; *accounts; accounts++)
		if (!xstrcasecmp(*accounts, account))
			return true;
	return false;
}

/* As far as can be told at once. */
static bool elsewhere_lets_in(const part_record_t *part, const job_record_t *job)
{
	if (part->flags & (PART_FLAG_HIDDEN | PART_FLAG_ROOT_ONLY | PART_FLAG_REQ_RESV))
		return false;
	if (part->deny_accounts || part->allow_alloc_nodes)
		return false;
	if (part->allow_groups && !lw_slurm_part_lists_user(part, job->user_id))
		return false;
	if (part->allow_account_array &&
	    !elsewhere_is_listed(part->allow_account_array, job->account))
		return false;
	return !lw_part_shuts_out(part, job);
}

/*
 * Slurm's tests end a job that cannot meet its deadline, and take its QOS from a job that may
 * not use it any more. That must not happen while the job's record names another partition: its
 * limits would get back usage that was never counted there.
 */
static bool elsewhere_may_change(const job_record_t *job)
{
	return (job->deadline && job->deadline != NO_VAL) || !lw_limits_know_qos(job);
}

/* Only of plain jobs is one partition a change that a user makes by one command. */
static bool elsewhere_may_move(const job_record_t *job)
{
	const slurmdb_assoc_rec_t *assoc = job ? job->assoc_ptr : NULL;

	return job && IS_JOB_PENDING(job) && job->details && job->priority && job->part_ptr &&
	       !job->part_ptr_list && !job->het_job_id && !job->resv_name &&
	       !lw_slurm_job_qos_list(job) && !(assoc && assoc->partition) &&
	       !elsewhere_may_change(job);
}

/* JOB has PART as its partition. 0: it might start; -EBUSY: not. */
static int elsewhere_describe_there(struct lw_reader *reader, job_record_t *job,
				    part_record_t *part, struct lw_waiting *waiting)
{
	const job_queue_rec_t record = { .job_ptr = job,
					 .part_ptr = part,
					 .priority = job->priority };
	int rc;

	waiting->job_id = lw_slurm_job_id(job);
	waiting->readiness = LW_READY;
	waiting->limit_s = lw_job_limit_s(job, part);
	if (lw_standing_of(job, part, &reader->licences) != LW_WAITS_FOR_ROOM ||
	    !lw_limits_allow(job, job->details->min_nodes))
		return -EBUSY;
	rc = lw_read_request(reader, job, part, waiting);
	if (!rc)
		lw_read_constraints(reader, &record, job, waiting);
	return rc;
}

static int elsewhere_describe_in(struct lw_reader *reader, job_record_t *job, part_record_t *part,
				 struct lw_waiting *waiting)
{
	part_record_t *own = job->part_ptr;
	uint32_t reason = job->state_reason, priority = job->priority;
	char *desc = job->state_desc;
	time_t updated = last_job_update, start_time = job->start_time;
	int rc;

	job->state_desc = NULL;
	job->part_ptr = part;
	rc = elsewhere_describe_there(reader, job, part, waiting);
	job->part_ptr = own;
	job->priority = priority;
	job->start_time = start_time;
	job->state_reason = reason;
	xfree(job->state_desc);
	job->state_desc = desc;
	last_job_update = updated;
	return rc;
}

static int add_elsewhere(struct lw_reader *reader, job_record_t *job, part_record_t *part)
{
	struct lw_reading *reading = reader->reading;
	struct lw_elsewhere found = { 0 };
	int rc = elsewhere_describe_in(reader, job, part, &found.waiting);

	if (rc)
		return rc == -EBUSY ? 0 : rc;
	found.part = lw_read_name(reading, part->name);
	if (!found.part ||
	    lw_grow((void **)&reading->elsewhere, &reading->elsewhere_room,
		    reading->elsewhere_count + 1, sizeof(*reading->elsewhere)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	reading->elsewhere[reading->elsewhere_count++] = found;
	return 0;
}

struct walk_of_parts {
	struct lw_reader *reader;
	job_record_t *job;
	uint64_t until_us;
	int rc;
};

static int elsewhere_look_at_part(void *x, void *arg)
{
	struct walk_of_parts *walk = arg;
	part_record_t *part = x;

	if (lw_cpu_us() > walk->until_us)
		return -1;
	if (part != walk->job->part_ptr && elsewhere_lets_in(part, walk->job))
		walk->rc = add_elsewhere(walk->reader, walk->job, part);
	return walk->rc ? -1 : 0;
}

int lw_read_elsewhere(struct lw_reader *reader)
{
	const struct lw_reading_context *context = reader->context;
	struct walk_of_parts walk = { .reader = reader, .until_us = lw_cpu_us() + MOST_US };

	if (list_count(part_list) < 2)
		return 0;
	for (uint32_t i = 0; i < context->elsewhere_count && !walk.rc; i++) {
		walk.job = find_job_record(context->elsewhere[i]);
		if (elsewhere_may_move(walk.job))
			(void)list_for_each(part_list, elsewhere_look_at_part, &walk);
	}
	return walk.rc;
}
