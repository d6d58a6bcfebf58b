/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs are stopped: only jobs that agree, within bounds, at no promise's cost. */
#include "base/stop.h"
#include "planner/model/snapshot_step.h"
#include "property/plan_round.h"
#include "property/random.h"
#include "property/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 400 /* running jobs at most */

static const struct random_shape shape = {
	.nodes_max = 16,
	.sets_max = 3,
	.running_percent = 150,
	.waiting_max = 40,
	.plain = true,
};

/* A random moment, and what is stopped in it. */
struct lease {
	struct round round;
	struct lw_lease_rules rules;
	struct lw_lease_state state;
	struct lw_lease_offer offers[ROOM];
	uint32_t count, served[4];
	uint8_t barred[ROOM]; /* by waiting record */
	struct lw_waiting agains[ROOM]; /* of the offers, if jobs may move */
	struct lw_leases leases;
};

static int lease_by_end(const void *a, const void *b)
{
	const struct lw_running *x = a, *y = b;

	if (x->end_s != y->end_s)
		return x->end_s < y->end_s ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

static int lease_plan(struct round *round, uint64_t seed, enum lw_stop_for stop_for)
{
	struct lw_snapshot *snap = &round->snap;

	*round = (struct round){ .prng = { seed } };
	lw_plan_init(&round->plan);
	random_params(&round->prng, &round->params);
	/* conservative stops no job; fcfs goes by the order of the queue, in which none is first */
	if (lw_policy_has(round->params.kind, LW_RESERVES_ALL) ||
	    lw_policy_has(round->params.kind, LW_IN_ORDER))
		round->params.kind = LW_POLICY_LEEWAY;
	round->params.deadlines =
		stop_for == LW_STOP_FOR_DEADLINE ? LW_DEADLINES_ORDER : LW_DEADLINES_OFF;
	round->params.order_age_s = 0;
	round->params.keep_promises = true;
	round->params.terse = false;
	if (random_snapshot(&round->prng, &shape, &round->snap) ||
	    round->snap.running_count > ROOM ||
	    lw_policy_create(&round->params, NULL, &round->policy))
		return -1;
	/* so that jobs can be taken out again */
	if (snap->running_count)
		qsort(snap->running, snap->running_count, sizeof(*snap->running), lease_by_end);
	snap->running_sorted = true;
	return 0;
}

/* As it would wait for what it holds on its one node, with a limit of its own. */
static const struct lw_waiting *lease_again(struct lease *lease, uint32_t running)
{
	struct prng *prng = &lease->round.prng;
	const struct lw_snapshot *snap = &lease->round.snap;
	const struct lw_alloc *held = lw_running_allocs(snap, &snap->running[running]);
	struct lw_waiting *again = &lease->agains[lease->count];

	if (snap->running[running].alloc_count != 1 || !snap->set_count)
		return NULL;
	*again = (struct lw_waiting){
		.job_id = snap->running[running].job_id,
		.tasks = 1,
		.set = (uint32_t)prng_between(prng, 0, snap->set_count - 1),
		.limit_s = prng_between(prng, 60, 100000),
		.promise_s = LW_NO_TIME,
		.begin_s = LW_NO_TIME,
		.request = { .nodes_min = 1,
			     .nodes_max = 1,
			     .gpu_type = LW_GPU_ANY,
			     .cpus_per_node = held->res.cpus,
			     .mem_per_node_mib = held->res.mem_mib,
			     .gpus_per_node = (uint16_t)lw_res_gpus(&held->res) },
	};
	return again;
}

static struct lw_lease_offer lease_make_offer(struct lease *lease, uint32_t running,
					      enum lw_stop_for stop_for)
{
	struct prng *prng = &lease->round.prng;
	struct lw_lease_offer offer = { .running = running,
					.lost_s = prng_between(prng, 0, 300) };

	if (stop_for == LW_STOP_FOR_GANG)
		offer.again = lease_again(lease, running);
	if (stop_for == LW_STOP_FOR_DEADLINE && prng_chance(prng, 50))
		offer.finish_by_s = lease->round.snap.running[running].end_s +
				    prng_between(prng, -1000, 9000);
	return offer;
}

static int lease_begin(struct lease *lease, uint64_t seed, enum lw_stop_for stop_for)
{
	struct prng *prng = &lease->round.prng;
	const struct lw_snapshot *snap = &lease->round.snap;
	int rc;

	memset(lease, 0, sizeof(*lease));
	rc = lease_plan(&lease->round, seed, stop_for);
	if (!rc)
		rc = lw_policy_cycle(lease->round.policy, snap, &lease->round.plan);
	lease->rules = (struct lw_lease_rules){ .shorts = stop_for == LW_STOP_FOR_SHORT,
						.gangs = stop_for == LW_STOP_FOR_GANG,
						.dues = stop_for == LW_STOP_FOR_DEADLINE,
						.gain = prng_between(prng, 1, 20),
						.share = prng_between(prng, 0, 100) / 100.0,
						.widest = 0.25,
						.leave_s = prng_between(prng, 0, 60),
						.back_s = prng_between(prng, 100, 14400) };
	lease->state.out = prng_between(prng, 0, 20) / 100.0;
	for (uint32_t i = 0; !rc && i < 4 && i < snap->waiting_count; i++)
		lease->served[lease->state.served_count++] = snap->waiting[i].job_id;
	lease->state.served = lease->served;
	for (uint32_t i = 0; !rc && i < snap->waiting_count; i++)
		lease->barred[i] = prng_chance(prng, 10);
	lease->state.barred = lease->barred;
	for (uint32_t i = 0; !rc && i < snap->running_count; i++)
		if (prng_chance(prng, 70)) {
			lease->offers[lease->count] = lease_make_offer(lease, i, stop_for);
			lease->count++;
		}
	return rc ? rc
		  : lw_policy_lease(lease->round.policy, &lease->rules, &lease->state,
				    lease->offers, lease->count, &lease->leases);
}

static int lease_end(struct lease *lease, int rc, struct lw_strbuf *why)
{
	for (uint32_t i = 0; rc && i < lease->leases.count; i++)
		lw_strbuf_add(why, "stop %" PRIu32 " for %" PRIu32 "\n",
			      lease->leases.stops[i].job_id, lease->leases.stops[i].for_job);
	lw_leases_fini(&lease->leases);
	return round_end(&lease->round, rc, why);
}

/* The offer of that job, or NULL. */
static const struct lw_lease_offer *lease_offer(const struct lease *lease, uint32_t job_id)
{
	for (uint32_t i = 0; i < lease->count; i++)
		if (lease->round.snap.running[lease->offers[i].running].job_id == job_id)
			return &lease->offers[i];
	return NULL;
}

static const struct lw_running *lease_offered(const struct lease *lease, uint32_t job_id)
{
	const struct lw_lease_offer *offer = lease_offer(lease, job_id);

	return offer ? &lease->round.snap.running[offer->running] : NULL;
}

static uint32_t lease_place(const struct lw_snapshot *snap, uint32_t job_id)
{
	uint32_t place = 0;

	while (place < snap->waiting_count && snap->waiting[place].job_id != job_id)
		place++;
	return place;
}

static const struct lw_decision *lease_decision(const struct lw_plan *plan, uint32_t job_id)
{
	for (uint32_t i = 0; i < plan->decision_count; i++)
		if (plan->decisions[i].job_id == job_id)
			return &plan->decisions[i];
	return NULL;
}

/* WAITING is due, and RUNNING is not, or not before it, or lost. */
static int lease_check_due(const struct lease *lease, const struct lw_waiting *waiting,
			   int64_t run_s, const struct lw_running *running, struct lw_strbuf *why)
{
	const struct lw_snapshot *snap = &lease->round.snap;
	int64_t end_s = lw_running_end_s(running, snap->now_s, LW_ENDS_EXPECTED);
	int64_t spare_s = waiting->finish_by_s - run_s - lease->rules.leave_s - snap->now_s;
	int64_t finish_by_s = lease_offer(lease, running->job_id)->finish_by_s;

	if (!waiting->finish_by_s || spare_s < 0 || spare_s >= LW_LEASE_DUE_S)
		return BROKEN(why, "job %" PRIu32 " is not due\n", waiting->job_id);
	if (finish_by_s && end_s <= finish_by_s &&
	    (finish_by_s <= waiting->finish_by_s || finish_by_s - end_s < 2 * LW_LEASE_DUE_S))
		return BROKEN(why, "job %" PRIu32 " would miss its deadline\n", running->job_id);
	return 0;
}

static int lease_check_stop(const struct lease *lease, uint32_t i, struct lw_strbuf *why)
{
	const struct lw_snapshot *snap = &lease->round.snap;
	const struct lw_lease_stop *stop = &lease->leases.stops[i];
	const struct lw_running *running = lease_offered(lease, stop->job_id);
	uint32_t place = lease_place(snap, stop->for_job);
	const struct lw_decision *decision = lease_decision(&lease->round.plan, stop->for_job);
	int64_t run_s, price_s;

	if (!running)
		return BROKEN(why, "job %" PRIu32 " did not agree\n", stop->job_id);
	for (uint32_t k = 0; k < i; k++)
		if (lease->leases.stops[k].job_id == stop->job_id)
			return BROKEN(why, "job %" PRIu32 " is stopped twice\n", stop->job_id);
	if (place == snap->waiting_count || (decision && decision->verdict == LW_START))
		return BROKEN(why, "job %" PRIu32 " does not wait\n", stop->for_job);
	for (uint32_t k = 0; k < lease->state.served_count; k++)
		if (lease->served[k] == stop->for_job)
			return BROKEN(why, "job %" PRIu32 " has stops\n", stop->for_job);
	if (lease->barred[place] || snap->waiting[place].tasks != 1 ||
	    snap->waiting[place].constraints.coallocation)
		return BROKEN(why, "job %" PRIu32 " is barred, or no job for it\n", stop->for_job);
	run_s = snap->queue.classes[snap->queue.class_of[place]].expected.mean_s;
	if (lease->rules.dues)
		return lease_check_due(lease, &snap->waiting[place], run_s, running, why);
	/* its rest, in runs of the job with its room, or in what it loses by a move */
	price_s = stop->moves ? lease_offer(lease, stop->job_id)->lost_s : run_s;
	if ((double)(lw_running_end_s(running, snap->now_s, LW_ENDS_EXPECTED) - snap->now_s) <
		    lease->rules.gain * (double)price_s ||
	    run_s > lease->rules.back_s)
		return BROKEN(why, "job %" PRIu32 " is too long\n", stop->for_job);
	return 0;
}

/* Where the job of that stop goes. */
static const struct lw_alloc *lease_to(const struct lease *lease, uint32_t i)
{
	return &lease->leases.places[lease->leases.stops[i].first_place];
}

/* What is free after the starts of the plan, once the first COUNT stops are done. */
static struct lw_res *lease_free(const struct lease *lease, uint32_t count)
{
	const struct lw_plan *plan = &lease->round.plan;
	const struct lw_snapshot *snap = &lease->round.snap;
	struct lw_res *free_res = free_now(snap);

	for (uint32_t i = 0; free_res && i < plan->decision_count; i++)
		for (uint32_t k = 0;
		     plan->decisions[i].verdict == LW_START && k < plan->decisions[i].alloc_count;
		     k++) {
			const struct lw_alloc *alloc =
				&lw_decision_allocs(plan, &plan->decisions[i])[k];

			lw_res_sub(&free_res[alloc->node], &alloc->res);
		}
	for (uint32_t i = 0; free_res && i < count; i++) {
		const struct lw_running *running =
			lease_offered(lease, lease->leases.stops[i].job_id);
		const struct lw_alloc *allocs = lw_running_allocs(snap, running);

		for (uint32_t k = 0; k < running->alloc_count; k++)
			lw_res_add(&free_res[allocs[k].node], &allocs[k].res);
		if (lease->leases.stops[i].moves) {
			const struct lw_alloc *to = lease_to(lease, i);

			lw_res_sub(&free_res[to->node], &to->res);
		}
	}
	return free_res;
}

/* After the last of the stops for one job it has room. */
static int lease_check_room(const struct lease *lease, uint32_t i, struct lw_strbuf *why)
{
	const struct lw_snapshot *snap = &lease->round.snap;
	const struct lw_lease_stop *stops = lease->leases.stops;
	const struct lw_waiting *job = &snap->waiting[lease_place(snap, stops[i].for_job)];
	struct lw_res *free_res;
	bool fits;

	if (i + 1 < lease->leases.count && stops[i + 1].for_job == stops[i].for_job)
		return 0;
	free_res = lease_free(lease, i + 1);
	fits = free_res && round_fits(snap, job, free_res);
	free(free_res);
	return fits ? 0 : BROKEN(why, "job %" PRIu32 " has no room\n", job->job_id);
}

/* Its other place is free now, before any job has left, and so are those of the others. */
static int lease_check_places(const struct lease *lease, struct lw_strbuf *why)
{
	const struct lw_leases *leases = &lease->leases;
	struct lw_res *free_res = lease_free(lease, 0);
	int rc = free_res ? 0 : -1;

	for (uint32_t i = 0; !rc && i < leases->place_count; i++) {
		const struct lw_alloc *place = &leases->places[i];

		if (!lw_res_within(&place->res, &free_res[place->node]))
			rc = BROKEN(why, "what is kept on node %" PRIu32 " is not free\n",
				    place->node);
		lw_res_sub(&free_res[place->node], &place->res);
	}
	free(free_res);
	return rc;
}

static int lease_bound(uint64_t seed, enum lw_stop_for stop_for, struct lw_strbuf *why)
{
	struct lease lease;
	int rc = lease_begin(&lease, seed, stop_for);
	double share = lease.state.out;

	for (uint32_t i = 0; !rc && i < lease.leases.count; i++) {
		rc = lease_check_stop(&lease, i, why);
		if (!rc)
			rc = lease_check_room(&lease, i, why);
		share += lease.leases.stops[i].share;
	}
	if (!rc && lease.leases.count && share > lease.rules.share + 1e-9)
		rc = BROKEN(why, "%g of the machine is out, more than %g\n", share,
			    lease.rules.share);
	if (!rc)
		rc = lease_check_places(&lease, why);
	return lease_end(&lease, rc, why);
}

static int lease_is_bounded(uint64_t seed, struct lw_strbuf *why)
{
	return lease_bound(seed, LW_STOP_FOR_SHORT, why);
}

static int lease_moves_are_bounded(uint64_t seed, struct lw_strbuf *why)
{
	return lease_bound(seed, LW_STOP_FOR_GANG, why);
}

static int lease_is_due(uint64_t seed, struct lw_strbuf *why)
{
	return lease_bound(seed, LW_STOP_FOR_DEADLINE, why);
}

/* ---- and then ---- */

/* The starts of the plan are made before any job is stopped. */
static int lease_start(const struct lease *lease, const struct lw_decision *decision,
		       struct round *after)
{
	const struct lw_plan *plan = &lease->round.plan;
	const struct lw_waiting *job = &lease->round.snap.waiting[decision->waiting];
	const struct lw_running running = {
		.job_id = 100000 + decision->job_id,
		.start_s = after->snap.now_s,
		.end_s = lw_waiting_end_s(job, after->snap.now_s),
	};
	struct lw_error err;

	/* a job that preempts others has its room later; an array goes on with its next task */
	if (decision->verdict != LW_START || job->tasks > 1 ||
	    decision->reason == LW_REASON_STARTS_PREEMPTING)
		return 0;
	return lw_snapshot_insert_running(&after->snap, &running,
					  lw_decision_allocs(plan, decision),
					  decision->alloc_count, &err)
		       ? -1
		       : lw_snapshot_remove_waiting(&after->snap, decision->waiting);
}

/* A job that moves runs again, with its whole limit. */
static int lease_move(const struct lease *lease, uint32_t i, struct round *after)
{
	const struct lw_lease_stop *stop = &lease->leases.stops[i];
	struct lw_running running = { .job_id = 200000 + stop->job_id,
				      .start_s = after->snap.now_s };
	struct lw_error err;

	for (uint32_t k = 0; k < lease->count; k++)
		if (lease->agains[k].job_id == stop->job_id)
			running.end_s = running.start_s + lease->agains[k].limit_s;
	return stop->moves ? lw_snapshot_insert_running(&after->snap, &running, lease_to(lease, i),
							1, &err)
			   : 0;
}

/* The same moment once the stopped jobs are gone, with what was promised in the first plan. */
static int lease_begin_after(const struct lease *lease, uint64_t seed, struct round *after)
{
	const struct lw_plan *plan = &lease->round.plan;
	int rc = lease_plan(after, seed, LW_STOP_FOR_SHORT);

	for (uint32_t i = 0; !rc && i < plan->decision_count; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE)
			after->snap.waiting[plan->decisions[i].waiting].promise_s =
				plan->decisions[i].promise_s;
		rc = lease_start(lease, &plan->decisions[i], after);
	}
	for (uint32_t i = 0; !rc && i < lease->leases.count; i++) {
		const struct lw_lease_stop *stop = &lease->leases.stops[i];

		rc = lw_snapshot_remove_running(&after->snap, stop->job_id,
						lease_offered(lease, stop->job_id)->end_s);
		if (!rc)
			rc = lease_move(lease, i, after);
		after->snap.waiting[lease_place(&lease->round.snap, stop->for_job)].first = true;
	}
	return rc ? rc : lw_policy_cycle(after->policy, &after->snap, &after->plan);
}

