/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: see jobs go elsewhere, so that others have room (stop.for). */
#include "slurm/apply/move.h"

#include "slurm/compat/compat.h"
#include "slurm/log.h"

static enum lw_moving_where move_see(const struct lw_stop *stop, int64_t now_s)
{
	const job_record_t *job = find_job_record(stop->job_id);

	if (stop->state == LW_STOP_RUNS)
		return LW_MOVING_BACK;
	if (stop->state != LW_STOP_WAITS)
		return LW_MOVING_LEAVES;
	return job && IS_JOB_PENDING(job) && job->details && job->priority &&
			       job->details->begin_time <= now_s
		       ? LW_MOVING_OPEN
		       : LW_MOVING_GONE;
}

/* Might it start now, but for room? */
static bool move_waits(uint32_t job_id, int64_t now_s)
{
	const job_record_t *job = job_id ? find_job_record(job_id) : NULL;

	return job && IS_JOB_PENDING(job) && job->details && job->priority &&
	       job->details->begin_time <= now_s;
}

/* It has not left in time; or it runs, and so does the other one. */
static bool move_is_over(const struct lw_moving_job *job, const struct lw_stop *stop,
			 int64_t now_s)
{
	if (!stop || !stop->moves || now_s >= job->until_s ||
	    (stop->state == LW_STOP_RUNS && !stop->back_s))
		return true;
	return job->where == LW_MOVING_BACK && !job->for_job;
}

/* One that is no longer on its way waits as any stopped job does. */
static void move_forget(const struct lw_moving *moving, struct lw_stops *stops)
{
	for (uint32_t i = 0; i < lw_stops_count(stops); i++) {
		struct lw_stop *stop = lw_stops_at(stops, i);
		bool moves = false;

		for (uint32_t k = 0; stop->moves && k < moving->count; k++)
			moves |= moving->jobs[k].job_id == stop->job_id;
		if (stop->moves && !moves && lw_stop_is_out(stop))
			lw_log_info(lw_slurm_log(),
				    "job %u was to go to another node: nothing is kept for it "
				    "any more",
				    stop->job_id);
		lw_stops_set_moves(stops, stop, moves);
	}
}

void lw_move_follow(struct lw_moving *moving, struct lw_stops *stops, int64_t now_s)
{
	for (uint32_t i = 0; i < moving->count; i++)
		if (!move_waits(moving->jobs[i].for_job, now_s))
			lw_moving_served(moving, moving->jobs[i].for_job);
	for (uint32_t i = 0; i < moving->count;) {
		struct lw_moving_job *job = &moving->jobs[i];
		const struct lw_stop *stop = lw_stops_find(stops, job->job_id);

		if (stop)
			job->where = move_see(stop, now_s);
		if (move_is_over(job, stop, now_s))
			lw_moving_drop(moving, i);
		else
			i++;
	}
	move_forget(moving, stops);
}
