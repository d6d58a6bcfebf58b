/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that agree make room for others, as a plan orders it (stop.for). */
#include "slurm/apply/lease.h"

#include "base/search.h"
#include "slurm/apply/stop_ask.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/log.h"
#include "slurm/query/request.h"

#include <inttypes.h>
#include <stdio.h>

/* The most jobs that one cycle would ask: each holds Slurm's locks for a moment. */
#define ORDERED_MAX 16

/* The record of a job that runs, and that Slurm itself does not preempt; or NULL. */
static job_record_t *lease_find_running(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	return job && IS_JOB_RUNNING(job) && !IS_JOB_COMPLETING(job) && job->details &&
			       !job->preempt_time
		       ? job
		       : NULL;
}

/* Of a job that may move, how it would wait; they are in order of the running ones. */
static const struct lw_waiting *lease_again(const struct lw_reading *reading, uint32_t running)
{
	uint32_t at;

	LW_SEARCH(at, reading->again_count, reading->agains[at].running < running);
	return at < reading->again_count && reading->agains[at].running == running
		       ? &reading->agains[at].waiting
		       : NULL;
}

/* One that might go on on more nodes; they are in the same order. */
static void lease_set_larger(const struct lw_reading *reading, struct lw_lease_offer *offer)
{
	const struct lw_grower *grower;
	uint32_t at;

	LW_SEARCH(at, reading->grower_count, reading->growers[at].running < offer->running);
	grower = &reading->growers[at];
	if (at == reading->grower_count || grower->running != offer->running)
		return;
	offer->larger = &grower->waiting;
	offer->nodes = grower->nodes;
	offer->size = grower->size;
}

int lw_lease_offer(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		   struct lw_stops *stops, const struct lw_reading *reading,
		   struct lw_session *session)
{
	const struct lw_snapshot *snap = &reading->snap;
	int rc = 0;

	for (uint32_t i = 0; !rc && lw_leasing_wants(leasing) && i < snap->running_count; i++) {
		struct lw_lease_offer *offer;
		struct lw_stop_case it;
		job_record_t *job;

		rc = lw_session_yield_step(session, i);
		job = rc ? NULL : lease_find_running(snap->running[i].job_id);
		if (!job)
			continue;
		lw_stop_describe(job, &it);
		if (!lw_leasing_offer(leasing, rules, stops, &it, i, snap->now_s))
			continue;
		offer = &leasing->offers[leasing->offer_count - 1];
		if (!lw_moving_rests(&leasing->moving, it.user, snap->now_s, rules->back_s))
			offer->again = lease_again(reading, i);
		lease_set_larger(reading, offer);
	}
	return rc;
}

/* ---- an order ---- */

/* The stops for one job: a run of the plan's. */
struct lease_group {
	const struct lw_lease_stop *stops;
	uint32_t count;
};

static uint32_t lease_group_end(const struct lw_leases *leases, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < leases->count && leases->stops[end].for_job == leases->stops[first].for_job)
		end++;
	return end;
}

/* A job that is stopped for itself (0) always may be. */
static bool lease_still_waits(uint32_t job_id)
{
	const job_record_t *job = job_id ? find_job_record(job_id) : NULL;

	return !job_id || (job && IS_JOB_PENDING(job) && job->details && job->priority);
}

/* What an order needs besides the plan. */
struct lease_order {
	struct lw_leasing *leasing;
	const struct lw_stop_rules *rules;
	struct lw_stops *stops;
	const struct lw_history *history;
	int64_t now_s;
	struct lw_stopped *stopped;
};

static void lease_describe(const struct lease_order *order, const struct lw_lease_stop *stop,
			   const job_record_t *job, struct lw_stop_case *ret_case)
{
	lw_stop_describe(job, ret_case);
	lw_stop_describe_more(job, order->history, order->now_s, ret_case);
	ret_case->for_job = stop->for_job;
	ret_case->moves = stop->moves;
}

/* As an order of an administrator's is answered. */
static void lease_tell(const struct lease_order *order, const struct lw_lease_stop *stop)
{
	job_record_t *job = lease_find_running(stop->job_id);

	if (job)
		lw_marking_stop(job, LW_STOP_WORD_REFUSED "told");
	order->stopped->count[LW_STOPPED_WOULD]++;
}

/* Only told of, it is told once in a while. */
static void lease_refuse(const struct lease_order *order, const struct lw_lease_stop *stop,
			 enum lw_stop_answer answer)
{
	enum lw_log_level level = answer == LW_STOP_TELLS ? LW_LOG_INFO : LW_LOG_DEBUG;

