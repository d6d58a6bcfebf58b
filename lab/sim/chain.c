/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs of a run wait for which. */
#include "lab/sim/chain.h"

#include "base/grow.h"
#include "base/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Tasks of arrays with more at a time follow no other task: they start when they may. */
#define FOLLOWED_MAX 32

static const char *const mode_names[LW_CHAIN_MODES] = { "on", "off", "start-rule" };

const char *lw_chain_mode_name(enum lw_chain_mode mode)
{
	return mode_names[mode];
}

int lw_chain_mode_parse(const char *name)
{
	for (int mode = 0; mode < LW_CHAIN_MODES; mode++)
		if (strcmp(name, mode_names[mode]) == 0)
			return mode;
	return -EINVAL;
}

static bool ripens_before(const struct lw_chain_ripe *a, const struct lw_chain_ripe *b)
{
	return a->at_s != b->at_s ? a->at_s < b->at_s : a->job < b->job;
}

LW_HEAP(ripes, struct lw_chain_ripe, ripens_before)

/* Does A, which runs, run longer than B by their limits? */
static bool chain_runs_longer(const struct lw_sim_job *a, const struct lw_sim_job *b)
{
	int64_t a_s = a->start_s + a->held_s, b_s = b->start_s + b->held_s;

	return a_s != b_s ? a_s > b_s : a->id > b->id;
}

/* What has become of the tasks before one. */
struct chain_before {
	uint32_t running, waiting;
	uint32_t runs[FOLLOWED_MAX]; /* the first that run, by their limits */
};

static int chain_by_array(const void *a, const void *b, void *arg)
{
	const struct lw_sim_job *jobs = arg;
	const struct lw_sim_job *x = &jobs[*(const uint32_t *)a],
				*y = &jobs[*(const uint32_t *)b];

	if (x->array != y->array)
		return x->array < y->array ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Note which tasks are of one array, of COUNT tasks. -ENOMEM. */
static int chain_arrays_init(struct lw_chain *chain, uint32_t count)
{
	chain->fellows = calloc(count, sizeof(*chain->fellows));
	chain->fellow_of = calloc(chain->job_count, sizeof(*chain->fellow_of));
	if (!chain->fellows || !chain->fellow_of)
		return -ENOMEM;
	for (uint32_t i = 0; i < chain->job_count; i++)
		if (chain->jobs[i].at_most)
			chain->fellows[chain->fellow_count++] = i;
	qsort_r(chain->fellows, count, sizeof(*chain->fellows), chain_by_array, chain->jobs);
	for (uint32_t i = 0; i < count; i++)
		chain->fellow_of[chain->fellows[i]] = i + 1;
	return 0;
}

static bool chain_is_fellow(const struct lw_chain *chain, uint32_t at, uint32_t job)
{
	return chain->jobs[chain->fellows[at]].array == chain->jobs[job].array;
}

bool lw_chain_fellow(const struct lw_chain *chain, uint32_t *job)
{
	uint32_t at = chain->fellow_of ? chain->fellow_of[*job] : 0;

	if (!at || at == chain->fellow_count || !chain_is_fellow(chain, at, *job))
		return false;
	*job = chain->fellows[at];
	return true;
}

/* Note a running one at its place among the first. */
static void chain_note_running(const struct lw_chain *chain, struct chain_before *before,
			       uint32_t job)
{
	uint32_t at = before->running++;

	if (at >= FOLLOWED_MAX)
		return;
	for (; at && chain_runs_longer(&chain->jobs[before->runs[at - 1]], &chain->jobs[job]);
	     at--)
		before->runs[at] = before->runs[at - 1];
	before->runs[at] = job;
}

static void chain_look_before(const struct lw_chain *chain, uint32_t job,
			      struct chain_before *ret_before)
{
	*ret_before = (struct chain_before){ 0 };
	for (uint32_t at = chain->fellow_of[job] - 1; at-- && chain_is_fellow(chain, at, job);) {
		uint32_t place = chain->fellows[at];

		if (chain->states[place] == LW_CHAIN_RUNNING)
			chain_note_running(chain, ret_before, place);
		else if (chain->states[place] != LW_CHAIN_OVER)
			ret_before->waiting++;
	}
}

bool lw_chain_has_let_in(const struct lw_chain *chain, uint32_t job)
{
	struct chain_before before;

	chain_look_before(chain, job, &before);
	return chain->jobs[job].start_s == LW_NO_TIME &&
	       before.running + before.waiting == chain->jobs[job].at_most - 1;
}

/* As lw_chain_judge(), of what JOB waits for as a task of its array: MET if it is none. */
static enum lw_chain_verdict chain_judge_array(const struct lw_chain *chain, uint32_t job,
					       uint32_t *ret_after)
{
	uint32_t at_most = chain->jobs[job].at_most, ahead;
	struct chain_before before;

	if (!at_most)
		return LW_CHAIN_MET;
	chain_look_before(chain, job, &before);
	if (before.running + before.waiting < at_most)
		return LW_CHAIN_MET;
	/* other tasks, which wait for a running task, join the queue before it */
	ahead = before.waiting + before.running - at_most;
	if (ahead >= before.running || at_most > FOLLOWED_MAX)
		return LW_CHAIN_BLOCKED;
	*ret_after = before.runs[ahead];
	return LW_CHAIN_FOLLOWS;
}

void lw_chain_fini(struct lw_chain *chain)
{
	free(chain->index_of);
	free(chain->states);
	free(chain->first);
	free(chain->nexts);
	free(chain->ripes);
	free(chain->fellows);
	free(chain->fellow_of);
	memset(chain, 0, sizeof(*chain));
}

/* The place of the job that AFTER names, or UINT32_MAX. */
static uint32_t place_of(const struct lw_chain *chain, const struct lw_after *after)
{
	return after->job <= chain->largest ? chain->index_of[after->job] - 1 : UINT32_MAX;
}

static uint32_t count_afters(struct lw_chain *chain, uint32_t *ret_fellows)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < chain->job_count; i++) {
		struct lw_sim_job *job = &chain->jobs[i];

		job->leads = job->unplanned = false;
		job->awaited_s = LW_NO_TIME;
		count += job->after_count;
		*ret_fellows += job->at_most > 0;
		if (job->id > chain->largest)
			chain->largest = job->id;
	}
	return count;
}

