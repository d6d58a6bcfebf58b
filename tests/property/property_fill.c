/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who is filled in behind a job that waits, and who is not, over random snapshots. */
#include "property/oracle.h"
#include "property/plan_round.h"
#include "property/tap.h"

#include <inttypes.h>
#include <stdlib.h>

static int fcfs_never_passes(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_policy *fcfs;
	struct round round;
	bool blocked = false;
	int rc = round_begin(&round, seed);

	round.params.kind = LW_POLICY_FCFS;
	round.params.order = LW_ORDER_GIVEN;
	round.params.deadlines = LW_DEADLINES_OFF;
	if (!rc && !lw_policy_create(&round.params, NULL, &fcfs)) {
		rc = lw_policy_cycle(fcfs, &round.snap, &round.plan);
		lw_policy_destroy(fcfs);
	}
	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.plan.decisions[i];

		if (decision->verdict == LW_RESERVE)
			rc = BROKEN(why, "a reservation\n");
		if (decision->verdict == LW_START && blocked)
			rc = BROKEN(why, "job %" PRIu32 " passes\n", decision->job_id);
		if (decision->reason == LW_REASON_WAITS_FOR_ROOM)
			blocked = true;
	}
	return round_end(&round, rc, why);
}

/* Lower FREE_RES to what RESERVED leaves a job that is still there at its start. */
static void respect(const struct round *round, const struct lw_decision *reserved,
		    uint32_t decisions, struct lw_res *free_res)
{
	const struct lw_alloc *allocs = lw_decision_allocs(&round->plan, reserved);
	struct lw_res *then =
		oracle_free_at(&round->snap, &round->plan, decisions, reserved->start_s);

	for (uint32_t a = 0; then && a < reserved->alloc_count; a++) {
		lw_res_sub(&then[allocs[a].node], &allocs[a].res);
		lw_res_min(&free_res[allocs[a].node], &then[allocs[a].node]);
	}
	free(then);
}

/* EASY: a job said to delay a promised one finds no room that would not. */
static int check_would_delay(const struct round *round, uint32_t index, struct lw_strbuf *why)
{
	const struct lw_decision *decision = &round->plan.decisions[index];
	const struct lw_waiting *job = &round->snap.waiting[decision->waiting];
	struct lw_res *free_res =
		oracle_free_at(&round->snap, &round->plan, index, round->snap.now_s);
	int rc = 0;

	for (uint32_t i = 0; free_res && i < index; i++) {
		const struct lw_decision *reserved = &round->plan.decisions[i];

		if (reserved->verdict == LW_RESERVE &&
		    round->snap.now_s + job->limit_s > reserved->start_s)
			respect(round, reserved, index, free_res);
	}
	/* an exclusive job may not have what is left of a reserved node, nor want it */
	if (free_res && !job->request.exclusive && round_fits(&round->snap, job, free_res))
		rc = BROKEN(why, "job %" PRIu32 " would delay nobody\n", job->job_id);
	free(free_res);
	return rc;
}

static int easy_fills_in(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_policy *easy;
	struct round round;
	int rc = round_begin(&round, seed);

	round.params.kind = LW_POLICY_EASY;
	round.params.order = LW_ORDER_GIVEN;
	round.params.deadlines = LW_DEADLINES_OFF;
	round.params.backfill_order = LW_BACKFILL_PRIORITY;
	round.params.outside = NULL;
	if (!rc && !lw_policy_create(&round.params, NULL, &easy)) {
		rc = lw_policy_cycle(easy, &round.snap, &round.plan);
		lw_policy_destroy(easy);
	}
	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		if (round.plan.decisions[i].reason == LW_REASON_WAITS_FOR_HEAD)
			rc = check_would_delay(&round, i, why);
	}
	return round_end(&round, rc, why);
}

static const struct property properties[] = {
	{ "nobody passes under FCFS", fcfs_never_passes, 500 },
	{ "EASY leaves nobody out who would delay nobody", easy_fills_in, 1000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
