/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what every plan must satisfy, over random snapshots. */
#include "planner/policies/policy.h"
#include "planner/cycle/relax.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "property/oracle.h"
#include "property/plan_round.h"
#include "property/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Do decisions come in the order of the snapshot? */
static bool in_queue_order(const struct lw_policy_params *params)
{
	return lw_policy_has(params->kind, LW_IN_ORDER | LW_FILLS) && lw_queue_is_given(params) &&
	       params->backfill_order == LW_BACKFILL_PRIORITY;
}

/* As round_begin(), but one head after the other in the queue's order, each by its shadow. */
static int begin_queue_round(struct round *round, uint64_t seed)
{
	int rc = round_begin(round, seed);

	if (rc || in_queue_order(&round->params))
		return rc;
	round->params.kind = LW_POLICY_RELAXED;
	round->params.order = LW_ORDER_GIVEN;
	round->params.deadlines = LW_DEADLINES_OFF;
	round->params.backfill_order = LW_BACKFILL_PRIORITY;
	lw_policy_destroy(round->policy);
	round->policy = NULL;
	rc = lw_policy_create(&round->params, NULL, &round->policy);
	return rc ? rc : lw_policy_cycle(round->policy, &round->snap, &round->plan);
}

static int check_starts(const struct round *round, struct lw_strbuf *why)
{
	const struct lw_snapshot *snap = &round->snap;
	struct lw_res *free_res = free_now(snap);
	int rc = free_res ? 0 : BROKEN(why, "out of memory\n");

	for (uint32_t i = 0; i < round->plan.decision_count && !rc; i++) {
		const struct lw_decision *start = &round->plan.decisions[i];
		const struct lw_waiting *job = &snap->waiting[start->waiting];
		const struct lw_alloc *allocs = lw_decision_allocs(&round->plan, start);

		if (start->verdict != LW_START)
			continue;
		if (start->start_s != snap->now_s)
			rc = BROKEN(why, "a start that is not now\n");
		else
			rc = oracle_serves(snap, job->set, &job->request, allocs,
					   start->alloc_count, free_res, why);
		if (rc)
			lw_strbuf_add(why, "start of job %" PRIu32 "\n", start->job_id);
		for (uint32_t a = 0; a < start->alloc_count && !rc; a++)
			lw_res_sub(&free_res[allocs[a].node], &allocs[a].res);
	}
	free(free_res);
	return rc;
}

static int starts_fit(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = round_begin(&round, seed);

	if (!rc)
		rc = check_starts(&round, why);
	return round_end(&round, rc, why);
}

/* How far a promise may slip, restated from the definition in policy.h. */
static int64_t latest_of(const struct round *round, const struct lw_waiting *job,
			 int64_t promise_s)
{
	const struct lw_policy_params *params = &round->params;
	double slack = params->relax * (double)(promise_s - job->submit_s);

	if (!lw_policy_has(params->kind, LW_SLIPS) || slack <= 0)
		return promise_s;
	if (lw_policy_has(params->kind, LW_SLIPS_BY_QUEUE) &&
	    round->snap.waiting_count < LW_RELAX_QUEUE_FULL)
		slack = slack * round->snap.waiting_count / LW_RELAX_QUEUE_FULL;
	return promise_s +
	       (slack < (double)params->relax_cap_s ? (int64_t)slack : params->relax_cap_s);
}

/* The latest moment at which a reserved job must have room, whatever was backfilled. */
static int64_t limit_of(const struct lw_policy_params *params, const struct lw_decision *decision)
{
	if (lw_policy_has(params->kind, LW_SLIPS) && decision->latest_s > decision->start_s)
		return decision->latest_s;
	return decision->start_s;
}

static int check_promise(const struct round *round, const struct lw_decision *decision,
			 struct lw_strbuf *why)
{
	const struct lw_waiting *job = &round->snap.waiting[decision->waiting];
	bool used_up = decision > round->plan.decisions && decision[-1].verdict == LW_START &&
		       decision[-1].waiting == decision->waiting;
	int64_t promise_s = decision->start_s;

