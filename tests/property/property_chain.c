/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the next links of chains may take over, and that nobody's promise pays for it. */
#include "planner/order/width.h"
#include "planner/text/text.h"
#include "property/oracle.h"
#include "property/plan_round.h"
#include "property/random.h"
#include "property/tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 200 /* of a seed: in some of them a link is planned */
#define USERS  10

/* Those that have bounds: conservative has a reservation for every job, and delays nobody. */
#define BOUNDED (LW_IN_ORDER | LW_GANGS)

static const struct random_shape shape = {
	.nodes_max = 16,
	.sets_max = 3,
	.running_percent = 150,
	.waiting_max = 40,
	.follows_percent = 50,
};

/* Some share of the machine, now and then none of it, or all. */
static double random_share(struct prng *prng)
{
	if (prng_chance(prng, 10))
		return 0;
	return prng_chance(prng, 10) ? 1 : prng_between(prng, 1, 99) / 100.0;
}

/* Plan a random moment of SEED that has chains; IN_ORDER: nothing but the queue's order counts.
 */
static int begin(struct round *round, uint64_t seed, bool in_order)
{
	*round = (struct round){ .prng = { seed } };
	lw_plan_init(&round->plan);
	random_params(&round->prng, &round->params);
	round->params.kind = kind_with(BOUNDED, seed);
	if (in_order) {
		round->params.order = LW_ORDER_GIVEN;
		round->params.deadlines = LW_DEADLINES_OFF;
	}
	round->params.chain_share = random_share(&round->prng);
	round->params.chain_total = random_share(&round->prng);
	round->params.chain_min_s = prng_chance(&round->prng, 50) ? 0 : 500;
	if (random_snapshot(&round->prng, &shape, &round->snap) ||
	    lw_policy_create(&round->params, NULL, &round->policy))
		return -1;
	return lw_policy_cycle(round->policy, &round->snap, &round->plan);
}

static bool is_planned_link(const struct round *round, const struct lw_decision *decision)
{
	const struct lw_waiting *job = &round->snap.waiting[decision->waiting];

	return decision->verdict == LW_RESERVE &&
	       lw_snapshot_awaited(&round->snap, &job->constraints);
}

/* Is WIDTH within SHARE of the machine? If not, it may be one node, where there are several. */
static bool is_within(const struct round *round, const struct lw_scale *scale, double width,
		      double share)
{
	double all = scale->cpus_per_node * round->snap.node_count;
	double least = round->snap.node_count > 1 && share > 0 ? scale->cpus_per_node : 0;

	return share >= 1 || width <= fmax(share * all, least) * (1 + 1e-6) + 1e-6;
}

static int check_link(const struct round *round, const struct lw_decision *decision,
		      struct lw_strbuf *why)
{
	const struct lw_snapshot *snap = &round->snap;
	const struct lw_waiting *job = &snap->waiting[decision->waiting];
	const struct lw_running *run = lw_snapshot_awaited(snap, &job->constraints);
	const struct lw_alloc *theirs = lw_running_allocs(snap, run);
	const struct lw_alloc *allocs = lw_decision_allocs(&round->plan, decision);

	if (job->limit_s < round->params.chain_min_s)
		return BROKEN(why, "job %" PRIu32 ": its limit is too short\n", job->job_id);
	if (decision->start_s < lw_running_end_s(run, snap->now_s, LW_ENDS_EXPECTED))
		return BROKEN(why, "job %" PRIu32 ": before the other ends\n", job->job_id);
	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		uint32_t k = 0;

		/* who takes nothing takes it anywhere */
		if (lw_res_within(&allocs[i].res, &(struct lw_res){ 0 }))
			continue;
		while (k < run->alloc_count && theirs[k].node != allocs[i].node)
			k++;
		if (k == run->alloc_count || !lw_res_within(&allocs[i].res, &theirs[k].res))
			return BROKEN(why, "job %" PRIu32 ": not what the other leaves\n",
				      job->job_id);
	}
	return 0;
}

/* Together no more than a user may have, and than all may. */
static int check_bounds(const struct round *round, uint32_t *links, struct lw_strbuf *why)
{
	double widths[USERS] = { 0 }, all = 0;
	struct lw_scale scale;
	int rc = 0;

	lw_scale_init(&scale, &round->snap);
	for (uint32_t i = 0; i < round->plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &round->plan.decisions[i];
		const struct lw_waiting *job = &round->snap.waiting[decision->waiting];
		double width;

		if (!is_planned_link(round, decision))
			continue;
		width = lw_width(&scale, &job->request);
		widths[job->user_id % USERS] += width;
		all += width;
		++*links;
		rc = check_link(round, decision, why);
	}
	for (uint32_t user = 0; user < USERS && !rc; user++)
		if (!is_within(round, &scale, widths[user], round->params.chain_share))
			rc = BROKEN(why, "links of user %" PRIu32 " are %g wide\n", user,
				    widths[user]);
	if (!rc && !is_within(round, &scale, all, round->params.chain_total))
		rc = BROKEN(why, "all links are %g wide\n", all);
	return rc;
}

