/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a cycle of a model of Slurm's backfill. */

/*
 * Where Slurm's goes by the clock it is left out: the cycle takes no time, so it neither yields
 * its locks nor stops early, with bf_continue or without.
 */
#include "lab/sim/stock/fill.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What became of a job. */
enum fill_fate {
	FILL_LEFT, /* it has no room within the window, or is kept none */
	FILL_PLANNED,
	FILL_STARTED,
};

/* A job in its turn. */
struct fill_job {
	uint32_t index;
	const struct lw_waiting *waiting;
	int64_t limit_s;
	bool now_only; /* it is kept no room */
	bool counted;
};

void lw_stock_fill_fini(struct lw_stock_fill *fill)
{
	lw_stock_space_fini(&fill->space);
	lw_bitset_fini(&fill->avail);
	lw_bitset_fini(&fill->all);
	free(fill->user_jobs);
	free(fill->class_from_s);
	memset(fill, 0, sizeof(*fill));
}

bool lw_stock_same_array(const struct lw_snapshot *snap, uint32_t a, uint32_t b)
{
	return snap->queue.class_of[a] == snap->queue.class_of[b] &&
	       snap->waiting[a].submit_s == snap->waiting[b].submit_s;
}

static int64_t down(int64_t time_s, int64_t resolution_s)
{
	return time_s - time_s % resolution_s;
}

static int fill_begin(struct lw_stock_fill *fill, const struct lw_stock_world *world)
{
	int64_t now_s = world->snap->now_s, step_s = world->params.bf_resolution_s;

	fill->tested = fill->counted = fill->started = 0;
	fill->full = false;
	fill->end_s = down(now_s + world->params.bf_window_s, step_s);
	if (fill->user_jobs)
		memset(fill->user_jobs, 0, fill->user_room * sizeof(*fill->user_jobs));
	if (lw_grow((void **)&fill->class_from_s, &fill->class_room,
		    world->snap->queue.class_count + 1, sizeof(*fill->class_from_s)))
		return -ENOMEM;
	for (uint32_t i = 0; i < world->snap->queue.class_count; i++)
		fill->class_from_s[i] = now_s;
	if (!fill->avail.words && (lw_bitset_init(&fill->avail, world->node_count) ||
				   lw_bitset_init(&fill->all, world->node_count)))
		return -ENOMEM;
	return lw_stock_space_begin(&fill->space, world->node_count, down(now_s, step_s),
				    fill->end_s, step_s);
}

/* Is this one job too many? 0: no; 1: yes. -ENOMEM. */
static int fill_exceeds(struct lw_stock_fill *fill, const struct lw_stock_world *world,
			const struct lw_waiting *job)
{
	uint32_t user = job->user_id == UINT32_MAX ? 0 : job->user_id % 65536, old;

	if (world->params.bf_partition_jobs && fill->counted >= world->params.bf_partition_jobs)
		return 1;
	if (world->params.bf_user_jobs) {
		old = fill->user_room;
		if (lw_grow((void **)&fill->user_jobs, &fill->user_room, user + 1,
			    sizeof(*fill->user_jobs)))
			return -ENOMEM;
		if (fill->user_room > old)
			memset(fill->user_jobs + old, 0,
			       (fill->user_room - old) * sizeof(*fill->user_jobs));
		if (fill->user_jobs[user] >= world->params.bf_user_jobs)
			return 1;
		fill->user_jobs[user]++;
	}
	fill->counted++;
	return 0;
}

/* The nodes that no planned job has while JOB would run from START_S on; and when to look again
 */
static int64_t fill_nodes(struct lw_stock_fill *fill, const struct lw_stock_world *world,
			  const struct fill_job *job, int64_t start_s)
{
	const struct lw_bitset *set = &world->snap->sets[job->waiting->set].nodes;
	int64_t now_s = world->snap->now_s;

	memcpy(fill->avail.words, world->open.words,
	       (world->node_count + 63) / 64 * sizeof(*fill->avail.words));
	lw_bitset_and(&fill->avail, set);
	return lw_stock_space_reduce(&fill->space, start_s,
				     job->limit_s + (start_s > now_s ? start_s : now_s),
				     &fill->avail, &fill->all);
}

/* Start it on nodes of which none is completing. */
static int fill_start(struct lw_stock_fill *fill, struct lw_stock_world *world,
		      const struct fill_job *job, struct lw_plan *plan, bool *ret_started)
{
	const struct lw_alloc *allocs;
	uint32_t count;

	memcpy(fill->all.words, fill->avail.words,
	       (world->node_count + 63) / 64 * sizeof(*fill->all.words));
	lw_bitset_drop(&fill->all, &world->completing);
	*ret_started =
		lw_stock_fits(world, job->waiting, world->free, &fill->all, &allocs, &count);
	if (!*ret_started)
		return 0;
	fill->started++;
	return lw_stock_start(world, job->index, LW_REASON_STARTS_BACKFILLED, allocs, count,
			      plan);
}

/* When a start at AT_S is planned, in steps. */
static int64_t slot_end_s(const struct lw_stock_world *world, const struct fill_job *job,
			  int64_t at_s)
{
	int64_t step_s = world->params.bf_resolution_s;

	return down(at_s + job->limit_s + step_s - 1, step_s);
}

/* Are the nodes world->chosen, for a start at AT_S, those of other planned jobs? */
static bool fill_overlaps(const struct lw_stock_fill *fill, const struct lw_stock_world *world,
			  const struct fill_job *job, int64_t at_s)
{
	return lw_stock_space_overlaps(&fill->space, &world->chosen,
				       down(at_s, world->params.bf_resolution_s),
				       slot_end_s(world, job, at_s));
}

