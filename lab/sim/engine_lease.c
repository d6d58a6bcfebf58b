/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that agree to be stopped, and make room for others. */

/*
 * Much as slurmctld stops jobs that an administrator names (slurm/apply/stop.c): a job is asked,
 * leaves once it has saved, waits behind the job that is to have its room, and runs again. Here
 * the planner orders it. After half the time by which it is to run again it goes first, and then
 * it is left alone for as long as that time. A kind of job that runs on is not asked for a week,
 * and one that starts from scratch never again.
 */
#include "lab/sim/engine_state.h"

#include "base/grow.h"
#include "base/stop.h"
#include "measure/rng.h"
#include "planner/model/snapshot_step.h"
#include "predictor/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S  86400
#define DEAF_S 600 /* a job that still runs so long after it was asked is deaf */
#define WEEK_S INT64_C(604800)
#define LOOK_S (LW_LEASE_DUE_S / 2) /* so often for jobs that are due */

enum lease_where {
	ASKED,  /* it runs, and saves */
	IS_OUT, /* it has left, and Slurm lets it wait */
	WAITS,  /* in the queue */
	IS_FIRST,
	IS_DEAF,
};

/* A job on its way. */
struct lease_out {
	uint32_t job, for_id;
	enum lease_where where;
	int64_t next_s; /* when something happens by itself */
	int64_t left_s, first_s, due_s;
	double share;
	int64_t kept_s; /* until then another place is kept for it; 0: there is none */
	bool yields;    /* it could wait again, and lets the other one go first */
};

/* By job: its stops. */
struct lease_record {
	int64_t since_s; /* the first of the day */
	uint32_t today;
	uint32_t bits;
};

struct lw_engine_lease {
	struct lease_record *records; /* by job */
	struct lease_out *outs;
	uint32_t count, room;
	struct lw_lookup never; /* by kind: not to be asked before that second of the trace */
	struct lw_lookup moved; /* by user: no job is to be moved before that second */
	struct lw_leases leases;
	struct lw_lease_offer *offers;
	struct lw_waiting *agains; /* of the offers, if jobs may move */
	uint32_t *served;
	uint32_t offer_room, again_room, served_room;
	int64_t grows_s; /* when a job may be asked next that would go on on more nodes */
};

static const struct lw_lease_settings *lease_settings(const struct lw_engine *run)
{
	return run->hooks->lease;
}

int lw_engine_lease_init(struct lw_engine *run)
{
	const struct lw_lease_settings *lease = lease_settings(run);

	if (!lease)
		return 0;
	run->lease = calloc(1, sizeof(*run->lease));
	if (!run->lease)
		return -ENOMEM;
	run->lease->grows_s = INT64_MAX;
	run->lease->records = calloc((size_t)run->job_count + 1, sizeof(*run->lease->records));
	if (!run->lease->records)
		return -ENOMEM;
	for (uint32_t i = 0; i < run->job_count; i++) {
		struct lw_sim_job *job = &run->jobs[i];

		run->lease->records[i].bits = lw_engine_agree(lease, job);
		job->agrees = run->lease->records[i].bits != 0;
		if (job->agrees && !job->resumable)
			job->restart_s = lease->load_s;
	}
	return 0;
}

void lw_engine_lease_fini(struct lw_engine *run)
{
	struct lw_engine_lease *lease = run->lease;

	if (!lease)
		return;
	free(lease->records);
	free(lease->outs);
	lw_lookup_fini(&lease->never);
	lw_lookup_fini(&lease->moved);
	lw_leases_fini(&lease->leases);
	free(lease->offers);
	free(lease->agains);
	free(lease->served);
	free(lease);
	run->lease = NULL;
}

/* ---- what is offered ---- */

static uint32_t lease_find_out(const struct lw_engine_lease *lease, uint32_t job)
{
	uint32_t i = 0;

	while (i < lease->count && lease->outs[i].job != job)
		i++;
	return i;
}

/* From the order to the room. */
static int64_t lease_leave_s(const struct lw_lease_settings *lease, const struct lw_sim_job *job)
{
	if (job && job->resumable)
		return job->save_s;
	return lease->saves_s ? lease->kill_s : lease->save_s;
}

/* Of its work: what it did while it saves, or since it saved. */
static int64_t lease_save_s(const struct lw_lease_settings *lease, const struct lw_sim_job *job,
			    int64_t ran_s)
{
	if (job->resumable)
		return job->save_s;
	return lease->saves_s ? ran_s % lease->saves_s : lease->save_s;
}

