/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whose deadline was accepted starts in time, whatever is submitted later. */
#include "property/loop.h"
#include "property/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS 20 /* of a round: in some of them somebody is accepted */

/* Those that start what was accepted by themselves. */
#define GUARDS (LW_FILLS | LW_DEADLINES)

/* Some near, some far, some that nobody could meet. */
static void make_deadlines(struct loop *loop, bool exact)
{
	for (uint32_t i = 0; i < loop->job_count; i++) {
		struct job *job = &loop->jobs[i];

		if (exact)
			job->run_s = job->waiting.limit_s;
		if (prng_chance(&loop->prng, 60))
			job->waiting.finish_by_s =
				job->waiting.submit_s +
				job->waiting.limit_s * (int64_t)prng_between(&loop->prng, 5, 60) /
					10;
	}
}

static int begin(struct loop *loop, uint64_t seed, uint32_t nodes_max, bool exact)
{
	const struct random_shape shape = { .nodes_max = nodes_max,
					    .sets_max = nodes_max > 1 ? 4 : 1 };

	memset(loop, 0, sizeof(*loop));
	loop->prng.state = seed;
	lw_plan_init(&loop->plan);
	random_params(&loop->prng, &loop->params);
	loop->params.kind = kind_with(GUARDS, seed);
	loop->params.deadlines = LW_DEADLINES_GUARD;
	loop->by_deadlines = true;
	if (random_cluster(&loop->prng, &shape, &loop->snap) ||
	    lw_policy_create(&loop->params, NULL, &loop->policy))
		return -1;
	loop_make_jobs(loop);
	make_deadlines(loop, exact);
	loop->now_s = RANDOM_NOW_S;
	loop->tasks = calloc(LOOP_JOBS_MAX * 5, sizeof(*loop->tasks));
	return loop->tasks ? 0 : -1;
}

/* Seeds that are run in a row accept somebody: else nothing would be tested. */
static int run_some(uint64_t seed, uint32_t nodes_max, bool exact, struct lw_strbuf *why)
{
	uint32_t accepted = 0;
	int rc = 0;

	for (uint32_t i = 0; i < LOOPS && !rc; i++) {
		struct loop loop;

		rc = begin(&loop, LOOPS * seed + i, nodes_max, exact);
		if (!rc)
			rc = loop_run(&loop, why);
		accepted += loop.accepted;
		rc = loop_end(&loop, rc, why);
	}
	return rc || accepted ? rc : BROKEN(why, "nobody was accepted\n");
}

/* Runs end early, too. */
static int pool_meets(uint64_t seed, struct lw_strbuf *why)
{
	return run_some(seed, 1, false, why);
}

static int exact_meets(uint64_t seed, struct lw_strbuf *why)
{
	return run_some(seed, 12, true, why);
}

/* One that moves forward when others end early may take other nodes, which others were to have. */
static int nodes_meet(uint64_t seed, struct lw_strbuf *why)
{
	return run_some(seed, 12, false, why);
}

static const struct property properties[] = {
	{ "on a pool no accepted job misses", pool_meets, 60 },
	{ "over nodes none does if all run to their limits", exact_meets, 60 },
	{ "over nodes none does if runs end early", nodes_meet, 150 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
