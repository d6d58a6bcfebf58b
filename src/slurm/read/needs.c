/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: needs of a waiting job: licences, and nodes for its other components. */
#include "slurm/read/needs.h"

#include "base/grow.h"
#include "slurm/keep/guarded.h"
#include "slurm/keep/planned.h"
#include "slurm/read/reader.h"

#include <errno.h>

/*
 * What all parts of a job need of licence I, as one need: a licence is one node of the snapshot,
 * and several needs of a job are never met on the same node. 1 with *RET_NEED; 0: they need none of
 * it; -ENOMEM.
 */
static int needs_add_up(struct lw_reader *reader, const struct lw_ticket *ticket, uint32_t i,
			struct lw_need *ret_need)
{
	uint32_t *sum = &ret_need->request.mem_per_node_mib;
	bool any = false;

	for (uint32_t part = 0; part <= ticket->part_count; part++) {
		uint32_t job_id = lw_reading_part(reader->reading, ticket, part)->job_id;
		const job_record_t *job = find_job_record(job_id);
		uint32_t before = any ? *sum : 0;
		int rc = job ? lw_licences_need(&reader->licences, &reader->reading->snap, job, i,
						ret_need, reader->err)
			     : 0;

		if (rc < 0)
			return rc;
		if (rc)
			*sum = *sum < UINT32_MAX - before ? *sum + before : UINT32_MAX;
		any |= rc;
	}
	return any;
}

/* Add to NEEDS the licences of the job of TICKET, of all its parts together. */
static int needs_add_licences(struct lw_reader *reader, const struct lw_ticket *ticket,
			      struct lw_needs *needs)
{
	int rc = 0;

	for (uint32_t i = 0; rc >= 0 && i < reader->licences.count; i++) {
		struct lw_need need;

		rc = needs_add_up(reader, ticket, i, &need);
		if (rc > 0)
			rc = lw_needs_add(needs, &need);
	}
	return rc < 0 ? lw_error_set(reader->err, rc, "out of memory") : 0;
}

int lw_needs_add(struct lw_needs *needs, const struct lw_need *need)
{
	if (lw_grow((void **)&needs->items, &needs->room, needs->count + 1,
		    sizeof(*needs->items)))
		return -ENOMEM;
	needs->items[needs->count++] = *need;
	return 0;
}

/* NEEDS holds the other parts of the job: add the licences of all, and co-allocate them. */
static int needs_coallocation(struct lw_reader *reader, const struct lw_component *component,
			      struct lw_needs *needs, uint32_t *ret_coallocation)
{
	int rc = needs_add_licences(reader, &component->ticket, needs);

	if (rc || !needs->count)
		return rc;
	return lw_snapshot_add_coallocation(&reader->reading->snap, needs->items, needs->count,
					    ret_coallocation, reader->err);
}

/*
 * The start that the last plan reserved for the job. After a restart the last plan is not known,
 * but the start that was shown to the user is: Slurm keeps it in the job's record, though not for
 * which of the job's partitions it was.
 */
static int64_t needs_planned_start(const struct lw_reader *reader,
				   const struct lw_waiting *waiting)
{
	const struct lw_planned *planned = reader->context->planned;
	const job_record_t *job;
	int64_t start_s = 0;

	if (waiting->accepted)
		start_s = lw_guarded_start(reader->context->guarded, waiting->job_id,
					   waiting->variant);
	if (start_s)
		return start_s;
	if (planned)
		return lw_planned_find(planned, waiting->job_id, waiting->variant);
	job = find_job_record(waiting->job_id);
	return job ? job->start_time : 0;
}

/* What the last plan kept for it, or one from before a restart. False: nothing. */
static bool needs_find_kept(const struct lw_reader *reader, const struct lw_waiting *waiting,
			    const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	const struct lw_planned *planned = reader->context->planned;
	const struct lw_kept_job *job = NULL;

	if (!waiting->accepted)
		return false;
	if (!lw_guarded_find(reader->context->guarded, &reader->reading->snap, waiting->job_id,
			     waiting->variant, ret_allocs, ret_count))
		return true;
	if (planned)
		job = lw_kept_find(&planned->kept, waiting->job_id, waiting->variant);
	if (!job)
		return false;
	*ret_allocs = lw_kept_allocs(&planned->kept, job);
	*ret_count = job->alloc_count;
	return true;
}

/* As far as the nodes are there. */
static int needs_add_kept(const struct lw_reader *reader, const struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	const struct lw_alloc *allocs;
	uint32_t count;

	if (!needs_find_kept(reader, waiting, &allocs, &count))
		return 0;
	for (uint32_t i = 0; i < count; i++)
		if (allocs[i].node >= snap->node_count)
			return 0;
	return lw_snapshot_add_kept(snap, waiting->job_id, waiting->variant, allocs, count,
				    reader->err);
}

int lw_add_component(struct lw_reader *reader, const struct lw_component *component,
		     struct lw_needs *needs)
{
	struct lw_reading *reading = reader->reading;
	struct lw_waiting waiting = component->waiting;
	uint32_t index = reading->snap.waiting_count;
	int rc = 0;

	waiting.planned_s = needs_planned_start(reader, &waiting);
	if (waiting.readiness != LW_NOT_READY)
		rc = needs_coallocation(reader, component, needs,
					&waiting.constraints.coallocation);
	if (rc)
		return rc;
	if (lw_grow((void **)&reading->tickets, &reading->ticket_room, index + 1,
		    sizeof(*reading->tickets)))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	reading->tickets[index] = component->ticket;
	rc = needs_add_kept(reader, &waiting);
	return rc ? rc : lw_snapshot_add_waiting(&reading->snap, &waiting, reader->err);
}