/* What it would lose now: of its work, and by its new start. */
static int64_t lease_lost_s(const struct lw_lease_settings *lease, const struct lw_sim_job *job,
			    int64_t ran_s)
{
	return lease_save_s(lease, job, ran_s) + job->restart_s + lease->delay_s;
}

/* When its lease is over. */
static int64_t lease_over_s(const struct lw_engine *run, uint32_t index)
{
	const struct lw_lease_settings *settings = lease_settings(run);
	const struct lw_sim_job *job = &run->jobs[index];

	return job->start_s + lw_stop_rest_s(settings->lease_s, settings->back_s, job->stops > 0);
}

static bool lease_offers(const struct lw_engine *run, uint32_t index, int64_t now_s)
{
	const struct lw_lease_settings *settings = lease_settings(run);
	const struct lease_record *record = &run->lease->records[index];
	const struct lw_sim_job *job = &run->jobs[index];
	uint32_t until;

	if (!(record->bits & LW_AGREES) || now_s < lease_over_s(run, index) ||
	    (now_s - record->since_s < DAY_S && record->today >= settings->per_day) ||
	    lease_find_out(run->lease, index) < run->lease->count)
		return false;
	return !lw_lookup_get(&run->lease->never, lw_engine_agree_kind(job), &until) ||
	       now_s >= until;
}

/* A user has places kept for moves once in the time of stop.back, as far as users are known. */
static bool lease_may_move(const struct lw_engine *run, const struct lw_sim_job *job,
			   int64_t now_s)
{
	uint32_t until;

	return lease_settings(run)->gangs &&
	       (job->user == LW_HISTORY_NOBODY ||
		!lw_lookup_get(&run->lease->moved, job->user, &until) || now_s >= until);
}

static void lease_offer(struct lw_engine *run, uint32_t running, uint32_t index, int64_t now_s,
			uint32_t *count)
{
	struct lw_engine_lease *lease = run->lease;
	const struct lw_sim_job *job = &run->jobs[index];
	struct lw_lease_offer offer = { .running = running, .finish_by_s = job->finish_by_s };

	offer.lost_s = lease_lost_s(lease_settings(run), job, now_s - job->start_s);
	if (lease_may_move(run, job, now_s)) {
		lease->agains[*count] = lw_engine_waiting(run, index, now_s, UINT32_MAX);
		offer.again = &lease->agains[*count];
	}
	lease->offers[(*count)++] = offer;
}

static int lease_list_offers(struct lw_engine *run, int64_t now_s, uint32_t *ret_count)
{
	struct lw_engine_lease *lease = run->lease;
	uint32_t count = run->snap->running_count;

	*ret_count = 0;
	if (lw_grow((void **)&lease->offers, &lease->offer_room, count + 1,
		    sizeof(*lease->offers)) ||
	    lw_grow((void **)&lease->agains, &lease->again_room,
		    lease_settings(run)->gangs ? count + 1 : 1, sizeof(*lease->agains)))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t job_id = run->snap->running[i].job_id;

		if (!lw_engine_is_completing(run, job_id) &&
		    lease_offers(run, run->index_of[job_id], now_s))
			lease_offer(run, i, run->index_of[job_id], now_s, ret_count);
	}
	return 0;
}

/* ---- asked, gone, due ---- */

static int lease_ask(struct lw_engine *run, const struct lw_lease_stop *stop, int64_t now_s)
{
	struct lw_engine_lease *lease = run->lease;
	uint32_t index = run->index_of[stop->job_id];
	struct lease_record *record = &lease->records[index];
	bool deaf = record->bits & LW_AGREES_DEAF;
	int64_t due_s = now_s + lease_settings(run)->back_s, kept_s = 0;
	int64_t leave_s = lease_leave_s(lease_settings(run), &run->jobs[index]);

	if (lw_grow((void **)&lease->outs, &lease->room, lease->count + 1, sizeof(*lease->outs)))
		return -ENOMEM;
	if (now_s - record->since_s >= DAY_S)
		*record = (struct lease_record){ .since_s = now_s, .bits = record->bits };
	record->today++;
	/* as it would run there */
	if (stop->moves)
		kept_s = lw_end_after_s(now_s + leave_s + lease_settings(run)->delay_s,
					run->jobs[index].limit_s);
	if (stop->moves && lw_lookup_put(&lease->moved, run->jobs[index].user, (uint32_t)due_s))
		return -ENOMEM;
	lease->outs[lease->count++] = (struct lease_out){
		.job = index,
		.kept_s = kept_s,
		.for_id = stop->for_job,
		.next_s = now_s + (deaf ? DEAF_S : leave_s),
		.due_s = due_s,
		.first_s = lw_stop_first_s(now_s, due_s),
		.share = stop->share,
	};
	return kept_s ? lw_engine_keep(run, index, &lease->leases.places[stop->first_place],
				       stop->place_count, kept_s)
		      : 0;
}