static int lease_check_after(const struct lease *lease, const struct round *after,
			     struct lw_strbuf *why)
{
	const struct lw_plan *plan = &lease->round.plan;

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *was = &plan->decisions[i];
		const struct lw_decision *is = lease_decision(&after->plan, was->job_id);

		if (was->verdict == LW_RESERVE && was->latest_s != LW_NO_TIME &&
		    (!is || is->verdict == LW_WAIT || is->start_s > was->latest_s))
			return BROKEN(why,
				      "job %" PRIu32 " was promised a start by %" PRId64 "\n",
				      was->job_id, was->latest_s);
	}
	for (uint32_t i = 0; !plan->reserved && i < lease->leases.count; i++) {
		const struct lw_decision *is =
			lease_decision(&after->plan, lease->leases.stops[i].for_job);

		if (!is || is->verdict != LW_START)
			return BROKEN(why, "job %" PRIu32 " does not start\n",
				      lease->leases.stops[i].for_job);
	}
	return 0;
}

static int lease_keep_promises(uint64_t seed, enum lw_stop_for stop_for, struct lw_strbuf *why)
{
	struct lease lease;
	struct round after;
	int rc = lease_begin(&lease, seed, stop_for);

	if (!rc && lease.leases.count) {
		rc = lease_begin_after(&lease, seed, &after);
		if (!rc)
			rc = lease_check_after(&lease, &after, why);
		rc = round_end(&after, rc, why);
	}
	return lease_end(&lease, rc, why);
}