	if (answer == LW_STOP_TELLS)
		lease_tell(order, stop);
	lw_leasing_in_vain(order->leasing, stop->job_id, order->now_s);
	order->stopped->count[answer == LW_STOP_TELLS ? LW_STOPPED_TOLD : LW_STOPPED_REFUSED]++;
	lw_log_write(lw_slurm_log(), level, "job %u is not stopped for job %u: %s", stop->job_id,
		     stop->for_job, lw_stop_answer_text(answer));
}

/* May all of them be asked? Else none is: the others would go in vain. */
static bool lease_may_ask(const struct lease_order *order, const struct lease_group *group)
{
	uint32_t nodes = 0;
	bool may = true;

	for (uint32_t i = 0; i < group->count; i++) {
		const struct lw_lease_stop *stop = &group->stops[i];
		const job_record_t *job = lease_find_running(stop->job_id);
		enum lw_stop_answer answer;
		enum lw_stop_way way;
		struct lw_stop_case it;

		if (!job)
			return false;
		lease_describe(order, stop, job, &it);
		it.beside = nodes;
		nodes += it.nodes;
		answer = lw_stops_judge(order->stops, order->rules, &it, order->now_s, &way);
		if (answer == LW_STOP_ASKS)
			continue;
		lease_refuse(order, stop, answer);
		may = false;
	}
	return may;
}

/* As for a job without a signal of its own: the time of that is for its user to say. */
static int64_t lease_keep_s(const struct lw_stop_rules *rules)
{
	int64_t save_s = rules->save_s > slurm_conf.kill_wait ? rules->save_s
							       : slurm_conf.kill_wait;

	return (2 * save_s > LW_STOP_DEAF_S ? 2 * save_s : LW_STOP_DEAF_S) + LW_LEASING_LOAD_S;
}

/* Without a place that is kept it is stopped as any other one. */
static void lease_keep(const struct lease_order *order, const struct lw_lease_stop *stop,
		       const job_record_t *job)
{
	struct lw_stop *entry = lw_stops_find(order->stops, stop->job_id);

	if (!stop->moves || !entry)
		return;
	order->stopped->count[LW_STOPPED_MOVED]++;
	lw_moving_note(&order->leasing->moving, entry->user, entry->asked_s);
	entry->moves = !lw_moving_add(&order->leasing->moving, stop,
				      order->leasing->leases.places,
				      lw_job_limit_s(job, job->part_ptr),
				      entry->asked_s + lease_keep_s(order->rules));
}

static void lease_ask(const struct lease_order *order, const struct lw_lease_stop *stop)
{
	job_record_t *job = lease_find_running(stop->job_id);
	enum lw_stop_answer answer;
	struct lw_stop_case it;

	if (!job)
		return;
	lease_describe(order, stop, job, &it);
	answer = lw_stop_ask(order->stops, order->rules, job, &it, order->now_s);
	if (answer != LW_STOP_ASKS) {
		lease_refuse(order, stop, answer);
		return;
	}
	order->stopped->count[LW_STOPPED_ASKED]++;
	order->stopped->count[LW_STOPPED_PLANNED]++;
	lease_keep(order, stop, job);
	if (stop->for_job)
		lw_log_info(lw_slurm_log(), "job %u is to %smake room for job %u: it is asked",
			    stop->job_id, stop->moves ? "move and " : "", stop->for_job);
	else
		lw_log_info(lw_slurm_log(), "job %u is to go on on more nodes: it is asked",
			    stop->job_id);
}

void lw_lease_order(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		    struct lw_stops *stops, const struct lw_history *history, int64_t now_s,
		    struct lw_stopped *stopped)
{
	const struct lease_order order = { leasing, rules, stops, history, now_s, stopped };
	const struct lw_leases *leases = &leasing->leases;
	uint32_t end;

	for (uint32_t first = 0; leasing->on && first < leases->count; first = end) {
		struct lease_group group = { .stops = &leases->stops[first] };

		end = lease_group_end(leases, first);
		group.count = end - first;
		if (end > ORDERED_MAX)
			return;
		if (!lease_still_waits(group.stops->for_job) || !lease_may_ask(&order, &group))
			continue;
		for (uint32_t i = 0; i < group.count; i++)
			lease_ask(&order, &group.stops[i]);
	}
}
