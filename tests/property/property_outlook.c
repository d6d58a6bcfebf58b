/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what every start-time estimate must satisfy, over random snapshots and policies. */
#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "property/random.h"
#include "property/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A random moment, its plan, and what is said of those who wait. */
struct round {
	struct lw_policy_params params;
	struct lw_snapshot snap;
	struct lw_policy *policy;
	struct lw_plan plan, estimate;
};

static int begin_round(struct round *round, uint64_t seed)
{
	struct prng prng = { seed };
	int rc;

	*round = (struct round){ 0 };
	lw_plan_init(&round->plan);
	lw_plan_init(&round->estimate);
	random_params(&prng, &round->params);
	if (random_snapshot(&prng, random_shape_of(seed), &round->snap) ||
	    lw_policy_create(&round->params, NULL, &round->policy))
		return -ENOMEM;
	rc = lw_policy_cycle(round->policy, &round->snap, &round->plan);
	return rc ? rc : lw_policy_estimate(round->policy, &round->estimate);
}

/* Free all; a broken round shows what it was. */
static int end_round(struct round *round, int rc, struct lw_strbuf *why)
{
	if (rc) {
		lw_snapshot_print(&round->snap, why);
		lw_policy_params_print(&round->params, why);
		lw_plan_print(&round->plan, &round->snap, why);
		lw_plan_print(&round->estimate, &round->snap, why);
	}
	lw_plan_fini(&round->estimate);
	lw_plan_fini(&round->plan);
	lw_policy_destroy(round->policy);
	lw_snapshot_fini(&round->snap);
	return rc;
}

/* Has one of the first COUNT decisions room for the job? */
static bool is_told(const struct lw_plan *plan, uint32_t count, uint32_t job_id)
{
	for (uint32_t i = 0; i < count; i++) {
		if (plan->decisions[i].job_id == job_id && plan->decisions[i].verdict != LW_WAIT)
			return true;
	}
	return false;
}

static int each_is_told_once(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, seed);

	for (uint32_t i = 0; i < round.estimate.decision_count && !rc; i++) {
		uint32_t job_id = round.estimate.decisions[i].job_id;

		if (is_told(&round.plan, round.plan.decision_count, job_id) ||
		    is_told(&round.estimate, i, job_id))
			rc = BROKEN(why, "job %" PRIu32 " is told twice\n", job_id);
	}
	return end_round(&round, rc, why);
}

static int starts_are_possible(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, seed);

	for (uint32_t i = 0; i < round.estimate.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round.estimate.decisions[i];
		const struct lw_waiting *job = &round.snap.waiting[decision->waiting];
		const struct lw_alloc *allocs = &round.estimate.allocs[decision->first_alloc];

		if (decision->verdict != LW_RESERVE || job->readiness != LW_READY ||
		    decision->start_s <= round.snap.now_s ||
		    decision->start_s < job->constraints.earliest_s ||
		    decision->alloc_count < job->request.nodes_min)
			rc = BROKEN(why, "job %" PRIu32 " cannot start then\n", job->job_id);
		for (uint32_t k = 0; k < decision->alloc_count && !rc; k++) {
			if (!job->constraints.coallocation &&
			    !lw_bitset_test(&round.snap.sets[job->set].nodes, allocs[k].node))
				rc = BROKEN(why, "job %" PRIu32 ": nodes of others\n", job->job_id);
		}
	}
	return end_round(&round, rc, why);
}

static int plans_stay_the_same(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf once = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct round round;
	int rc = begin_round(&round, seed);

	lw_plan_print(&round.plan, &round.snap, &once);
	if (!rc)
		rc = lw_policy_cycle(round.policy, &round.snap, &round.plan);
	lw_plan_print(&round.plan, &round.snap, &again);
	if (!rc && strcmp(lw_strbuf_text(&once), lw_strbuf_text(&again)))
		rc = BROKEN(why, "another plan after an outlook\n");
	lw_strbuf_fini(&once);
	lw_strbuf_fini(&again);
	return end_round(&round, rc, why);
}

static const struct property properties[] = {
	{ "nobody of the plan is in the outlook, nobody twice", each_is_told_once, 800 },
	{ "starts are to come, ready and on nodes of the job", starts_are_possible, 800 },
	{ "the next plan is as if there had been none", plans_stay_the_same, 800 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