	/* the promise was the first pending task's: a start before it uses it up */
	if (job->promise_s != LW_NO_TIME && !used_up)
		promise_s = job->promise_s;
	if (decision->promise_s != promise_s)
		return BROKEN(why, "job %" PRIu32 ": promise moved\n", job->job_id);
	if (decision->latest_s != latest_of(round, job, promise_s))
		return BROKEN(why, "job %" PRIu32 ": latest start\n", job->job_id);
	if (decision->start_s <= round->snap.now_s)
		return BROKEN(why, "job %" PRIu32 ": reserved for the past\n", job->job_id);
	return 0;
}

/*
 * With every job ending at its limit, the reserved job has its nodes in time. One that
 * may slip has room then, not always on the nodes it would have had without.
 */
static int check_reservation(const struct round *round, const struct lw_decision *decision,
			     struct lw_strbuf *why)
{
	const struct lw_waiting *job = &round->snap.waiting[decision->waiting];
	int64_t time_s = limit_of(&round->params, decision);
	struct lw_res *free_res;
	int rc;

	rc = check_promise(round, decision, why);
	if (rc)
		return rc;
	free_res = oracle_free_at(&round->snap, &round->plan, round->plan.decision_count, time_s);
	if (!free_res)
		return BROKEN(why, "out of memory\n");
	rc = oracle_serves(&round->snap, job->set, &job->request,
			   lw_decision_allocs(&round->plan, decision), decision->alloc_count,
			   free_res, why);
	if (rc && time_s > decision->start_s && round_fits(&round->snap, job, free_res))
		rc = 0;
	if (rc)
		lw_strbuf_add(why, "job %" PRIu32 " has no room at %" PRId64 "\n", job->job_id,
			      time_s);
	free(free_res);
	return rc;
}

static int reservations_hold(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_queue_round(&round, seed);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		if (round.plan.decisions[i].verdict == LW_RESERVE)
			rc = check_reservation(&round, &round.plan.decisions[i], why);
	}
	return round_end(&round, rc, why);
}

/* Is there room for JOB at TIME_S, after the first DECISIONS decisions? */
static bool has_room(const struct round *round, const struct lw_waiting *job, uint32_t decisions,
		     int64_t time_s)
{
	struct lw_res *free_res = oracle_free_at(&round->snap, &round->plan, decisions, time_s);
	bool found = free_res && round_fits(&round->snap, job, free_res);

	free(free_res);
	return found;
}

/* leeway's latest start, restated: promise, slack, and a risk's cap if risks are taken. */
static int64_t leeway_latest(const struct lw_policy_params *params, const struct lw_waiting *job,
			     int64_t promise_s)
{
	double slack = params->slack * (double)(promise_s - job->submit_s);
	int64_t latest_s = promise_s;

	if (slack > (double)params->slack_cap_s)
		slack = (double)params->slack_cap_s;
	if (slack > 0)
		latest_s += (int64_t)slack;
	return params->price > 0 ? latest_s + params->risk_cap_s : latest_s;
}

/*
 * leeway: whatever was filled in, a promised job has room by its latest start if all jobs
 * run to their limits; or, if it is later than that already, by its shadow time.
 */
static int leeway_is_bounded(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	struct lw_policy *leeway;
	int rc = round_begin(&round, seed);

	round.params.kind = LW_POLICY_LEEWAY;
	round.params.deadlines = LW_DEADLINES_OFF;
	if (!rc && !lw_policy_create(&round.params, NULL, &leeway)) {
		rc = lw_policy_cycle(leeway, &round.snap, &round.plan);
		lw_policy_destroy(leeway);
	}
	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];
		const struct lw_waiting *job = &round.snap.waiting[decision->waiting];
		int64_t late_s = decision->latest_s;

		if (decision->verdict != LW_RESERVE ||
		    (job->request.cpus_total && job->request.gpus_total))
			continue;
		if (late_s != leeway_latest(&round.params, job, decision->promise_s))
			rc = BROKEN(why, "job %" PRIu32 ": latest start\n", job->job_id);
		if (late_s < decision->start_s)
			late_s = decision->start_s;
		if (!rc && !has_room(&round, job, round.plan.decision_count, late_s))
			rc = BROKEN(why, "job %" PRIu32 " has no room at %" PRId64 "\n",
				    job->job_id, late_s);
	}
	return round_end(&round, rc, why);
}