/* What is on its way; STATE->served lasts until the next call. -ENOMEM. */
static int lease_state(struct lw_engine_lease *lease, struct lw_lease_state *ret_state)
{
	*ret_state = (struct lw_lease_state){ .out = 0 };
	if (lw_grow((void **)&lease->served, &lease->served_room, lease->count + 1,
		    sizeof(*lease->served)))
		return -ENOMEM;
	for (uint32_t i = 0; i < lease->count; i++) {
		ret_state->out += lease->outs[i].share;
		lease->served[i] = lease->outs[i].for_id;
	}
	ret_state->served = lease->served;
	ret_state->served_count = lease->count;
	return 0;
}

int lw_engine_lease(struct lw_engine *run, int64_t now_s)
{
	const struct lw_lease_settings *settings = lease_settings(run);
	struct lw_engine_lease *lease = run->lease;
	struct lw_lease_rules rules;
	struct lw_lease_state state;
	uint32_t count;
	int rc;

	if (!lease || !run->snap->queue.count)
		return 0;
	rules = (struct lw_lease_rules){ .shorts = settings->shorts,
					 .gangs = settings->gangs,
					 .dues = settings->dues,
					 .gain = settings->gain,
					 .share = settings->share,
					 .widest = settings->widest,
					 .leave_s = lease_leave_s(settings, NULL),
					 .back_s = settings->back_s };
	rc = lease_state(lease, &state);
	if (!rc)
		rc = lease_list_offers(run, now_s, &count);
	if (!rc)
		rc = lw_policy_lease(run->policy, &rules, &state, lease->offers, count,
				     &lease->leases);
	for (uint32_t i = 0; !rc && i < lease->leases.count; i++)
		rc = lease_ask(run, &lease->leases.stops[i], now_s);
	return rc;
}

/* Let the job with that id go before others, if it waits. */
static void lease_put_first(struct lw_engine *run, uint32_t id)
{
	uint32_t place;

	if (id && lw_engine_find(run, run->index_of[id], &place))
		run->snap->waiting[place].first = true;
}

/* It loses what it did while it saved or since it saved, its new start, or all. */
static int lease_leave(struct lw_engine *run, struct lease_out *out, int64_t now_s)
{
	const struct lw_lease_settings *settings = lease_settings(run);
	struct lw_sim_job *job = &run->jobs[out->job];
	int64_t done_s = job->done_s, ran_s = now_s - job->start_s;
	int rc;

	job->save_s = lease_save_s(settings, job, ran_s);
	rc = lw_engine_leave(run, out->job, now_s);
	if (run->lease->records[out->job].bits & LW_AGREES_ANEW) {
		job->done_s = 0;
		if (lw_lookup_put(&run->lease->never, lw_engine_agree_kind(job), UINT32_MAX))
			return -ENOMEM;
	}
	/* the start after an earlier stop was counted then */
	job->lost_s += ran_s - lw_sim_job_there_s(job, job->done_s - done_s) +
		       (job->stops == 1 ? job->restart_s : 0);
	out->where = IS_OUT;
	out->left_s = now_s;
	out->next_s = now_s + settings->delay_s;
	lease_put_first(run, out->for_id);
	return rc;
}

/* Does the job for which it has left still wait? */
static bool lease_yields(const struct lw_engine *run, const struct lease_out *out)
{
	uint32_t place;

	return out->for_id && lw_engine_find(run, run->index_of[out->for_id], &place);
}

/* What was kept is there for the next plan. */
static void lease_let_go(struct lw_engine *run, struct lease_out *out)
{
	if (out->kept_s)
		lw_engine_let_go(run, out->job, out->kept_s);
	out->kept_s = 0;
}

/* Its other place is free: it goes first, and so does the job that gets its room. */
static int lease_go(struct lw_engine *run, struct lease_out *out, int64_t now_s)
{
	int rc;

	lease_let_go(run, out);
	out->where = IS_FIRST;
	out->next_s = INT64_MAX;
	rc = lw_engine_queue(run, out->job, now_s, UINT32_MAX);
	lease_put_first(run, run->jobs[out->job].id);
	return rc;
}