static int bounds_hold(uint64_t seed, struct lw_strbuf *why)
{
	uint32_t links = 0;
	int rc = 0;

	for (uint32_t i = 0; i < ROUNDS && !rc; i++) {
		struct round round;

		rc = begin(&round, ROUNDS * seed + i, false);
		if (!rc)
			rc = check_bounds(&round, &links, why);
		rc = round_end(&round, rc, why);
	}
	return rc || links ? rc : BROKEN(why, "no link was planned\n");
}

/* The first start or reservation of a record, or NULL. */
static const struct lw_decision *find_decision(const struct lw_plan *plan, uint32_t waiting)
{
	for (uint32_t i = 0; i < plan->decision_count; i++)
		if (plan->decisions[i].waiting == waiting &&
		    plan->decisions[i].verdict != LW_WAIT)
			return &plan->decisions[i];
	return NULL;
}

/* By when is it to start? Its promise may slip, by what either plan says. */
static int64_t until(const struct lw_waiting *job, const struct lw_decision *decision)
{
	return decision->latest_s > job->promise_s ? decision->latest_s : job->promise_s;
}

/* What links hold at TIME_S if all run to their limits is not free. */
static void sub_links(const struct round *round, int64_t time_s, struct lw_res *free_res)
{
	for (uint32_t i = 0; i < round->plan.decision_count; i++) {
		const struct lw_decision *link = &round->plan.decisions[i];
		const struct lw_waiting *job = &round->snap.waiting[link->waiting];
		const struct lw_alloc *allocs = lw_decision_allocs(&round->plan, link);
		const struct lw_running *run;
		int64_t end_s;

		if (!is_planned_link(round, link))
			continue;
		run = lw_snapshot_awaited(&round->snap, &job->constraints);
		end_s = lw_running_end_s(run, round->snap.now_s, LW_ENDS_HARD);
		/* till then its room is the other job's */
		if (time_s < end_s || time_s >= end_s + job->limit_s)
			continue;
		for (uint32_t k = 0; k < link->alloc_count; k++)
			lw_res_sub(&free_res[allocs[k].node], &allocs[k].res);
	}
}

/* Has the job of a reservation room at TIME_S, by hard limits, with links or as if there were
 * none? */
static bool has_room(const struct round *round, const struct lw_decision *decision,
		     int64_t time_s, bool with_links)
{
	struct lw_res *free_res =
		oracle_free_at(&round->snap, &round->plan, round->plan.decision_count, time_s);
	bool found;

	if (free_res && with_links)
		sub_links(round, time_s, free_res);
	found = free_res &&
		round_fits(&round->snap, &round->snap.waiting[decision->waiting], free_res);
	free(free_res);
	return found;
}

/* Does a link take the room that is kept for a reservation of the same plan? */
static bool is_taken(const struct round *round, const struct lw_decision *decision,
		     int64_t time_s)
{
	return decision->verdict == LW_RESERVE && has_room(round, decision, time_s, false) &&
	       !has_room(round, decision, time_s, true);
}

/*
 * Who was promised a start, and would have room kept for it in time without links, has it with
 * them. Whom a plan merely fills in may have to wait for links as for any job before it.
 */
static int compare(const struct round *round, const struct lw_plan *without, uint32_t *kept,
		   struct lw_strbuf *why)
{
	for (uint32_t i = 0; i < round->snap.waiting_count; i++) {
		const struct lw_waiting *job = &round->snap.waiting[i];
		const struct lw_decision *with, *before = find_decision(without, i);

		if (job->promise_s == LW_NO_TIME || job->constraints.after || !before ||
		    before->verdict != LW_RESERVE || before->start_s > until(job, before))
			continue;
		++*kept;
		with = find_decision(&round->plan, i);
		if (!with)
			return BROKEN(why, "job %" PRIu32 ": planned without links alone\n",
				      job->job_id);
		if (with->start_s > until(job, with))
			return BROKEN(why, "job %" PRIu32 ": late, and not without links\n",
				      job->job_id);
		if (is_taken(round, with, until(job, with)))
			return BROKEN(why, "job %" PRIu32 ": links have its room\n", job->job_id);
	}
	return 0;
}

static int compare_without(struct round *round, uint32_t *kept, struct lw_strbuf *why)
{
	struct lw_policy_params params = round->params;
	struct lw_policy *policy;
	struct lw_plan plan;
	int rc;

	params.chain_share = 0;
	lw_plan_init(&plan);
	rc = lw_policy_create(&params, NULL, &policy);
	if (rc)
		return rc;
	rc = lw_policy_cycle(policy, &round->snap, &plan);
	if (!rc)
		rc = compare(round, &plan, kept, why);
	if (rc)
		lw_plan_print(&plan, &round->snap, why);
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
	return rc;
}

static int promises_stay(uint64_t seed, struct lw_strbuf *why)
{
	uint32_t kept = 0;
	int rc = 0;

	for (uint32_t i = 0; i < ROUNDS && !rc; i++) {
		struct round round;

		rc = begin(&round, ROUNDS * seed + i, true);
		if (!rc)
			rc = compare_without(&round, &kept, why);
		rc = round_end(&round, rc, why);
	}
	return rc || kept ? rc : BROKEN(why, "nobody was promised anything\n");
}

static const struct property properties[] = {
	{ "links take over no more than they may, of what others leave", bounds_hold, 60 },
	{ "nobody's promise pays for a link", promises_stay, 60 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
