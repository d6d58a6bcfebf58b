/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: no promise is broken by starts beside the plan, if the gate lets these through. */
#include "planner/model/snapshot_step.h"
#include "property/loop.h"
#include "property/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS 10 /* of a round */

/* All policies that promise a start. */
#define PROMISES (LW_FILLS | LW_DEADLINES | LW_RESERVES_ALL)

/* What starts jobs as Slurm's main loop does: in some order, and it knows of no promise. */
struct stranger {
	struct lw_policy *policy;
	struct lw_policy *anew; /* NULL, or plans as the loop does: did a refusal save anything? */
	struct lw_gate gate;
	uint32_t let, held, refused, asked, needless;
	bool asks;  /* whether a refusal is needed */
	bool blind; /* it does not ask the gate */
};

static struct lw_gate_start start_of(const struct loop *loop, const struct lw_decision *decision)
{
	const struct lw_waiting *job = &loop->snap.waiting[decision->waiting];

	return (struct lw_gate_start){ .job_id = job->job_id,
				       .tier = job->constraints.tier,
				       .end_s = loop->now_s + job->limit_s,
				       .by_turn = true };
}

/* When PLAN has DECISION's job start; LW_NO_TIME: it is not said. */
static int64_t start_in(const struct lw_plan *plan, const struct lw_decision *decision)
{
	for (uint32_t i = 0; i < plan->decision_count; i++)
		if (plan->decisions[i].waiting == decision->waiting &&
		    plan->decisions[i].verdict != LW_WAIT)
			return plan->decisions[i].start_s;
	return LW_NO_TIME;
}

/* Does a job that BEFORE has planned start later, or at no known time, in AFTER? */
static bool is_later(const struct lw_plan *before, const struct lw_plan *after)
{
	for (uint32_t i = 0; i < before->decision_count; i++) {
		const struct lw_decision *decision = &before->decisions[i];
		int64_t start_s;

		if (decision->verdict == LW_WAIT)
			continue;
		start_s = start_in(after, decision);
		if (start_s == LW_NO_TIME || start_s > decision->start_s)
			return true;
	}
	return false;
}

/* The plan made anew, without and with the start that was refused: is any job later by it? */
static int ask_anew(struct stranger *stranger, struct loop *loop,
		    const struct lw_decision *decision)
{
	const struct lw_waiting *job = &loop->snap.waiting[decision->waiting];
	struct lw_running run = { .job_id = 1000000,
				  .start_s = loop->now_s,
				  .end_s = loop->now_s + job->limit_s,
				  .alloc_count = decision->alloc_count };
	struct lw_plan before, after;
	int rc;

	lw_plan_init(&before);
	lw_plan_init(&after);
	rc = lw_policy_cycle(stranger->anew, &loop->snap, &before);
	if (!rc && start_in(&before, decision) != loop->now_s) {
		rc = lw_snapshot_insert_running(&loop->snap, &run,
						lw_decision_allocs(&loop->plan, decision),
						run.alloc_count, NULL);
		rc = rc ? rc : lw_policy_cycle(stranger->anew, &loop->snap, &after);
		lw_snapshot_remove_running(&loop->snap, run.job_id, run.end_s);
		stranger->asked++;
		stranger->needless += !is_later(&before, &after);
	}
	lw_plan_fini(&before);
	lw_plan_fini(&after);
	return rc;
}

static bool is_let(struct stranger *stranger, struct loop *loop,
		   const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(&loop->plan, decision);
	struct lw_gate_start start = start_of(loop, decision);

	if (lw_gate_holds(&stranger->gate, &start)) {
		stranger->held++;
		return false;
	}
	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		start.least = allocs[i].res;
		if (!lw_bitset_test(lw_gate_refused(&stranger->gate, &start), allocs[i].node) &&
		    !lw_gate_harms(&stranger->gate, &start, allocs[i].node, &allocs[i].res))
			continue;
		stranger->refused++;
		if (stranger->anew)
			(void)ask_anew(stranger, loop, decision);
		return false;
	}
	return true;
}

