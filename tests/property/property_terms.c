/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what plans must satisfy where jobs have constraints: preemption, reservation windows,
 * needs, shares. */
#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "property/oracle_terms.h"
#include "property/oracle_times.h"
#include "property/random.h"
#include "property/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One random moment, its plan, and who was preempted in it. */
struct round {
	struct prng prng;
	struct lw_policy_params params;
	struct lw_snapshot snap;
	struct lw_policy *policy;
	struct lw_plan plan;
	int64_t *gone;
};

#define ANY_POLICY -1

static int begin_round(struct round *round, const struct random_shape *shape, int kind,
		       uint64_t seed, struct lw_strbuf *why)
{
	*round = (struct round){ .prng = { seed } };
	lw_plan_init(&round->plan);
	random_params(&round->prng, &round->params);
	if (kind != ANY_POLICY) {
		round->params.kind = (enum lw_policy_kind)kind;
		round->params.order = LW_ORDER_GIVEN;
		round->params.deadlines = LW_DEADLINES_OFF;
		round->params.backfill_order = LW_BACKFILL_PRIORITY;
		round->params.outside = NULL;
	}
	if (random_snapshot(&round->prng, shape, &round->snap) ||
	    lw_policy_create(&round->params, NULL, &round->policy) ||
	    lw_policy_cycle(round->policy, &round->snap, &round->plan))
		return BROKEN(why, "no plan\n");
	round->gone = calloc((size_t)round->snap.running_count + 1, sizeof(*round->gone));
	return oracle_replay(&round->snap, &round->plan, round->gone, why);
}

/* Free all; a broken round shows its snapshot and plan, ready to become a golden file. */
static int end_round(struct round *round, int rc, struct lw_strbuf *why)
{
	if (rc) {
		lw_snapshot_print(&round->snap, why);
		lw_policy_params_print(&round->params, why);
		lw_plan_print(&round->plan, &round->snap, why);
	}
	free(round->gone);
	lw_plan_fini(&round->plan);
	lw_policy_destroy(round->policy);
	lw_snapshot_fini(&round->snap);
	return rc;
}

static struct oracle_view view_of(const struct round *round, const struct lw_waiting *job,
				  int64_t before)
{
	return (struct oracle_view){ .snap = &round->snap,
				     .plan = &round->plan,
				     .gone = round->gone,
				     .before = before,
				     .job = job };
}

static const struct lw_waiting *job_of(const struct round *round,
				       const struct lw_decision *decision)
{
	return &round->snap.waiting[decision->waiting];
}

static int starts_fit(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;

	return end_round(&round, begin_round(&round, &random_odd, ANY_POLICY, seed, why), why);
}

/* Two totals, and several needs, are met greedily: a fit may be missed. */
static bool is_greedy(const struct round *round, const struct lw_waiting *job)
{
	const struct lw_coallocation *coallocation;

	if (job->request.cpus_total && job->request.gpus_total)
		return true;
	if (!job->constraints.coallocation)
		return false;
	coallocation = &round->snap.coallocations[job->constraints.coallocation - 1];
	for (uint32_t i = 0; i < coallocation->need_count; i++) {
		/* licences meet nobody */
		if (round->snap.needs[coallocation->first_need + i].request.mem_per_node_mib ||
		    round->snap.sets[round->snap.needs[coallocation->first_need + i].set]
				    .name[0] != 'l')
			return true;
	}
	return false;
}

/* Is there room for the job of VIEW at TIME_S? */
static bool has_room(const struct oracle_view *view, int64_t time_s)
{
	struct lw_res *free_res = oracle_free(view, time_s);
	bool found = oracle_fits(view->snap, view->job, free_res, time_s);

	free(free_res);
	return found;
}

/* Policies that promise a job its shadow time: it is the first at which there is room. */
static int check_shadow(const struct round *round, const struct lw_decision *decision,
			struct lw_strbuf *why)
{
	const struct lw_waiting *job = job_of(round, decision);
	struct oracle_view view = view_of(round, job, decision->first_alloc);
	struct lw_res *free_res = oracle_free(&view, decision->start_s);
	int64_t *times;
	uint32_t count;
	int rc;

