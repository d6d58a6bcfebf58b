/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: advance reservations as reservation windows: nodes closed for a time. */
#include "slurm/read/resv_windows.h"

#include "slurm/bits.h"
#include "slurm/query/request.h"

#include <errno.h>

struct collection {
	struct lw_resv_windows *resv_windows;
	time_t now;
};

/* One at a time that does not move. */
static bool is_resv_window(const slurmctld_resv_t *resv, time_t now)
{
	return resv->node_bitmap && resv->end_time > now && resv->end_time > resv->start_time &&
	       !(resv->flags & RESERVE_FLAG_TIME_FLOAT);
}

static bool resv_windows_begins_before(const slurmctld_resv_t *a, const slurmctld_resv_t *b)
{
	if (a->start_time != b->start_time)
		return a->start_time < b->start_time;
	return a->resv_id < b->resv_id;
}

/* Keep the first to begin, in order. */
static int windows_collect(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;
	struct collection *collection = arg;
	struct lw_resv_windows *resv_windows = collection->resv_windows;
	uint32_t i;

	if (!is_resv_window(resv, collection->now))
		return 0;
	if (resv_windows->count == LW_RESV_WINDOWS_MAX) {
		if (!resv_windows_begins_before(resv,
						resv_windows->resvs[resv_windows->count - 1]))
			return 0;
		resv_windows->count--;
	}
	for (i = resv_windows->count;
	     i && resv_windows_begins_before(resv, resv_windows->resvs[i - 1]); i--)
		resv_windows->resvs[i] = resv_windows->resvs[i - 1];
	resv_windows->resvs[i] = resv;
	resv_windows->count++;
	return 0;
}

static int windows_add(struct lw_snapshot *snap, const slurmctld_resv_t *resv,
		       struct lw_error *err)
{
	struct lw_bitset nodes;
	int rc;

	if (lw_bits_to_set(resv->node_bitmap, snap->node_count, &nodes))
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = lw_snapshot_add_resv_window(snap, &nodes, resv->start_time, resv->end_time, err);
	lw_bitset_fini(&nodes);
	return rc;
}

int lw_resv_windows_read(struct lw_resv_windows *resv_windows, struct lw_snapshot *snap,
			 struct lw_error *err)
{
	struct collection collection = { .resv_windows = resv_windows,
					 .now = (time_t)snap->now_s };
	int rc = 0;

	resv_windows->count = 0;
	list_for_each(resv_list, windows_collect, &collection);
	for (uint32_t i = 0; !rc && i < resv_windows->count; i++)
		rc = windows_add(snap, resv_windows->resvs[i], err);
	return rc;
}

/* A job that says it may be preempted for a reservation, in the time that one allows. */
static bool windows_yields(const job_record_t *job, const slurmctld_resv_t *resv)
{
	return resv->max_start_delay && job->warn_time <= resv->max_start_delay &&
	       (job->warn_flags & KILL_JOB_RESV);
}

/* From a job in OWN all others keep their nodes, unless OWN is meant to overlap them. */
static bool resv_windows_shuts_within(const slurmctld_resv_t *resv, const slurmctld_resv_t *own)
{
	if (!own || resv == own || !(resv->ctld_flags & RESV_CTLD_FULL_NODE) ||
	    (own->flags & RESERVE_FLAG_MAINT))
		return false;
	return !(own->flags & RESERVE_FLAG_OVERLAP) || (resv->flags & RESERVE_FLAG_MAINT);
}

/*
 * As in job_test_resv(): a reservation of parts of nodes closes them to jobs that want whole
 * nodes.
 */
static bool resv_windows_shuts(const slurmctld_resv_t *resv, const job_record_t *job)
{
	if (job->resv_name)
		return resv_windows_shuts_within(resv, job->resv_ptr);
	if (windows_yields(job, resv))
		return false;
	return (resv->ctld_flags & RESV_CTLD_FULL_NODE) ||
	       lw_slurm_is_exclusive(job->details->whole_node);
}

uint64_t lw_resv_windows_for(const struct lw_resv_windows *resv_windows, const job_record_t *job)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < resv_windows->count; i++) {
		if (resv_windows_shuts(resv_windows->resvs[i], job))
			mask |= UINT64_C(1) << i;
	}
	return mask;
}