static void note_start(struct stranger *stranger, const struct loop *loop,
		       const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(&loop->plan, decision);
	const struct lw_gate_start start = start_of(loop, decision);

	stranger->let++;
	for (uint32_t i = 0; i < decision->alloc_count; i++)
		lw_gate_began(&stranger->gate, &start, allocs[i].node, &allocs[i].res);
	lw_gate_started(&stranger->gate, start.job_id);
}

/* Start what the stranger would, as far as the gate lets it. */
static int start_beside(struct loop *loop, struct lw_strbuf *why)
{
	struct stranger *stranger = loop->arg;
	int rc = loop_look(loop);

	if (!rc)
		rc = lw_policy_cycle(stranger->policy, &loop->snap, &loop->plan);
	for (uint32_t i = 0; i < loop->plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &loop->plan.decisions[i];

		if (decision->verdict != LW_START || prng_chance(&loop->prng, 30) ||
		    (!stranger->blind && !is_let(stranger, loop, decision)))
			continue;
		note_start(stranger, loop, decision);
		rc = loop_start(loop, decision, why);
	}
	return rc;
}

/* FIFO without backfilling, by any order: all that it can start it would start. */
static int make_stranger(struct loop *loop, struct stranger *stranger)
{
	static const enum lw_order orders[] = { LW_ORDER_GIVEN, LW_ORDER_SJF, LW_ORDER_SAF };
	struct lw_policy_params params = loop->params;

	params.kind = LW_POLICY_FCFS;
	params.order = orders[prng_between(&loop->prng, 0, 2)];
	params.order_age_s = 0;
	params.keep_promises = false;
	params.deadlines = LW_DEADLINES_OFF;
	loop->stranger = start_beside;
	loop->gate = &stranger->gate;
	loop->arg = stranger;
	return lw_policy_create(&params, NULL, &stranger->policy);
}

static int run_one(uint64_t seed, struct stranger *stranger, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = loop_begin(&loop, seed, kind_with(PROMISES, seed));

	if (!rc)
		rc = make_stranger(&loop, stranger);
	if (!rc && stranger->asks)
		rc = lw_policy_create(&loop.params, NULL, &stranger->anew);
	if (!rc)
		rc = loop_run(&loop, why);
	rc = loop_end(&loop, rc, why);
	lw_policy_destroy(stranger->policy);
	lw_policy_destroy(stranger->anew);
	stranger->policy = stranger->anew = NULL;
	lw_gate_fini(&stranger->gate);
	return rc;
}

/* Over so many seeds in a row the gate has let some through and refused others. */
static int promises_hold(uint64_t seed, struct lw_strbuf *why)
{
	struct stranger stranger = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < LOOPS && !rc; i++)
		rc = run_one(LOOPS * seed + i, &stranger, why);
	if (rc)
		return rc;
	return stranger.let && stranger.refused
		       ? 0
		       : BROKEN(why, "%" PRIu32 " let through, %" PRIu32 " refused\n",
				stranger.let, stranger.refused);
}

/* Without a gate they break some: else nothing would be tested. */
static int blind_breaks(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf broken = LW_STRBUF_INIT;
	struct stranger stranger = { .blind = true };
	int rc = 0;

	for (uint32_t i = 0; i < 5 * LOOPS && !rc; i++)
		rc = run_one(5 * LOOPS * seed + i, &stranger, &broken);
	lw_strbuf_fini(&broken);
	return rc ? 0 : BROKEN(why, "no promise was broken without the gate\n");
}

static int refusals_are_needed(uint64_t seed, struct lw_strbuf *why)
{
	struct stranger stranger = { .asks = true };
	int rc = 0;

	for (uint32_t i = 0; i < 20 * LOOPS && !rc; i++)
		rc = run_one(20 * LOOPS * seed + i, &stranger, why);
	if (rc || 4 * stranger.needless <= stranger.asked)
		return rc;
	return BROKEN(why, "%" PRIu32 " of %" PRIu32 " refusals made no job start earlier\n",
		      stranger.needless, stranger.asked);
}

static const struct property properties[] = {
	{ "a refused start would have made another job later", refusals_are_needed, 4 },
	{ "no start that the gate lets through breaks a promise", promises_hold, 100 },
	{ "without the gate such starts do", blind_breaks, 4 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
