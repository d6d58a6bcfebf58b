/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: advance reservations as closures of the snapshot: nodes shut for a time. */
#include "slurm/closures.h"

#include "slurm/request.h"

#include <errno.h>
#include <string.h>

struct collection {
	struct lw_closures *closures;
	time_t now;
};

/* One that shuts whole nodes at a time that does not move. */
static bool is_closure(const slurmctld_resv_t *resv, time_t now)
{
	return resv->node_bitmap && resv->end_time > now && resv->end_time > resv->start_time &&
	       !(resv->flags & RESERVE_FLAG_TIME_FLOAT) &&
	       (resv->ctld_flags & RESV_CTLD_FULL_NODE);
}

static bool begins_before(const slurmctld_resv_t *a, const slurmctld_resv_t *b)
{
	if (a->start_time != b->start_time)
		return a->start_time < b->start_time;
	return a->resv_id < b->resv_id;
}

/* Keep the first to begin, in order. */
static int collect(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;
	struct collection *collection = arg;
	struct lw_closures *closures = collection->closures;
	uint32_t i;

	if (!is_closure(resv, collection->now))
		return 0;
	if (closures->count == LW_CLOSURES_MAX) {
		if (!begins_before(resv, closures->resvs[closures->count - 1]))
			return 0;
		closures->count--;
	}
	for (i = closures->count; i && begins_before(resv, closures->resvs[i - 1]); i--)
		closures->resvs[i] = closures->resvs[i - 1];
	closures->resvs[i] = resv;
	closures->count++;
	return 0;
}

static int add(struct lw_snapshot *snap, const slurmctld_resv_t *resv, struct lw_error *err)
{
	struct lw_bitset nodes = { 0 };
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(resv->node_bitmap, i)) >= 0; i++)
		lw_bitset_set(&nodes, (uint32_t)i);
	rc = lw_snapshot_add_closure(snap, &nodes, resv->start_time, resv->end_time, err);
	lw_bitset_fini(&nodes);
	return rc;
}

int lw_closures_read(struct lw_closures *closures, struct lw_snapshot *snap, struct lw_error *err)
{
	struct collection collection = { .closures = closures, .now = (time_t)snap->now_s };
	int rc = 0;

	closures->count = 0;
	list_for_each(resv_list, collect, &collection);
	for (uint32_t i = 0; !rc && i < closures->count; i++)
		rc = add(snap, closures->resvs[i], err);
	return rc;
}

/* A job that says it may be put off for a reservation, in the time that one allows. */
static bool gives_way(const job_record_t *job, const slurmctld_resv_t *resv)
{
	return resv->max_start_delay && job->warn_time <= resv->max_start_delay &&
	       (job->warn_flags & KILL_JOB_RESV);
}

uint64_t lw_closures_for(const struct lw_closures *closures, const job_record_t *job)
{
	uint64_t mask = 0;

	if (job->resv_name)
		return 0;
	for (uint32_t i = 0; i < closures->count; i++) {
		if (!gives_way(job, closures->resvs[i]))
			mask |= UINT64_C(1) << i;
	}
	return mask;
}

static int test(job_record_t *job, time_t *when, bitstr_t **ret_nodes)
{
	resv_exc_t exceptions = { 0 };
	bool overlap = false;
	int rc;

	rc = job_test_resv(job, when, false, ret_nodes, &exceptions, &overlap, false);
	reservation_delete_resv_exc_parts(&exceptions);
	return rc;
}

/* Put back what is shut only for a time. */
static void reopen(const struct lw_closures *closures, const job_record_t *job, int64_t now_s,
		   bitstr_t *nodes)
{
	uint64_t mask = lw_closures_for(closures, job);
	int64_t end_s = now_s + lw_job_limit_s(job, job->part_ptr);

	for (uint32_t i = 0; i < closures->count; i++) {
		if ((mask >> i & 1) && closures->resvs[i]->start_time < end_s)
			bit_or(nodes, closures->resvs[i]->node_bitmap);
	}
}

/* The nodes of JOB's own reservation, when that opens. */
static int open_reserved(job_record_t *job, int64_t now_s, struct lw_terms *terms,
			 bitstr_t **ret_nodes)
{
	time_t when = (time_t)now_s;
	int rc = test(job, &when, ret_nodes);

	if (rc == ESLURM_INVALID_TIME_VALUE && job->resv_ptr &&
	    job->resv_ptr->start_time > (time_t)now_s) {
		when = job->resv_ptr->start_time;
		rc = test(job, &when, ret_nodes);
		terms->earliest_s = when;
		terms->sheltered = true;
	}
	return rc == SLURM_SUCCESS && *ret_nodes ? 0 : -EBUSY;
}

int lw_closures_open(const struct lw_closures *closures, job_record_t *job, int64_t now_s,
		     struct lw_terms *terms, bitstr_t **ret_nodes)
{
	time_t when = (time_t)now_s;
	int rc;

	if (job->resv_name)
		return open_reserved(job, now_s, terms, ret_nodes);
	rc = test(job, &when, ret_nodes);
	if ((rc == ESLURM_RESERVATION_MAINT || rc == ESLURM_NODES_BUSY) && closures->count) {
		/* one that shuts all its nodes, or a node it needs: not for ever */
		*ret_nodes = bit_alloc(node_record_count);
		bit_set_all(*ret_nodes);
		return 0;
	}
	if (rc != SLURM_SUCCESS || !*ret_nodes)
		return -EBUSY;
	reopen(closures, job, now_s, *ret_nodes);
	return 0;
}