static int resv_windows_test(job_record_t *job, time_t *when, bitstr_t **ret_nodes)
{
	resv_exc_t exceptions = { 0 };
	bool overlap = false;
	int rc;

	rc = job_test_resv(job, when, false, ret_nodes, &exceptions, &overlap, false);
	reservation_delete_resv_exc_parts(&exceptions);
	return rc;
}

/* A job from FROM_S on, and its nodes. */
struct opening {
	const job_record_t *job;
	int64_t from_s;
	bitstr_t *nodes;
};

/* The limits of JOB's own reservation; NULL: none. */
static bitstr_t *resv_windows_own_nodes(const job_record_t *job)
{
	const slurmctld_resv_t *own = job->resv_name ? job->resv_ptr : NULL;

	if (!own || (own->flags & (RESERVE_FLAG_FLEX | RESERVE_FLAG_ANY_NODES)))
		return NULL;
	return own->node_bitmap;
}

static void resv_windows_put_back(const struct opening *opening, bitstr_t *nodes)
{
	bitstr_t *back = bit_copy(nodes), *own = resv_windows_own_nodes(opening->job);

	if (own)
		bit_and(back, own);
	bit_or(opening->nodes, back);
	bit_free(back);
}

/* Its start moves with time: a job that cannot end before it now never can. */
static int resv_windows_drop_floating(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;
	const struct opening *opening = arg;

	/* start_time is how far it lies ahead */
	if ((resv->flags & RESERVE_FLAG_TIME_FLOAT) && resv->node_bitmap &&
	    resv_windows_shuts(resv, opening->job) &&
	    resv->start_time < lw_job_limit_s(opening->job, opening->job->part_ptr))
		bit_and_not(opening->nodes, resv->node_bitmap);
	return 0;
}

/* Put back what is shut only for a time. */
static void resv_windows_reopen(const struct lw_resv_windows *resv_windows,
				const struct opening *opening)
{
	const job_record_t *job = opening->job;
	int64_t end_s = opening->from_s + lw_job_limit_s(job, job->part_ptr);

	for (uint32_t i = 0; i < resv_windows->count; i++) {
		const slurmctld_resv_t *resv = resv_windows->resvs[i];

		if (resv_windows_shuts(resv, job) && resv->start_time < end_s &&
		    resv->end_time > opening->from_s)
			resv_windows_put_back(opening, resv->node_bitmap);
	}
	list_for_each(resv_list, resv_windows_drop_floating, (void *)opening);
}

/* The nodes of JOB's own reservation, when that opens. */
static int resv_windows_open_reserved(const struct lw_resv_windows *resv_windows,
				      job_record_t *job, int64_t now_s,
				      struct lw_constraints *constraints, bitstr_t **ret_nodes)
{
	time_t when = (time_t)now_s;
	int rc = resv_windows_test(job, &when, ret_nodes);

	if (rc == ESLURM_INVALID_TIME_VALUE && job->resv_ptr &&
	    job->resv_ptr->start_time > (time_t)now_s) {
		when = job->resv_ptr->start_time;
		rc = resv_windows_test(job, &when, ret_nodes);
		constraints->earliest_s = when;
		constraints->self_reserved = true;
	}
	if (rc != SLURM_SUCCESS || !*ret_nodes)
		return -EBUSY;
	resv_windows_reopen(resv_windows, &(struct opening){ job, when, *ret_nodes });
	return 0;
}

int lw_resv_windows_open(const struct lw_resv_windows *resv_windows, job_record_t *job,
			 int64_t now_s, struct lw_constraints *constraints, bitstr_t **ret_nodes)
{
	time_t when = (time_t)now_s;
	int rc;

	if (job->resv_name)
		return resv_windows_open_reserved(resv_windows, job, now_s, constraints,
						  ret_nodes);
	rc = resv_windows_test(job, &when, ret_nodes);
	if ((rc == ESLURM_RESERVATION_MAINT || rc == ESLURM_NODES_BUSY) && resv_windows->count) {
		/* one shuts all its nodes, or a node it needs, but not for ever */
		*ret_nodes = bit_alloc(node_record_count);
		bit_set_all(*ret_nodes);
		rc = SLURM_SUCCESS;
	}
	if (rc != SLURM_SUCCESS || !*ret_nodes)
		return -EBUSY;
	resv_windows_reopen(resv_windows, &(struct opening){ job, now_s, *ret_nodes });
	return 0;
}