/* So many slots may be made in a cycle, which ends with the first job that wants more. */
static int64_t table_size(const struct lw_stock_params *params)
{
	return params->bf_slots ? params->bf_slots : params->bf_jobs;
}

/* Plan a start at AT_S on world->chosen, or *RET_LATER_S: look again from then on. */
static int fill_plan(struct lw_stock_fill *fill, const struct lw_stock_world *world,
		     const struct fill_job *job, int64_t at_s, int64_t *ret_later_s,
		     enum fill_fate *ret_fate)
{
	int64_t now_s = world->snap->now_s, later_s = *ret_later_s;

	*ret_later_s = 0;
	if (job->now_only && at_s > now_s)
		return 0;
	if (later_s && at_s > later_s)
		*ret_later_s = later_s;
	else if (at_s > now_s + world->params.bf_window_s)
		return 0;
	else if (fill_overlaps(fill, world, job, at_s))
		*ret_later_s = at_s;
	if (*ret_later_s)
		return 0;
	fill->full = fill->space.count >= table_size(&world->params);
	if (fill->full)
		return 0;
	*ret_fate = FILL_PLANNED;
	return lw_stock_space_add(&fill->space, down(at_s, world->params.bf_resolution_s),
				  slot_end_s(world, job, at_s), &world->chosen);
}

/* One look at JOB, from *LATER_S on. Sets that to when to look again; 0: it is done. */
static int fill_look(struct lw_stock_fill *fill, struct lw_stock_world *world,
		     struct fill_job *job, struct lw_plan *plan, int64_t *later_s,
		     enum fill_fate *ret_fate)
{
	int64_t now_s = world->snap->now_s, start_s = *later_s, at_s;
	bool started = false;
	int rc;

	*later_s = fill_nodes(fill, world, job, start_s);
	if (lw_bitset_count(&fill->avail) >= job->waiting->request.nodes_min && !job->counted) {
		fill->tested++;
		job->counted = true;
	}
	if (!lw_stock_when(world, job->waiting, &fill->avail, start_s, *later_s, &at_s)) {
		if (job->now_only)
			*later_s = 0;
		return 0;
	}
	if (at_s < start_s)
		at_s = start_s;
	if (at_s > now_s && fill_overlaps(fill, world, job, at_s)) {
		*later_s = at_s;
		return 0;
	}
	if (at_s <= now_s && lw_bitset_intersects(&world->chosen, &world->completing)) {
		at_s = now_s + 1;
		*later_s = 0;
	} else if (at_s <= now_s) {
		*later_s = 0;
		rc = fill_start(fill, world, job, plan, &started);
		if (started)
			*ret_fate = FILL_STARTED;
		if (rc || started)
			return rc;
	}
	return fill_plan(fill, world, job, at_s, later_s, ret_fate);
}

/*
 * What is taken stays taken in a cycle, so the next of a class has no room before the last had.
 * Slurm finds that anew for each job.
 */
static int fill_take(struct lw_stock_fill *fill, struct lw_stock_world *world, uint32_t index,
		     struct lw_plan *plan, enum fill_fate *ret_fate)
{
	const struct lw_waiting *waiting = &world->snap->waiting[index];
	int64_t *from_s = &fill->class_from_s[world->snap->queue.class_of[index]];
	int64_t now_s = world->snap->now_s, later_s;
	struct fill_job job = { .index = index,
				.waiting = waiting,
				.limit_s = lw_stock_limit_s(waiting),
				.now_only =
					now_s - waiting->submit_s < world->params.bf_min_age_s };
	int rc = fill_exceeds(fill, world, waiting);

	*ret_fate = FILL_LEFT;
	if (rc)
		return rc < 0 ? rc : 0;
	for (later_s = *from_s; !rc && later_s && later_s <= fill->end_s;) {
		*from_s = later_s;
		rc = fill_look(fill, world, &job, plan, &later_s, ret_fate);
	}
	if (*ret_fate == FILL_LEFT && !job.now_only)
		*from_s = INT64_MAX;
	fill->tested += !job.counted;
	return rc;
}

static bool fill_is_ready(const struct lw_snapshot *snap, uint32_t index)
{
	const struct lw_waiting *job = &snap->waiting[index];

	return job->readiness == LW_READY &&
	       lw_snapshot_earliest_s(snap, &job->constraints) <= snap->now_s;
}

int lw_stock_fill(struct lw_stock_fill *fill, struct lw_stock_world *world, const uint32_t *order,
		  uint32_t count, struct lw_plan *plan)
{
	int rc = fill_begin(fill, world);
	uint32_t planned = 0; /* tasks of this array */
	bool rejected = false;

	for (uint32_t i = 0; !rc && i < count; i++) {
		bool of_array = i && lw_stock_same_array(world->snap, order[i - 1], order[i]);
		enum fill_fate fate;

		if (fill->tested >= world->params.bf_jobs ||
		    (world->params.bf_starts && fill->started >= world->params.bf_starts) ||
		    fill->full)
			break;
		if (!of_array) {
			planned = 0;
			rejected = false;
		}
		if (rejected || (of_array && planned >= world->params.bf_tasks) ||
		    !fill_is_ready(world->snap, order[i]))
			continue;
		rc = fill_take(fill, world, order[i], plan, &fate);
		planned += fate == FILL_PLANNED;
		rejected = fate == FILL_LEFT;
	}
	return rc;
}
