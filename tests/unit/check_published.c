/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/published: who may pass whom in a published simulator. */
#include "lab/sim/published.h"

#include "unit/sim_vectors.h"

#define NONE_PASSES LW_PUBLISHED_NONE
#define FCFS_PASSES LW_PUBLISHED_FCFS
#define BEST_PASSES LW_PUBLISHED_ORDER

static const struct {
	enum lw_published rule;
	enum lw_order order;
	struct vector vector;
} vectors[] = {
	{ NONE_PASSES,
	  LW_ORDER_SJF,
	  { .name = "who is first stays first, though a shorter one comes",
	    .machine = POOL(4),
	    .rows = { { 0, 4, 10, 10, 0, NONE },
		      { 1, 4, 50, 50, 10, NONE },
		      { 2, 4, 5, 5, 60, NONE } } } },
	{ NONE_PASSES,
	  LW_ORDER_SJF,
	  { .name = "when it has started the shortest is first",
	    .machine = POOL(4),
	    .rows = { { 0, 4, 10, 10, 0, NONE },
		      { 1, 4, 50, 50, 10, NONE },
		      { 2, 4, 5, 5, 63, NONE },
		      { 3, 4, 3, 3, 60, NONE } } } },
	{ NONE_PASSES,
	  LW_ORDER_FCFS,
	  { .name = "nobody passes",
	    .machine = POOL(4),
	    .rows = { { 0, 3, 10, 10, 0, NONE },
		      { 1, 4, 20, 20, 10, NONE },
		      { 3, 1, 6, 6, 30, NONE } } } },
	{ FCFS_PASSES,
	  LW_ORDER_FCFS,
	  { .name = "who ends just when the first is to start does not pass",
	    .machine = POOL(4),
	    .rows = { { 0, 3, 10, 10, 0, NONE },
		      { 1, 4, 20, 20, 10, NONE },
		      { 2, 1, 8, 8, 30, NONE },
		      { 3, 1, 6, 6, 3, NONE } } } },
	{ FCFS_PASSES,
	  LW_ORDER_FCFS,
	  { .name = "nor who would take what the first leaves",
	    .machine = POOL(4),
	    .rows = { { 0, 3, 10, 10, 0, NONE },
		      { 1, 2, 20, 20, 10, NONE },
		      { 2, 1, 100, 100, 10, NONE } } } },
	{ FCFS_PASSES,
	  LW_ORDER_SAF,
	  { .name = "the first to come passes first",
	    .machine = POOL(4),
	    .rows = { { 0, 3, 20, 20, 0, NONE },
		      { 0, 1, 5, 5, 0, NONE },
		      { 1, 4, 9, 9, 20, NONE },
		      { 2, 1, 9, 9, 5, NONE },
		      { 3, 1, 4, 4, 14, NONE } } } },
	{ BEST_PASSES,
	  LW_ORDER_SAF,
	  { .name = "the first in the order passes first",
	    .machine = POOL(4),
	    .rows = { { 0, 3, 20, 20, 0, NONE },
		      { 0, 1, 5, 5, 0, NONE },
		      { 1, 4, 9, 9, 20, NONE },
		      { 2, 1, 9, 9, 9, NONE },
		      { 3, 1, 4, 4, 5, NONE } } } },
	/* by limits the first would start at 40; one that could end at 26 passes, and it waits */
	{ FCFS_PASSES,
	  LW_ORDER_FCFS,
	  { .name = "the start is estimated by limits, and once",
	    .machine = POOL(4),
	    .rows = { { 0, 3, 6, 40, 0, NONE },
		      { 1, 4, 20, 20, 24, NONE },
		      { 2, 1, 22, 24, 2, NONE } } } },
};

TEST_EACH(the_rule, LW_COUNT_OF(vectors))
{
	const struct vector *v = &vectors[_i].vector;
	struct lw_trial trial = make_trial(v);
	struct lw_sim_job jobs[JOBS_MAX];
	uint32_t n = make_jobs(v, jobs);

	trial.policy.kind = LW_POLICY_FCFS;
	trial.policy.order = vectors[_i].order;
	trial.published = vectors[_i].rule;
	trial.one_event = true;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_msg(jobs[i].start_s == v->rows[i].start_s, "%s: job %u at %lld",
			      v->name, i + 1, (long long)jobs[i].start_s);
}
