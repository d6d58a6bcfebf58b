/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: later jobs cost the oldest waiting job no more time than the bound says. */
#include "property/loop.h"
#include "property/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CPUS      8
#define FIRST     CPUS /* the wide job's place; those before it run when it comes */
#define LIMIT_S   3000 /* the longest of the other jobs */
#define RISK_S    20
#define ARRIVAL_S (LIMIT_S / 20) /* a job comes at least as often, and with it a cycle */
#define BATCH     60 /* flows, in some of which the wide job starves without a bound */

/* The first jobs take the machine, the next wants all of it, and more come than it can run. */
static void lost_make_flow(struct loop *loop)
{
	int64_t submit_s = RANDOM_NOW_S;

	loop->job_count = LOOP_ROOM;
	for (uint32_t i = 0; i < loop->job_count; i++) {
		if (i >= FIRST)
			submit_s += prng_between(&loop->prng, 1, ARRIVAL_S);
		loop_make_job(loop, i, submit_s, i == FIRST ? CPUS : 1, LIMIT_S / 4, LIMIT_S);
	}
	/* it is promised nothing for a day, and all others are shorter */
	loop->jobs[FIRST].waiting.limit_s = 4 * LW_LOST_RUN_MOST_S;
	loop->jobs[FIRST].waiting.expected.mean_s =
		prng_between(&loop->prng, LIMIT_S, 4 * LIMIT_S);
}

static int lost_begin_flow(struct loop *loop, uint64_t seed, bool bounded)
{
	struct lw_policy_params *params = &loop->params;

	memset(loop, 0, sizeof(*loop));
	loop->prng.state = seed;
	lw_plan_init(&loop->plan);
	random_params(&loop->prng, params);
	params->kind = LW_POLICY_LEEWAY;
	params->order = LW_ORDER_GIVEN;
	params->deadlines = LW_DEADLINES_OFF;
	params->outside = NULL;
	params->risk_cap_s = prng_between(&loop->prng, 0, RISK_S);
	params->patience = 2;
	params->loss = bounded ? prng_between(&loop->prng, 1, 100) / 100.0 : 0;
	lost_make_flow(loop);
	return loop_begin_on_node(loop, CPUS);
}

/*
 * The jobs before it end by their limits. Then it loses time to later jobs alone, until it has
 * lost its share. Then it is promised the time by which all that run have ended.
 */
static int64_t lost_bound_s(const struct loop *loop)
{
	const struct lw_waiting *first = &loop->jobs[FIRST].waiting;
	double run_s = (double)first->expected.mean_s;

	run_s = run_s < LW_LOST_RUN_LEAST_S ? LW_LOST_RUN_LEAST_S : run_s;
	return first->submit_s + LIMIT_S + (int64_t)(loop->params.loss * run_s) + LIMIT_S +
	       RISK_S + LW_LOST_STEP_S + ARRIVAL_S;
}

static int lost_flow(uint64_t seed, bool bounded, bool *ret_late, struct lw_strbuf *why)
{
	struct loop loop;
	int64_t started_s;
	int rc = lost_begin_flow(&loop, seed, bounded);

	if (!rc)
		rc = loop_run(&loop, why);
	started_s = loop.jobs[FIRST].started_s;
	*ret_late = started_s > lost_bound_s(&loop);
	if (!rc && bounded && *ret_late)
		rc = BROKEN(why, "the wide job starts at %" PRId64 ", beyond %" PRId64 "\n",
			    started_s, lost_bound_s(&loop));
	return loop_end(&loop, rc, why);
}

static int lost_is_bounded(uint64_t seed, struct lw_strbuf *why)
{
	bool late;

	return lost_flow(seed, true, &late, why);
}

/* Else the flow would say nothing of the bound. */
static int lost_is_much_without(uint64_t seed, struct lw_strbuf *why)
{
	uint32_t starved = 0;
	int rc = 0;

	for (uint32_t i = 0; i < BATCH && !rc; i++) {
		bool late;

		rc = lost_flow(seed * BATCH + i, false, &late, why);
		starved += late;
	}
	if (rc || starved)
		return rc;
	return BROKEN(why, "the wide job starves in no flow\n");
}

/* What lw_lost_note() says, against a sum over all jobs for each. */
struct lost_oracle {
	int64_t lost_s[LOOP_ROOM];
	bool loses[LOOP_ROOM];
	int64_t at_s, seen_s;
	bool looks; /* as at_s: of the last look */
};

static double lost_wanted_before(const struct loop *loop, uint32_t place)
{
	const struct lw_snapshot *snap = &loop->snap;
	double sum = 0;

	for (uint32_t i = 0; i < snap->running_count; i++)
		if (snap->running[i].since_s <= loop->jobs[place].waiting.submit_s)
			sum += loop->jobs[snap->running[i].job_id - 1]
				       .waiting.request.cpus_per_node;
	for (uint32_t i = 0; i < snap->waiting_count; i++)
		if (snap->waiting[i].job_id - 1 < place)
			sum += snap->waiting[i].request.cpus_per_node;
	return sum;
}

static int lost_check_one(const struct loop *loop, struct lost_oracle *oracle,
			  const struct lw_waiting *waiting, struct lw_strbuf *why)
{
	uint32_t place = waiting->job_id - 1;

	if (oracle->looks && oracle->loses[place])
		oracle->lost_s[place] += loop->now_s - oracle->at_s;
	if (waiting->lost_s != oracle->lost_s[place])
		return BROKEN(why, "job %" PRIu32 " has lost %" PRId64 " s, not %" PRId64 "\n",
			      waiting->job_id, oracle->lost_s[place], waiting->lost_s);
	if (oracle->looks)
		oracle->loses[place] =
			lost_wanted_before(loop, place) + waiting->request.cpus_per_node <= CPUS;
	return 0;
}

/* After the plan was obeyed the snapshot is still that of before it, as lw_lost_note() left it.
 */
static int lost_check(struct loop *loop, struct lw_strbuf *why)
{
	struct lost_oracle *oracle = loop->arg;
	int rc = 0;

	if (loop->snap.now_s != loop->now_s || oracle->seen_s == loop->now_s)
		return 0;
	oracle->seen_s = loop->now_s;
	oracle->looks = loop->now_s - oracle->at_s >= LW_LOST_STEP_S;
	for (uint32_t i = 0; i < loop->snap.waiting_count && !rc; i++)
		rc = lost_check_one(loop, oracle, &loop->snap.waiting[i], why);
	if (oracle->looks)
		oracle->at_s = loop->now_s;
	return rc;
}

static int lost_is_counted(uint64_t seed, struct lw_strbuf *why)
{
	struct lost_oracle oracle = { .at_s = 0 };
	struct loop loop;
	int rc = lost_begin_flow(&loop, seed, true);

	loop.stranger = lost_check;
	loop.arg = &oracle;
	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

static const struct property properties[] = {
	{ "the oldest job loses no more to later ones than the bound says", lost_is_bounded,
	  300 },
	{ "without a bound it may starve", lost_is_much_without, 1 },
	{ "time lost is what a sum over all jobs says", lost_is_counted, 60 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