/* By places: the reverse of what each job waits for. */
static void turn_round(struct lw_chain *chain)
{
	for (uint32_t turn = 0; turn < 2; turn++) {
		for (uint32_t i = 0; i < chain->job_count; i++) {
			const struct lw_sim_job *job = &chain->jobs[i];

			for (uint32_t k = 0; k < job->after_count; k++) {
				uint32_t place = place_of(chain, &job->afters[k]);

				if (place == UINT32_MAX)
					continue;
				chain->jobs[place].leads = true;
				if (turn)
					chain->nexts[--chain->first[place]] = i;
				else
					chain->first[place]++;
			}
		}
		for (uint32_t i = 0; !turn && i < chain->job_count; i++)
			chain->first[i + 1] += chain->first[i];
	}
}

int lw_chain_init(struct lw_chain *chain, struct lw_sim_job *jobs, uint32_t count)
{
	uint32_t afters, fellows = 0;

	*chain = (struct lw_chain){ .jobs = jobs, .job_count = count };
	afters = count_afters(chain, &fellows);
	if (!afters && !fellows)
		return 0;
	chain->index_of = calloc((size_t)chain->largest + 1, sizeof(*chain->index_of));
	chain->states = calloc(count, sizeof(*chain->states));
	chain->first = calloc((size_t)count + 1, sizeof(*chain->first));
	chain->nexts = calloc((size_t)afters + 1, sizeof(*chain->nexts));
	if (!chain->index_of || !chain->states || !chain->first || !chain->nexts)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		chain->index_of[jobs[i].id] = i + 1;
	turn_round(chain);
	return fellows ? chain_arrays_init(chain, fellows) : 0;
}

void lw_chain_set(struct lw_chain *chain, uint32_t job, enum lw_chain_state state)
{
	if (chain->states)
		chain->states[job] = (uint8_t)state;
}

