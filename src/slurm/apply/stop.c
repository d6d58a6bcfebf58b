/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: ask a job to stop, see it go, and let it run again (stop.mode). */
#include "slurm/apply/stop.h"

#include "base/items.h"
#include "base/number.h"
#include "slurm/apply/again.h"
#include "slurm/apply/stop_ask.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

/* A job that yields may begin so much later, each time that this is looked at. */
#define YIELD_S 60
/* One that its user lets begin so much later is as one that is held. */
#define HELD_S 3600
/* The most orders that one cycle heeds: each holds Slurm's locks for a moment. */
#define ORDERS_MAX 16

/* ---- a job on its way ---- */

/* NULL: it is gone, if another one has its number now. */
static job_record_t *stop_find(const struct lw_stop *stop)
{
	job_record_t *job = find_job_record(stop->job_id);

	return job && job->user_id == stop->user && job->details ? job : NULL;
}

static enum lw_stop_seen stop_see(const job_record_t *job)
{
	if (!job)
		return LW_STOP_SEEN_GONE;
	if (IS_JOB_COMPLETING(job))
		return LW_STOP_SEEN_LEAVING;
	if (IS_JOB_PENDING(job))
		return LW_STOP_SEEN_WAITING;
	if (!IS_JOB_FINISHED(job))
		return LW_STOP_SEEN_RUNNING;
	switch (job->job_state & JOB_STATE_BASE) {
	case JOB_COMPLETE:
	case JOB_FAILED:
		return LW_STOP_SEEN_ENDED;
	default:
		return LW_STOP_SEEN_GONE;
	}
}

/* Does the job for which it was stopped still wait to have its room? */
static bool stop_yields(const struct lw_stop *stop)
{
	const job_record_t *other = stop->for_job ? find_job_record(stop->for_job) : NULL;

	return !stop->moves && other && IS_JOB_PENDING(other) && other->priority;
}

static bool stop_is_held(const job_record_t *job, int64_t now_s)
{
	return IS_JOB_PENDING(job) &&
	       (!job->priority || job->details->begin_time > now_s + HELD_S);
}

/* Never far ahead: if Leeway no longer plans, the job runs again soon. */
static void stop_stay(job_record_t *job, int64_t now_s)
{
	if (job->details->begin_time > now_s + YIELD_S / 2)
		return;
	job->details->begin_time = (time_t)(now_s + YIELD_S);
	last_job_update = time(NULL);
}

static void stop_open(job_record_t *job, const struct lw_stop *stop, int64_t now_s)
{
	lw_again(job, now_s);
	lw_log_info(lw_slurm_log(), "job %u has stopped: it runs again %s", stop->job_id,
		    stop->moves ? "on another node" : "when there is room");
}

/* The signal that it did not heed was not its last one: Slurm may send it before its limit. */
static void stop_leave(job_record_t *job, const struct lw_stop *stop)
{
	if (stop->way == LW_STOP_BY_SIGNAL)
		job->warn_flags &= (uint16_t)~WARN_SENT;
	lw_marking_stop(job, LW_STOP_WORD_REFUSED "deaf");
	lw_log_info(lw_slurm_log(),
		    "job %u was asked to stop and runs on: no job of that name and user is asked "
		    "for a week",
		    stop->job_id);
}

static void stop_tell_back(job_record_t *job, const struct lw_stop *stop)
{
	lw_stop_mark(job, stop);
	lw_log_info(lw_slurm_log(), "job %u runs again, %" PRId64 " s after it was asked to stop",
		    stop->job_id, stop->back_s - stop->asked_s);
}

/* As scontrol requeue of a job that has failed. What it saved is there. */
static void stop_again(job_record_t *job, const struct lw_stop *stop)
{
	int rc = job_requeue_internal(0, job, false, 0);

	lw_log_warn(lw_slurm_log(),
		    "job %u was stopped, and slurmctld died before it had saved that: %s",
		    stop->job_id, rc ? "it cannot be requeued" : "it is requeued");
}

static void stop_heed(job_record_t *job, const struct lw_stop *stop, enum lw_stop_event event,
		      int64_t now_s, struct lw_stopped *stopped)
{
	switch (event) {
	case LW_STOP_STAYS:
		stop_stay(job, now_s);
		break;
	case LW_STOP_OPENS:
		stop_open(job, stop, now_s);
		break;
	case LW_STOP_BACK:
		stopped->count[LW_STOPPED_BACK]++;
		stop_tell_back(job, stop);
		break;
	case LW_STOP_IS_DEAF:
		stopped->count[LW_STOPPED_DEAF]++;
		stop_leave(job, stop);
		break;
	case LW_STOP_HAS_ENDED:
		stopped->count[LW_STOPPED_ENDED]++;
		lw_log_warn(lw_slurm_log(),
			    "job %u was asked to stop and ended instead: no job of that name and "
			    "user is asked for a week",
			    stop->job_id);
		break;
	case LW_STOP_IS_LOST:
		stop_again(job, stop);
		break;
	case LW_STOP_IS_ANEW:
		stopped->count[LW_STOPPED_ANEW]++;
		lw_log_warn(lw_slurm_log(),
			    "job %u was stopped and began anew, not from a save: no job of that "
			    "name and user is asked for a week",
			    stop->job_id);
		break;
	default:
		break;
	}
}