/* No end of a job before the reservation would have made the room. */
static int check_earliest(const struct round *round, uint32_t index, struct lw_strbuf *why)
{
	const struct lw_decision *decision = &round->plan.decisions[index];
	const struct lw_waiting *job = &round->snap.waiting[decision->waiting];
	int64_t end_s;

	if (has_room(round, job, index, round->snap.now_s) && !index)
		return BROKEN(why, "job %" PRIu32 ": there is room now\n", job->job_id);
	if (!has_room(round, job, index, decision->start_s))
		return BROKEN(why, "job %" PRIu32 ": reserved without room\n", job->job_id);
	for (uint32_t i = 0; i < round->snap.running_count; i++) {
		end_s = round->snap.running[i].end_s;
		if (end_s > round->snap.now_s && end_s < decision->start_s &&
		    has_room(round, job, index, end_s))
			return BROKEN(why, "job %" PRIu32 ": room at %" PRId64 " already\n",
				      job->job_id, end_s);
	}
	return 0;
}

static int reservations_are_earliest(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_queue_round(&round, seed);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		if (round.plan.decisions[i].verdict == LW_RESERVE &&
		    round.plan.decisions[i].reason != LW_REASON_WAITS_FOR_TYPE)
			rc = check_earliest(&round, i, why);
	}
	return round_end(&round, rc, why);
}

/* The plan of SNAP as text by POLICY. */
static int plan_text(struct lw_policy *policy, const struct lw_snapshot *snap,
		     struct lw_strbuf *out)
{
	struct lw_plan plan;
	int rc;

	lw_plan_init(&plan);
	rc = lw_policy_cycle(policy, snap, &plan);
	if (!rc)
		lw_plan_print(&plan, snap, out);
	lw_plan_fini(&plan);
	return rc;
}

/* A policy that has planned other moments before plans this one no differently. */
static int used_policy_text(struct round *round, struct lw_strbuf *out)
{
	struct lw_policy *policy;
	struct lw_strbuf other = LW_STRBUF_INIT;
	struct lw_snapshot snap;
	int rc;

	if (lw_policy_create(&round->params, NULL, &policy))
		return -ENOMEM;
	rc = random_snapshot(&round->prng, &random_usual, &snap);
	if (!rc)
		rc = plan_text(policy, &snap, &other);
	if (!rc)
		rc = plan_text(policy, &round->snap, out);
	lw_snapshot_fini(&snap);
	lw_strbuf_fini(&other);
	lw_policy_destroy(policy);
	return rc;
}

static int same_in_same_out(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf once = LW_STRBUF_INIT, again = LW_STRBUF_INIT, used = LW_STRBUF_INIT;
	struct round round;
	int rc = round_begin(&round, seed);

	lw_plan_print(&round.plan, &round.snap, &once);
	if (!rc)
		rc = plan_text(round.policy, &round.snap, &again);
	if (!rc)
		rc = used_policy_text(&round, &used);
	if (!rc && strcmp(lw_strbuf_text(&once), lw_strbuf_text(&again)))
		rc = BROKEN(why, "another plan the second time:\n%s", lw_strbuf_text(&again));
	if (!rc && strcmp(lw_strbuf_text(&once), lw_strbuf_text(&used)))
		rc = BROKEN(why, "another plan by a used policy:\n%s", lw_strbuf_text(&used));
	lw_strbuf_fini(&once);
	lw_strbuf_fini(&again);
	lw_strbuf_fini(&used);
	return round_end(&round, rc, why);
}