	rc = oracle_may_start(&round->snap, job, &round->plan.allocs[decision->first_alloc],
			      decision->alloc_count, free_res, decision->start_s, why);
	free(free_res);
	if (rc)
		return BROKEN(why, "job %" PRIu32 " has no room when it is to start\n",
			      job->job_id);
	/* who waits for a type of GPUs, by choice, may have room before on others */
	if (is_greedy(round, job) || decision->reason == LW_REASON_WAITS_FOR_TYPE)
		return 0;
	times = oracle_ends(&round->snap, &round->plan, &count);
	for (uint32_t i = 0; i < count && !rc; i++) {
		if (times[i] > round->snap.now_s && times[i] < decision->start_s &&
		    has_room(&view, times[i]))
			rc = BROKEN(why, "job %" PRIu32 " has room at %" PRId64 " already\n",
				    job->job_id, times[i]);
	}
	view.starts_stay = true;
	if (!rc && has_room(&view, round->snap.now_s) &&
	    decision->reason != LW_REASON_WAITS_FOR_NEARER)
		rc = BROKEN(why, "job %" PRIu32 " has room now\n", job->job_id);
	free(times);
	return rc;
}

static int shadows_are_true(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, &random_odd, (int)kind_with(LW_FILLS, seed), seed, why);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		if (round.plan.decisions[i].verdict == LW_RESERVE)
			rc = check_shadow(&round, &round.plan.decisions[i], why);
	}
	return end_round(&round, rc, why);
}

/* Has the job of VIEW room at some time up to UNTIL_S? */
static bool has_room_by(const struct round *round, const struct oracle_view *view, int64_t until_s)
{
	uint32_t count;
	int64_t *times = oracle_ends(&round->snap, &round->plan, &count);
	bool found = has_room(view, until_s);

	for (uint32_t i = 0; i < count && !found; i++)
		found = times[i] > round->snap.now_s && times[i] < until_s &&
			has_room(view, times[i]);
	free(times);
	return found;
}

/* After all that was started, a promised job has room by its latest start. */
static int reservations_hold(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int kind = (int)kind_with(LW_FILLS | LW_DEADLINES, seed);
	int rc = begin_round(&round, &random_odd, kind, seed, why);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];
		struct oracle_view view = view_of(&round, job_of(&round, decision), ORACLE_ALL);
		int64_t late_s = decision->latest_s;

		if (decision->verdict != LW_RESERVE || is_greedy(&round, view.job))
			continue;
		if (!lw_policy_has(round.params.kind, LW_SLIPS) || late_s < decision->start_s)
			late_s = decision->start_s;
		/* it need not be then: something may close before */
		if (!has_room(&view, decision->start_s) && !has_room_by(&round, &view, late_s))
			rc = BROKEN(why, "job %" PRIu32 " has no room at %" PRId64 "\n",
				    decision->job_id, late_s);
	}
	return end_round(&round, rc, why);
}

/* Lower FREE_RES to what reservation RESERVED leaves to a job that outlasts its start. */
static void respect(const struct round *round, const struct lw_decision *reserved, int64_t before,
		    struct lw_res *free_res)
{
	const struct lw_alloc *allocs = &round->plan.allocs[reserved->first_alloc];
	struct oracle_view view = view_of(round, job_of(round, reserved), before);
	struct lw_res *then;

	view.heeds_lower = true;
	then = oracle_free(&view, reserved->start_s);
	for (uint32_t a = 0; a < reserved->alloc_count; a++) {
		lw_res_sub(&then[allocs[a].node], &allocs[a].res);
		lw_res_min(&free_res[allocs[a].node], &then[allocs[a].node]);
	}
	free(then);
}

/* Was somebody preempted between the two? What he leaves counts in the next cycle. */
static bool preempts_between(const struct round *round, int64_t after, int64_t before)
{
	for (uint32_t r = 0; r < round->snap.running_count; r++) {
		if (round->gone[r] >= after && round->gone[r] < before)
			return true;
	}
	return false;
}

/* EASY: who waits has no room, now, that would delay nobody. */
static int check_left_out(const struct round *round, const struct lw_decision *decision,
			  struct lw_strbuf *why)
{
	const struct lw_waiting *job = job_of(round, decision);
	struct oracle_view view = view_of(round, job, decision->first_alloc);
	struct lw_res *free_res;
	bool late = false;
	int rc = 0;