static void stop_tell_late(const struct lw_stop *stop, struct lw_stopped *stopped)
{
	stopped->count[LW_STOPPED_LATE]++;
	if (lw_stop_is_out(stop))
		lw_log_warn(lw_slurm_log(),
			    "job %u has stopped, and is not back by the time that "
			    "was promised: it goes next",
			    stop->job_id);
	else
		lw_log_warn(lw_slurm_log(),
			    "job %u has stopped, and was not back by the time that "
			    "was promised",
			    stop->job_id);
}

static void stop_look(struct lw_stops *stops, struct lw_stop *stop, int64_t now_s,
		      struct lw_stopped *stopped)
{
	job_record_t *job = stop_find(stop);
	const struct lw_stop_sight sight = { stop_see(job), job ? job->restart_cnt : 0,
					     job ? job->name : NULL, job ? job->start_time : 0,
					     stop_yields(stop), job && stop_is_held(job, now_s) };
	const bool late = stop->late;

	stop_heed(job, stop, lw_stops_step(stops, stop, &sight, now_s), now_s, stopped);
	if (stop->late && !late)
		stop_tell_late(stop, stopped);
	stopped->soon |= job && stop->state == LW_STOP_WAITS && lw_again_soon(job, now_s);
}

static void stop_follow(struct lw_stops *stops, int64_t now_s, struct lw_stopped *stopped)
{
	for (uint32_t i = 0; i < lw_stops_count(stops); i++)
		stop_look(stops, lw_stops_at(stops, i), now_s, stopped);
	lw_stops_expire(stops, now_s);
}

/* ---- an order ---- */

/* The order of JOB says which other job is to have its room; 0: none. */
static uint32_t stop_order_for(const job_record_t *job)
{
	const char *at = lw_items_find(job->admin_comment, LW_STOP_WORD_ORDER);

	at += strlen(LW_STOP_WORD_ORDER);
	return *at == '=' ? (uint32_t)lw_number_begins(at + 1, UINT32_MAX, 0) : 0;
}

static void stop_obey(struct lw_stops *stops, const struct lw_stop_rules *rules,
		      const struct lw_history *history, job_record_t *job, int64_t now_s,
		      struct lw_stopped *stopped)
{
	struct lw_stop_case it;
	enum lw_stop_answer answer;
	char word[LW_STOP_WORD_MAX];

	lw_stop_describe(job, &it);
	lw_stop_describe_more(job, history, now_s, &it);
	it.for_job = stop_order_for(job);
	answer = lw_stop_ask(stops, rules, job, &it, now_s);
	lw_log_info(lw_slurm_log(), "job %u is ordered to stop: %s", it.job_id,
		    lw_stop_answer_text(answer));
	if (answer == LW_STOP_ASKS) {
		stopped->count[LW_STOPPED_ASKED]++;
		return;
	}
	stopped->count[answer == LW_STOP_TELLS ? LW_STOPPED_TOLD : LW_STOPPED_REFUSED]++;
	snprintf(word, sizeof(word), LW_STOP_WORD_REFUSED "%s", lw_stop_answer_name(answer));
	lw_marking_stop(job, word);
}

struct stop_orders {
	uint32_t job_ids[ORDERS_MAX], count;
};

/* Requeues are for when the list is not gone through. */
static int stop_find_order(void *x, void *arg)
{
	const job_record_t *job = x;
	struct stop_orders *orders = arg;

	if (IS_JOB_RUNNING(job) && !IS_JOB_COMPLETING(job) && job->details &&
	    lw_items_find(job->admin_comment, LW_STOP_WORD_ORDER))
		orders->job_ids[orders->count++] = lw_slurm_job_id(job);
	return orders->count < ORDERS_MAX ? 0 : -1;
}

void lw_stop_begin(struct lw_stops *stops, const struct lw_stop_rules *rules,
		   const struct lw_history *history, int64_t now_s, struct lw_stopped *stopped)
{
	struct stop_orders orders = { .count = 0 };

	stopped->soon = false;
	stop_follow(stops, now_s, stopped);
	if (rules->mode == LW_STOP_OFF)
		return;
	list_for_each(job_list, stop_find_order, &orders);
	for (uint32_t i = 0; i < orders.count; i++) {
		job_record_t *job = find_job_record(orders.job_ids[i]);

		if (job)
			stop_obey(stops, rules, history, job, now_s, stopped);
	}
}