/* Starts of the record INDEX; *ret_last is its last decision, NULL without any. */
static uint32_t starts_of(const struct lw_plan *plan, uint32_t index,
			  const struct lw_decision **ret_last)
{
	uint32_t starts = 0;

	*ret_last = NULL;
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		if (plan->decisions[i].waiting != index)
			continue;
		starts += plan->decisions[i].verdict == LW_START;
		*ret_last = &plan->decisions[i];
	}
	return starts;
}

static int check_record(const struct round *round, uint32_t index, struct lw_strbuf *why)
{
	const struct lw_waiting *job = &round->snap.waiting[index];
	const struct lw_decision *last, *other;
	uint32_t starts = starts_of(&round->plan, index, &last);

	if (!last)
		return BROKEN(why, "job %" PRIu32 ": no decision\n", job->job_id);
	if (last->job_id != job->job_id)
		return BROKEN(why, "job %" PRIu32 ": another's decision\n", job->job_id);
	if (starts > job->tasks || (last->verdict == LW_START && starts != job->tasks))
		return BROKEN(why, "job %" PRIu32 ": %" PRIu32 " of %" PRIu32 " starts\n",
			      job->job_id, starts, job->tasks);
	if (starts && (job->readiness != LW_READY || job->begin_s > round->snap.now_s))
		return BROKEN(why, "job %" PRIu32 ": started too early\n", job->job_id);
	for (uint32_t i = 0; i < index && starts; i++) {
		if (round->snap.waiting[i].job_id == job->job_id &&
		    starts_of(&round->plan, i, &other))
			return BROKEN(why, "job %" PRIu32 ": started twice\n", job->job_id);
	}
	return 0;
}

static int everyone_is_decided(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = round_begin(&round, seed);

	for (uint32_t i = 0; i < round.snap.waiting_count && !rc; i++)
		rc = check_record(&round, i, why);
	if (!in_queue_order(&round.params))
		return round_end(&round, rc, why);
	for (uint32_t i = 1; i < round.plan.decision_count && !rc; i++) {
		if (round.plan.decisions[i].waiting < round.plan.decisions[i - 1].waiting)
			rc = BROKEN(why, "decisions out of order\n");
	}
	return round_end(&round, rc, why);
}

/* Whoever is left waiting for room has none, and reasons do not lie. */
static int reasons_are_true(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = round_begin(&round, seed);
	uint32_t all = round.plan.decision_count;

	for (uint32_t i = 0; i < all && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];
		const struct lw_waiting *job = &round.snap.waiting[decision->waiting];

		if (decision->reason == LW_REASON_WAITS_FOR_ROOM &&
		    !(job->request.cpus_total && job->request.gpus_total) &&
		    has_room(&round, job, all, round.snap.now_s))
			rc = BROKEN(why, "job %" PRIu32 " has room\n", job->job_id);
		if (decision->reason == LW_REASON_WAITS_FOR_NODES &&
		    has_room(&round, job, all, INT64_MAX))
			rc = BROKEN(why, "job %" PRIu32 " fits some time\n", job->job_id);
		/* what is remembered of a twin may be older than the starts since */
		if ((decision->reason == LW_REASON_WAITS_FOR_HEAD ||
		     decision->reason == LW_REASON_WAITS_FOR_BROKEN) &&
		    !has_room(&round, job, 0, round.snap.now_s))
			rc = BROKEN(why, "job %" PRIu32 " had no room\n", job->job_id);
	}
	return round_end(&round, rc, why);
}

static const struct property properties[] = {
	{ "starts fit and satisfy their requests", starts_fit, 1500 },
	{ "a reserved job has room by its latest start", reservations_hold, 1500 },
	{ "leeway slips no further than its caps", leeway_is_bounded, 1500 },
	{ "a reservation is as early as hard limits allow", reservations_are_earliest, 800 },
	{ "the same snapshot gives the same plan", same_in_same_out, 500 },
	{ "every record is decided, nobody starts twice", everyone_is_decided, 1500 },
	{ "reasons to wait are true", reasons_are_true, 800 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