	view.starts_stay = true;
	free_res = oracle_free(&view, round->snap.now_s);
	for (uint32_t i = 0; i < round->plan.decision_count; i++) {
		const struct lw_decision *reserved = &round->plan.decisions[i];
		const struct lw_constraints *constraints = &job_of(round, reserved)->constraints;

		late |= reserved->verdict == LW_RESERVE &&
			preempts_between(round, reserved->first_alloc, decision->first_alloc);
		if (reserved->verdict == LW_RESERVE && reserved < decision &&
		    reserved->job_id != job->job_id &&
		    !(job->constraints.preempt_class &&
		      (constraints->preempts >> job->constraints.preempt_class & 1)) &&
		    round->snap.now_s + job->limit_s > reserved->start_s)
			respect(round, reserved, decision->first_alloc, free_res);
	}
	/* an exclusive job may not have what is left of a reserved node, nor want it */
	if (!late && !job->request.exclusive && !is_greedy(round, job) &&
	    oracle_fits(&round->snap, job, free_res, round->snap.now_s))
		rc = BROKEN(why, "job %" PRIu32 " would delay nobody\n", job->job_id);
	free(free_res);
	return rc;
}

static int easy_fills_in(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, &random_odd, LW_POLICY_EASY, seed, why);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];

		if (decision->reason == LW_REASON_WAITS_FOR_HEAD ||
		    decision->reason == LW_REASON_WAITS_FOR_ROOM ||
		    decision->reason == LW_REASON_WAITS_FOR_NODES)
			rc = check_left_out(&round, decision, why);
	}
	return end_round(&round, rc, why);
}

/* The least that is free from START_S until the job is over; free() it. */
/* May it preempt one that started before it in this cycle? That is for the next one. */
static bool may_preempt_a_start(const struct round *round, const struct lw_decision *decision)
{
	const struct lw_constraints *constraints = &job_of(round, decision)->constraints;

	for (uint32_t i = 0; i < round->plan.decision_count; i++) {
		const struct lw_decision *start = &round->plan.decisions[i];
		const struct lw_waiting *job = job_of(round, start);

		if (start->verdict == LW_START && start->first_alloc < decision->first_alloc &&
		    oracle_preempts(constraints, job->constraints.preempt_class, job->priority))
			return true;
	}
	return false;
}

static bool is_any_reserved(const struct round *round, int64_t before)
{
	for (uint32_t i = 0; i < round->plan.decision_count; i++) {
		if (round->plan.decisions[i].verdict == LW_RESERVE &&
		    round->plan.decisions[i].first_alloc < before)
			return true;
	}
	return false;
}

/* Was somebody's room kept when DECISION was made who then started after it? */
static bool is_any_kept(const struct round *round, const struct lw_decision *decision)
{
	const struct lw_decision *other = round->plan.decisions;

	for (; other < decision; other++) {
		if (other->verdict == LW_START && other->first_alloc > decision->first_alloc)
			return true;
	}
	return false;
}

/* With deadlines guarded the nodes of a job with one are kept for it, by nobody's decision. */
static bool is_any_guarded(const struct round *round)
{
	for (uint32_t i = 0; i < round->snap.waiting_count; i++) {
		if (round->snap.waiting[i].accepted || round->snap.waiting[i].finish_by_s)
			return round->params.deadlines == LW_DEADLINES_GUARD;
	}
	return false;
}

/* Nobody is preempted for a job that has room beside all who run, unless that was promised
 * before. */
static int nobody_goes_in_vain(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, &random_odd, ANY_POLICY, seed, why);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];
		struct lw_waiting plain = *job_of(&round, decision);
		struct oracle_view view = view_of(&round, &plain, decision->first_alloc);

		plain.constraints.preempts = plain.constraints.preempts_lower = 0;
		if (decision->reason == LW_REASON_STARTS_PREEMPTING &&
		    !is_greedy(&round, &plain) &&
		    !is_any_reserved(&round, decision->first_alloc) &&
		    !is_any_kept(&round, decision) && !is_any_guarded(&round) &&
		    has_room(&view, round.snap.now_s))
			rc = BROKEN(why, "job %" PRIu32 " need put off nobody\n", plain.job_id);
	}
	return end_round(&round, rc, why);
}

/*
 * Who has room at its start preempts nobody more, and is not preempted by who has room beside it:
 * those may then be in the way of what is reserved by then. It may have to start later, though
 * not later than if nobody yielded.
 */
static bool preempts_too_few(const struct round *round, const struct oracle_view *view,
			     int64_t first_s, int64_t start_s)
{
	struct lw_waiting plain = *view->job;
	struct oracle_view all = *view;
	int64_t *times, all_s;
	uint32_t count;

	if (first_s == INT64_MAX ||
	    !(plain.constraints.preempts | plain.constraints.preempts_lower |
	      plain.constraints.preempt_class))
		return false;
	plain.constraints.preempts = plain.constraints.preempts_lower =
		plain.constraints.preempt_class = 0;
	all.job = &plain;
	times = oracle_times(&round->snap, &round->plan, &count);
	all_s = oracle_earliest(&all, times, count);
	free(times);
	return is_any_reserved(round, view->before) && all_s > first_s &&
	       ((start_s > first_s && start_s <= all_s) || plain.constraints.now_only);
}

