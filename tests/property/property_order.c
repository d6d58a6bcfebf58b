/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: in every order promises are kept, and nobody waits for ever. */
#include "property/loop.h"
#include "property/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CPUS	8
#define LIMIT_S 40 /* the longest */
#define SLIP_S	20 /* how far a promise may slip at most */
#define AGE_S	60 /* the longest order_age_s */
#define BATCH	400 /* flows, in some of which the wide job starves without an age */

/* Those that promise starts to who heads its nodes. */
#define HEADS (LW_FILLS | LW_DEADLINES)

static int keeps_in(uint64_t seed, enum lw_order order, struct lw_strbuf *why)
{
	struct loop loop;
	int rc = loop_begin_in(&loop, seed, kind_with(HEADS, seed), order);

	if (!rc)
		rc = loop_run(&loop, why);
	return loop_end(&loop, rc, why);
}

/* The first CPUS jobs take the machine; the next wants all of it, and more come than it can run. */
static void make_flow(struct loop *loop)
{
	int64_t submit_s = RANDOM_NOW_S;

	loop->job_count = LOOP_ROOM;
	for (uint32_t i = 0; i < loop->job_count; i++) {
		struct lw_waiting *waiting;

		if (i >= CPUS)
			submit_s += prng_between(&loop->prng, 1, 3);
		waiting = loop_make_job(loop, i, submit_s, i == CPUS ? CPUS : 1, LIMIT_S / 2,
					LIMIT_S);
		waiting->expected.attained_s = prng_between(&loop->prng, 0, 100);
		if (prng_chance(&loop->prng, 30))
			waiting->finish_by_s = submit_s + prng_between(&loop->prng, 1, 200);
	}
	/* the least that anybody would do for it */
	loop->jobs[CPUS].waiting.limit_s = LIMIT_S;
	loop->jobs[CPUS].waiting.expected.mean_s = LIMIT_S;
	loop->jobs[CPUS].waiting.expected.attained_s = 1000000;
	loop->jobs[CPUS].waiting.finish_by_s = 0;
}

static int begin_flow(struct loop *loop, uint64_t seed, enum lw_order order, bool ages)
{
	struct lw_policy_params *params = &loop->params;

	memset(loop, 0, sizeof(*loop));
	loop->prng.state = seed;
	lw_plan_init(&loop->plan);
	random_params(&loop->prng, params);
	params->kind = kind_with(HEADS, prng_between(&loop->prng, 0, 1000));
	params->order = order;
	params->order_age_s = ages ? prng_between(&loop->prng, 1, AGE_S) : 0;
	params->keep_promises = true;
	params->deadlines = LW_DEADLINES_OFF;
	params->outside = NULL;
	params->las_threshold_s = 1000;
	params->relax_cap_s = prng_between(&loop->prng, 0, SLIP_S);
	params->slack_cap_s = prng_between(&loop->prng, 0, SLIP_S / 2);
	params->risk_cap_s = prng_between(&loop->prng, 0, SLIP_S / 2);
	make_flow(loop);
	return loop_begin_on_node(loop, CPUS);
}

/*
 * When the wide job has waited for its age, one other at most was promised a start. That one starts
 * when all that run then have ended, at the latest, and as far behind that as a promise may slip.
 * Then nobody is before the wide one, of which the same is true.
 */
static int64_t bound_s(const struct loop *loop)
{
	return loop->jobs[CPUS].waiting.submit_s + loop->params.order_age_s +
	       2 * (LIMIT_S + SLIP_S);
}

static int flow(uint64_t seed, enum lw_order order, bool ages, bool *ret_late,
		struct lw_strbuf *why)
{
	struct loop loop;
	int64_t started_s;
	int rc = begin_flow(&loop, seed, order, ages);

	if (!rc)
		rc = loop_run(&loop, why);
	started_s = loop.jobs[CPUS].started_s;
	*ret_late = started_s > bound_s(&loop);
	if (!rc && ages && *ret_late)
		rc = BROKEN(why, "the wide job starts at %" PRId64 ", beyond %" PRId64 "\n",
			    started_s, bound_s(&loop));
	return loop_end(&loop, rc, why);
}

#define LW_ORDER(id, name, needs, help)                                                       \
	static int name##_keeps(uint64_t seed, struct lw_strbuf *why)                        \
	{                                                                                    \
		return keeps_in(seed, LW_ORDER_##id, why);                                   \
	}                                                                                    \
	static int name##_ages(uint64_t seed, struct lw_strbuf *why)                         \
	{                                                                                    \
		bool late = false;                                                           \
		return lw_order_is_given(LW_ORDER_##id)                                      \
			       ? 0                                                           \
			       : flow(seed, LW_ORDER_##id, true, &late, why);                \
	}
#include "planner/model/orders.def"

/* Else the flow would say nothing of the age. */
static int without_an_age_it_starves(uint64_t seed, struct lw_strbuf *why)
{
	uint32_t starved = 0;
	int rc = 0;

	for (uint32_t i = 0; i < BATCH && !rc; i++) {
		bool late;

		rc = flow(seed * BATCH + i, LW_ORDER_SAF, false, &late, why);
		starved += late;
	}
	if (rc || starved)
		return rc;
	return BROKEN(why, "the wide job starves in no flow\n");
}

static const struct property properties[] = {
#define LW_ORDER(id, name, needs, help)                                                       \
	{ #name ": promises are kept", name##_keeps, 200 },                                  \
		{ #name ": a wide job starts by the bound, whatever comes", name##_ages, 60 },
#include "planner/model/orders.def"
	{ "without an age the wide job may starve", without_an_age_it_starves, 1 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