static int lease_keeps_promises(uint64_t seed, struct lw_strbuf *why)
{
	return lease_keep_promises(seed, LW_STOP_FOR_SHORT, why);
}

static int lease_moves_keep_promises(uint64_t seed, struct lw_strbuf *why)
{
	return lease_keep_promises(seed, LW_STOP_FOR_GANG, why);
}

/* Else these rounds would say nothing. */
static int lease_is_often(uint64_t seed, struct lw_strbuf *why)
{
	static const enum lw_stop_for stop_for[] = { LW_STOP_FOR_SHORT, LW_STOP_FOR_GANG,
						     LW_STOP_FOR_DEADLINE };
	uint32_t stops[3] = { 0 };

	for (uint32_t i = 0; i < 6000 && (i < 600 || !stops[1]); i++) {
		struct lease lease;
		int rc = lease_begin(&lease, seed * 6000 + i, stop_for[i % 3]);

		stops[i % 3] += lease.leases.count;
		rc = lease_end(&lease, rc, why);
		if (rc)
			return rc;
	}
	return stops[0] && stops[1] && stops[2] ? 0 : BROKEN(why, "a kind has no stop\n");
}

static const struct property properties[] = {
	{ "only jobs that agree are stopped, within bounds, and make room", lease_is_bounded,
	  2000 },
	{ "for a deadline only one that is due has room, and no nearer one pays", lease_is_due,
	  2000 },
	{ "no promise pays for it, and the job with the room starts", lease_keeps_promises, 2000 },
	{ "jobs that move have another place now", lease_moves_are_bounded, 10000 },
	{ "no promise pays for that either", lease_moves_keep_promises, 10000 },
	{ "jobs are stopped and move in some of these moments", lease_is_often, 1 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