/* What was to happen by itself. */
static int lease_step(struct lw_engine *run, struct lease_out *out, int64_t now_s)
{
	const struct lw_sim_job *job = &run->jobs[out->job];

	switch (out->where) {
	case ASKED:
		if (!(run->lease->records[out->job].bits & LW_AGREES_DEAF))
			return lease_leave(run, out, now_s);
		out->where = IS_DEAF;
		lease_let_go(run, out);
		return lw_lookup_put(&run->lease->never, lw_engine_agree_kind(job),
				     (uint32_t)(now_s + WEEK_S));
	case IS_OUT:
		if (out->kept_s)
			return lease_go(run, out, now_s);
		if (now_s < out->first_s && lease_yields(run, out)) {
			out->next_s = out->first_s;
			out->yields = true;
			return 0;
		}
		out->where = WAITS;
		out->next_s = out->first_s > now_s ? out->first_s : now_s;
		return lw_engine_queue(run, out->job, now_s, UINT32_MAX);
	default:
		out->where = IS_FIRST;
		out->next_s = INT64_MAX;
		lease_put_first(run, job->id);
		return 0;
	}
}

/* It ended before it left, or it runs again, or its user has taken it back. */
static bool lease_is_over(const struct lw_engine *run, const struct lease_out *out, int64_t now_s)
{
	const struct lw_sim_job *job = &run->jobs[out->job];

	if (job->cancel_after_s && job->submit_s + job->cancel_after_s <= now_s)
		return true;
	if (out->where == ASKED)
		return lw_sim_job_end_s(job) <= now_s;
	return out->where == IS_DEAF || (out->where > IS_OUT && job->start_s >= out->left_s);
}

int lw_engine_lease_step(struct lw_engine *run, int64_t now_s)
{
	struct lw_engine_lease *lease = run->lease;
	uint32_t kept = 0;
	int rc = 0;

	for (uint32_t i = 0; lease && i < lease->count; i++) {
		struct lease_out *out = &lease->outs[i];

		if (out->where == IS_OUT && out->yields && !lease_yields(run, out))
			out->next_s = now_s;
		while (!rc && !lease_is_over(run, out, now_s) && out->next_s <= now_s)
			rc = lease_step(run, out, now_s);
		if (!lease_is_over(run, out, now_s)) {
			lease->outs[kept++] = *out;
			continue;
		}
		lease_let_go(run, out);
		if (out->where >= WAITS && out->where < IS_DEAF)
			run->jobs[out->job].late += run->jobs[out->job].start_s > out->due_s;
	}
	if (lease)
		lease->count = kept;
	/* the plan that follows looks again */
	if (lease && lease->grows_s <= now_s)
		lease->grows_s = INT64_MAX;
	return rc;
}

/* A job may come to be due without anything else that happens. */
static int64_t lease_next_look_s(const struct lw_engine *run)
{
	const struct lw_snapshot *snap = run->snap;

	if (!lease_settings(run)->dues || !snap->running_count || !snap->queue.count)
		return INT64_MAX;
	return (snap->now_s / LOOK_S + 1) * LOOK_S;
}

/* What the job would gain by a stop now; one with a lease that is not over yet, nothing. */
static int64_t lease_gain_s(struct lw_engine *run, const struct lw_running *running, int64_t now_s)
{
	uint32_t index = run->index_of[running->job_id];
	int64_t over_s = lease_over_s(run, index);
	int64_t lost_s = lease_lost_s(lease_settings(run), &run->jobs[index], 0);
	int64_t gain_s = lw_engine_size_gain_s(run, index, running, lost_s);

	if (gain_s && over_s > now_s && over_s < run->lease->grows_s)
		run->lease->grows_s = over_s;
	return gain_s && lease_offers(run, index, now_s) ? gain_s : 0;
}

/* No job waits: of the jobs that may be asked, the one that gains most goes on on more nodes. */
int lw_engine_lease_grow(struct lw_engine *run, int64_t now_s)
{
	const struct lw_snapshot *snap = run->snap;
	struct lw_lease_stop stop = { .job_id = 0 };
	int64_t most_s = 0;

	run->lease->grows_s = INT64_MAX;
	if (snap->queue.count || run->lease->count)
		return 0;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *running = &snap->running[i];
		int64_t gain_s = lw_engine_is_completing(run, running->job_id)
					 ? 0
					 : lease_gain_s(run, running, now_s);

		if (gain_s > most_s) {
			most_s = gain_s;
			stop.job_id = running->job_id;
		}
	}
	return stop.job_id ? lease_ask(run, &stop, now_s) : 0;
}

int64_t lw_engine_lease_next_s(const struct lw_engine *run)
{
	int64_t next_s = run->lease ? lease_next_look_s(run) : INT64_MAX;

	if (run->lease && run->lease->grows_s < next_s)
		next_s = run->lease->grows_s;
	for (uint32_t i = 0; run->lease && i < run->lease->count; i++)
		if (run->lease->outs[i].next_s < next_s)
			next_s = run->lease->outs[i].next_s;
	return next_s;
}