bool lw_chain_is(const struct lw_chain *chain, uint32_t job, enum lw_chain_state state)
{
	return chain->states && chain->states[job] == (uint8_t)state;
}

/* Did it run to its end, and was that a good one? */
static bool ended_well(const struct lw_sim_job *job)
{
	return job->start_s != LW_NO_TIME && !job->exit_code && job->run_s <= job->limit_s &&
	       lw_sim_job_end_s(job) == job->start_s + job->run_s;
}

static bool is_met(const struct lw_sim_job *before, enum lw_after_kind kind)
{
	if (kind == LW_AFTER_OK || kind == LW_AFTER_CORR)
		return ended_well(before);
	return kind != LW_AFTER_NOTOK || !ended_well(before);
}

static enum lw_chain_verdict judge_one(const struct lw_chain *chain, const struct lw_after *after,
				       uint32_t before);

/* A singleton that never started passes on the jobs that it waited for. */
static enum lw_chain_verdict judge_passed_on(const struct lw_chain *chain, uint32_t job)
{
	const struct lw_sim_job *before = &chain->jobs[job];
	enum lw_chain_verdict worst = LW_CHAIN_MET, one;

	for (uint32_t i = 0; before->start_s == LW_NO_TIME && i < before->after_count; i++) {
		uint32_t place = place_of(chain, &before->afters[i]);

		if (before->afters[i].kind != LW_AFTER_SINGLETON || place == UINT32_MAX)
			continue;
		one = judge_one(chain, &before->afters[i], place);
		/* it is not known which end that is: so the job is not planned for it */
		if (one != LW_CHAIN_MET)
			worst = LW_CHAIN_BLOCKED;
	}
	return worst;
}

static enum lw_chain_verdict judge_one(const struct lw_chain *chain, const struct lw_after *after,
				       uint32_t before)
{
	if (chain->states[before] == LW_CHAIN_RUNNING)
		return after->kind == LW_AFTER_NOTOK ? LW_CHAIN_BLOCKED : LW_CHAIN_FOLLOWS;
	if (chain->states[before] != LW_CHAIN_OVER)
		return LW_CHAIN_BLOCKED;
	if (after->kind == LW_AFTER_SINGLETON)
		return judge_passed_on(chain, before);
	return is_met(&chain->jobs[before], after->kind) ? LW_CHAIN_MET : LW_CHAIN_NEVER;
}

enum lw_chain_verdict lw_chain_judge(const struct lw_chain *chain, uint32_t job,
				     uint32_t *ret_after)
{
	const struct lw_sim_job *of = &chain->jobs[job];
	enum lw_chain_verdict worst = chain_judge_array(chain, job, ret_after), one;
	bool any = worst == LW_CHAIN_FOLLOWS;

	for (uint32_t i = 0; i < of->after_count; i++) {
		uint32_t before = place_of(chain, &of->afters[i]);

		if (before == UINT32_MAX)
			continue;
		one = judge_one(chain, &of->afters[i], before);
		worst = one > worst ? one : worst;
		if (one != LW_CHAIN_FOLLOWS)
			continue;
		if (!any || chain_runs_longer(&chain->jobs[before], &chain->jobs[*ret_after]))
			*ret_after = before;
		any = true;
	}
	return worst;
}

int lw_chain_ripen(struct lw_chain *chain, uint32_t job, int64_t at_s)
{
	struct lw_chain_ripe ripe = { at_s, job };

	if (lw_grow((void **)&chain->ripes, &chain->ripe_room, chain->ripe_count + 1,
		    sizeof(*chain->ripes)))
		return -ENOMEM;
	ripes_push(chain->ripes, &chain->ripe_count, ripe);
	return 0;
}

int64_t lw_chain_next_s(const struct lw_chain *chain)
{
	return chain->ripe_count ? chain->ripes[0].at_s : INT64_MAX;
}

bool lw_chain_ripe(struct lw_chain *chain, int64_t now_s, uint32_t *ret_job)
{
	if (lw_chain_next_s(chain) > now_s)
		return false;
	*ret_job = ripes_pop(chain->ripes, &chain->ripe_count).job;
	return true;
}