/* A planned start may count on whom a reservation before it preempts when it begins. */
static bool counts_on_others(const struct round *round, const struct lw_decision *decision)
{
	for (uint32_t i = 0; i < round->plan.decision_count; i++) {
		const struct lw_decision *other = &round->plan.decisions[i];
		const struct lw_constraints *constraints = &job_of(round, other)->constraints;

		if (other->verdict == LW_RESERVE && other->first_alloc < decision->first_alloc &&
		    job_of(round, other)->planned_s && other->start_s <= decision->start_s &&
		    (constraints->preempts | constraints->preempts_lower))
			return job_of(round, decision)->planned_s != 0;
	}
	return false;
}

/* Conservative: each in its turn has the earliest start beside all before it. */
static int check_earliest(const struct round *round, const struct lw_decision *decision,
			  struct lw_strbuf *why)
{
	const struct lw_waiting *job = job_of(round, decision);
	struct oracle_view view = view_of(round, job, decision->first_alloc);
	int64_t start_s = decision->verdict == LW_WAIT ? INT64_MAX : decision->start_s, first_s;
	uint32_t count;
	int64_t *times = oracle_times(&round->snap, &round->plan, &count);

	view.reservations = true;
	first_s = oracle_earliest(&view, times, count);
	free(times);
	if (job->constraints.now_only && decision->verdict == LW_WAIT &&
	    (first_s > round->snap.now_s || may_preempt_a_start(round, decision)))
		return 0;
	if (start_s < first_s && counts_on_others(round, decision))
		return 0;
	if (first_s != start_s && !preempts_too_few(round, &view, first_s, start_s))
		return BROKEN(why, "job %" PRIu32 " at %" PRId64 ", not %" PRId64 "\n",
			      job->job_id, start_s, first_s);
	return 0;
}

static int conservative_is_earliest(uint64_t seed, struct lw_strbuf *why)
{
	static const struct random_shape small = { .nodes_max = 6, .sets_max = 3,
						   .running_percent = 120, .waiting_max = 15,
						   .odd = true };
	struct round round;
	int rc = begin_round(&round, &small, LW_POLICY_CONSERVATIVE, seed, why);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];

		if (!is_greedy(&round, job_of(&round, decision)) &&
		    (decision->verdict != LW_WAIT ||
		     decision->reason == LW_REASON_WAITS_FOR_ROOM ||
		     decision->reason == LW_REASON_WAITS_FOR_NODES))
			rc = check_earliest(&round, decision, why);
	}
	return end_round(&round, rc, why);
}

/* Whatever the policy planned before. */
static int same_in_same_out(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf once = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_snapshot other = { 0 };
	struct round round;
	int rc = begin_round(&round, &random_odd, ANY_POLICY, seed, why);

	lw_plan_print(&round.plan, &round.snap, &once);
	if (!rc && (random_snapshot(&round.prng, &random_odd, &other) ||
		    lw_policy_cycle(round.policy, &other, &round.plan) ||
		    lw_policy_cycle(round.policy, &round.snap, &round.plan)))
		rc = BROKEN(why, "no plan\n");
	if (!rc)
		lw_plan_print(&round.plan, &round.snap, &again);
	if (!rc && strcmp(lw_strbuf_text(&once), lw_strbuf_text(&again)))
		rc = BROKEN(why, "another plan:\n%s", lw_strbuf_text(&once));
	lw_snapshot_fini(&other);
	lw_strbuf_fini(&once);
	lw_strbuf_fini(&again);
	return end_round(&round, rc, why);
}

static const struct property properties[] = {
	{ "the same snapshot gives the same plan", same_in_same_out, 800 },
	{ "starts have room, with whom they may put off gone", starts_fit, 2000 },
	{ "a shadow time is the first with room for the job", shadows_are_true, 1000 },
	{ "a reserved job has room by its latest start", reservations_hold, 1500 },
	{ "EASY leaves nobody out who would delay nobody", easy_fills_in, 1000 },
	{ "conservative gives each the earliest start", conservative_is_earliest, 400 },
	{ "nobody is put off for who has room without", nobody_goes_in_vain, 2000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
