/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a snapshot: added, changed and taken out. */
#include "planner/model/snapshot_step.h"

#include "base/grow.h"
#include "base/search.h"
#include "planner/model/snapshot_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Removed jobs leave their allocs behind; once half are dead, move the others together. */
static void snapshot_jobs_pack_allocs(struct lw_snapshot *snap)
{
	uint32_t to = 0;

	if (snap->dead_allocs < 1024 || snap->dead_allocs * 2 < snap->alloc_count)
		return;
	/* in order of place, which is not the order of the jobs: mark by a copy */
	struct lw_alloc *packed = malloc(snap->alloc_room * sizeof(*packed));

	if (!packed)
		return; /* only memory is wasted */
	for (uint32_t i = 0; i < snap->running_count; i++) {
		struct lw_running *job = &snap->running[i];

		/* do not copy 0 entries: there may be no address to copy from */
		if (job->alloc_count)
			memcpy(packed + to, lw_running_allocs(snap, job),
			       job->alloc_count * sizeof(*packed));
		job->first_alloc = to;
		to += job->alloc_count;
	}
	free(snap->allocs);
	snap->allocs = packed;
	snap->alloc_count = to;
	snap->dead_allocs = 0;
}

static int snapshot_jobs_compare_ends(const struct lw_running *a, const struct lw_running *b)
{
	if (a->end_s != b->end_s)
		return a->end_s < b->end_s ? -1 : 1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

/* Put a copy of JOB at POS of running. */
static int snapshot_jobs_put_running(struct lw_snapshot *snap, uint32_t pos,
				     const struct lw_running *job, const struct lw_alloc *allocs,
				     uint32_t count, struct lw_error *err)
{
	struct lw_running *copy;

	if (lw_grow((void **)&snap->running, &snap->running_room, snap->running_count + 1,
		    sizeof(*snap->running)) ||
	    lw_grow((void **)&snap->allocs, &snap->alloc_room, snap->alloc_count + count,
		    sizeof(*snap->allocs)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	copy = &snap->running[pos];
	memmove(copy + 1, copy, (snap->running_count - pos) * sizeof(*copy));
	snap->running_count++;
	*copy = *job;
	copy->first_alloc = snap->alloc_count;
	copy->alloc_count = count;
	for (uint32_t i = 0; i < count; i++) {
		snap->allocs[snap->alloc_count++] = allocs[i];
		lw_res_add(&snap->used[allocs[i].node], &allocs[i].res);
	}
	return 0;
}

int lw_snapshot_add_running(struct lw_snapshot *snap, const struct lw_running *job,
			    const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	uint32_t last = snap->running_count;
	int rc = lw_snapshot_check_running(snap, job, allocs, count, err);

	if (rc)
		return rc;
	if (last && snapshot_jobs_compare_ends(&snap->running[last - 1], job) > 0)
		snap->running_sorted = false;
	return snapshot_jobs_put_running(snap, last, job, allocs, count, err);
}

/* The first running job that does not end before (END_S, JOB_ID). */
static uint32_t snapshot_jobs_running_pos(const struct lw_snapshot *snap,
					  const struct lw_running *job)
{
	uint32_t at;

	LW_SEARCH(at, snap->running_count,
		  snapshot_jobs_compare_ends(&snap->running[at], job) < 0);
	return at;
}

int lw_snapshot_insert_running(struct lw_snapshot *snap, const struct lw_running *job,
			       const struct lw_alloc *allocs, uint32_t count,
			       struct lw_error *err)
{
	int rc = lw_snapshot_check_running(snap, job, allocs, count, err);

	if (rc)
		return rc;
	return snapshot_jobs_put_running(snap, snapshot_jobs_running_pos(snap, job), job, allocs,
					 count, err);
}

const struct lw_running *lw_snapshot_find_running(const struct lw_snapshot *snap,
						  uint32_t job_id, int64_t end_s)
{
	struct lw_running key = { .job_id = job_id, .end_s = end_s };
	uint32_t pos = snapshot_jobs_running_pos(snap, &key);
	const struct lw_running *job = &snap->running[pos];

	if (pos == snap->running_count || job->job_id != job_id || job->end_s != end_s)
		return NULL;
	return job;
}

int lw_snapshot_remove_running(struct lw_snapshot *snap, uint32_t job_id, int64_t end_s)
{
	const struct lw_running *found = lw_snapshot_find_running(snap, job_id, end_s);
	struct lw_running *job;
	uint32_t pos;

	if (!found)
		return -ENOENT;
	pos = (uint32_t)(found - snap->running);
	job = &snap->running[pos];
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + i];

		lw_res_sub(&snap->used[alloc->node], &alloc->res);
	}
	snap->dead_allocs += job->alloc_count;
	snap->running_count--;
	memmove(job, job + 1, (snap->running_count - pos) * sizeof(*job));
	snapshot_jobs_pack_allocs(snap);
	return 0;
}

int lw_snapshot_insert_waiting(struct lw_snapshot *snap, const struct lw_waiting *job,
			       uint64_t seq, uint32_t *ret_index, struct lw_error *err)
{
	int rc = lw_snapshot_check_waiting(snap, job, err);
	uint32_t index;

	if (rc)
		return rc;
	if (lw_grow((void **)&snap->waiting, &snap->waiting_room, snap->waiting_count + 1,
		    sizeof(*snap->waiting)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	index = snap->hole_count ? snap->holes[snap->hole_count - 1] : snap->waiting_count;
	snap->waiting[index] = *job;
	if (lw_queue_insert(&snap->queue, snap->waiting, index, seq))
		return lw_error_set(err, -ENOMEM, "out of memory");
	if (job->variant)
		snap->variant_count++;
	if (snap->hole_count)
		snap->hole_count--;
	else
		snap->waiting_count++;
	*ret_index = index;
	return 0;
}

int lw_snapshot_add_waiting(struct lw_snapshot *snap, const struct lw_waiting *job,
			    struct lw_error *err)
{
	uint32_t index;

	return lw_snapshot_insert_waiting(snap, job, snap->queue.next_seq, &index, err);
}

void lw_snapshot_expect(struct lw_snapshot *snap, uint32_t class_number,
			const struct lw_expectation *expected)
{
	lw_class_expect(&snap->queue.classes[class_number], expected);
}

void lw_snapshot_expect_jobs(struct lw_snapshot *snap, uint32_t class_number,
			     const struct lw_expectation *expected)
{
	const struct lw_class *class = &snap->queue.classes[class_number];

	lw_snapshot_expect(snap, class_number, expected);
	for (uint32_t i = 0; i < class->member_count; i++)
		snap->waiting[class->members[i]].expected = *expected;
}

void lw_snapshot_expect_running(struct lw_snapshot *snap, uint32_t index, int64_t mean_s,
				uint64_t survival)
{
	snap->running[index].expect_s = mean_s;
	snap->running[index].survival = survival;
}

int lw_snapshot_remove_waiting(struct lw_snapshot *snap, uint32_t index)
{
	if (lw_grow((void **)&snap->holes, &snap->hole_room, snap->hole_count + 1,
		    sizeof(*snap->holes)))
		return -ENOMEM;
	if (snap->waiting[index].variant)
		snap->variant_count--;
	lw_queue_remove(&snap->queue, snap->waiting, index);
	snap->holes[snap->hole_count++] = index;
	return 0;
}

const struct lw_running *lw_snapshot_awaited(const struct lw_snapshot *snap,
					     const struct lw_constraints *constraints)
{
	for (uint32_t i = 0; constraints->after && i < snap->running_count; i++)
		if (snap->running[i].job_id == constraints->after)
			return &snap->running[i];
	return NULL;
}

int64_t lw_snapshot_earliest_s(const struct lw_snapshot *snap,
			       const struct lw_constraints *constraints)
{
	const struct lw_running *job = lw_snapshot_awaited(snap, constraints);
	int64_t end_s = job ? lw_running_end_s(job, snap->now_s, LW_ENDS_HARD) : 0;

	return end_s > constraints->earliest_s ? end_s : constraints->earliest_s;
}

int lw_snapshot_add_kept(struct lw_snapshot *snap, uint32_t job_id, uint32_t variant,
			 const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	for (uint32_t i = 0; i < count; i++)
		if (allocs[i].node >= snap->node_count)
			return lw_error_set(err, -EINVAL, "job %" PRIu32 ": no such node",
					    job_id);
	if (lw_kept_add(&snap->kept, job_id, variant, allocs, count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	return 0;
}
