/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: arrays of which so many tasks run at a time. */
#include "lab/sim/chain_array.h"

#include <errno.h>
#include <stdlib.h>

/* In arrays with more tasks at a time none follows another: they start when they may. */
#define FOLLOWED_MAX 32

/* What has become of the tasks before one. */
struct before {
	uint32_t running, waiting;
	uint32_t runs[FOLLOWED_MAX]; /* the first that run, by their limits */
};

static int by_array(const void *a, const void *b, void *arg)
{
	const struct lw_sim_job *jobs = arg;
	const struct lw_sim_job *x = &jobs[*(const uint32_t *)a], *y = &jobs[*(const uint32_t *)b];

	if (x->array != y->array)
		return x->array < y->array ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

int lw_chain_arrays_init(struct lw_chain *chain, uint32_t count)
{
	chain->fellows = calloc(count, sizeof(*chain->fellows));
	chain->fellow_of = calloc(chain->job_count, sizeof(*chain->fellow_of));
	if (!chain->fellows || !chain->fellow_of)
		return -ENOMEM;
	for (uint32_t i = 0; i < chain->job_count; i++)
		if (chain->jobs[i].at_most)
			chain->fellows[chain->fellow_count++] = i;
	qsort_r(chain->fellows, count, sizeof(*chain->fellows), by_array, chain->jobs);
	for (uint32_t i = 0; i < count; i++)
		chain->fellow_of[chain->fellows[i]] = i + 1;
	return 0;
}

static bool is_fellow(const struct lw_chain *chain, uint32_t at, uint32_t job)
{
	return chain->jobs[chain->fellows[at]].array == chain->jobs[job].array;
}

bool lw_chain_fellow(const struct lw_chain *chain, uint32_t *job)
{
	uint32_t at = chain->fellow_of ? chain->fellow_of[*job] : 0;

	if (!at || at == chain->fellow_count || !is_fellow(chain, at, *job))
		return false;
	*job = chain->fellows[at];
	return true;
}

/* Note a running one at its place among the first. */
static void note_running(const struct lw_chain *chain, struct before *before, uint32_t job)
{
	uint32_t at = before->running++;

	if (at >= FOLLOWED_MAX)
		return;
	for (; at && lw_chain_runs_longer(&chain->jobs[before->runs[at - 1]], &chain->jobs[job]);
	     at--)
		before->runs[at] = before->runs[at - 1];
	before->runs[at] = job;
}

static void look_before(const struct lw_chain *chain, uint32_t job, struct before *ret_before)
{
	*ret_before = (struct before){ 0 };
	for (uint32_t at = chain->fellow_of[job] - 1; at-- && is_fellow(chain, at, job);) {
		uint32_t place = chain->fellows[at];

		if (chain->states[place] == LW_CHAIN_RUNNING)
			note_running(chain, ret_before, place);
		else if (chain->states[place] != LW_CHAIN_OVER)
			ret_before->waiting++;
	}
}

bool lw_chain_has_let_in(const struct lw_chain *chain, uint32_t job)
{
	struct before before;

	look_before(chain, job, &before);
	return chain->jobs[job].start_s == LW_NO_TIME &&
	       before.running + before.waiting == chain->jobs[job].at_most - 1;
}

enum lw_chain_verdict lw_chain_judge_array(const struct lw_chain *chain, uint32_t job,
					   uint32_t *ret_after)
{
	uint32_t at_most = chain->jobs[job].at_most, ahead;
	struct before before;

	if (!at_most)
		return LW_CHAIN_MET;
	look_before(chain, job, &before);
	if (before.running + before.waiting < at_most)
		return LW_CHAIN_MET;
	/* others that wait for a running task come before it */
	ahead = before.waiting + before.running - at_most;
	if (ahead >= before.running || at_most > FOLLOWED_MAX)
		return LW_CHAIN_BLOCKED;
	*ret_after = before.runs[ahead];
	return LW_CHAIN_FOLLOWS;
}
