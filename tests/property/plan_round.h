/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one random moment and what is planned in it. */
#ifndef LW_TESTS_PLAN_ROUND_H
#define LW_TESTS_PLAN_ROUND_H

#include "planner/policies/policy.h"
#include "base/strbuf.h"
#include "property/random.h"

/* One random moment and its plan. */
struct round {
	struct prng prng;
	struct lw_policy_params params;
	struct lw_snapshot snap;
	struct lw_policy *policy;
	struct lw_plan plan;
};

/* Plan a random moment of SEED. Not 0: out of memory; round_end() is due all the same. */
int round_begin(struct round *round, uint64_t seed);

/*
 * Free all; a broken round, of an RC that is not 0, shows its snapshot and plan in WHY, ready to
 * become a golden file. Returns RC.
 */
int round_end(struct round *round, int rc, struct lw_strbuf *why);

/* Does JOB fit into FREE_RES, all nodes alike searched without the planner's short cuts? */
bool round_fits(const struct lw_snapshot *snap, const struct lw_waiting *job,
		const struct lw_res *free_res);

#endif
