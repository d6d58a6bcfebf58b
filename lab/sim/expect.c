/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what leeway sim tells the planner to expect of jobs, and when it asks for that anew. */
#include "lab/sim/expect.h"

#include "planner/place/release_dist.h"
#include "predictor/history.h"
#include "planner/model/snapshot_step.h"
#include "lab/sim/reciperun.h"

/* How a job stays is asked again when it has run an eighth longer, and so long at least. */
#define STAYS_EVERY_S 60

/* Placement asks it of GPU jobs, an order of all. */
static bool asks_survival(const struct lw_sim_hooks *hooks, const struct lw_sim_job *job)
{
	return hooks->survival && (hooks->survival_of_all || lw_sim_job_wants_gpus(job));
}

static int64_t expected_tail(const struct lw_engine *run, const struct lw_sim_job *job,
			     int64_t now_s)
{
	return run->hooks->expect_tail ? run->hooks->expect_tail(run->hooks->arg, job, now_s) : 0;
}

/* The limit of a planner that believes is what is expected on the slowest type: it may get that. */
static void believe_by_type(const struct lw_engine *run, struct lw_sim_job *job,
			    struct lw_waiting *waiting)
{
	lw_reciperun_expect(job, run->snap, job->held_s, &waiting->expected);
	for (int type = 0; waiting->expected.mean_s && type < LW_GPU_TYPES_MAX; type++)
		if (waiting->expected.by_type_s[type] > job->held_s)
			job->held_s = waiting->limit_s = waiting->expected.by_type_s[type];
}

void lw_expect_new(const struct lw_engine *run, struct lw_sim_job *job, int64_t now_s,
		   struct lw_waiting *waiting)
{
	const struct lw_sim_hooks *hooks = run->hooks;

	job->held_s = waiting->limit_s;
	if (hooks->believe) {
		job->held_s = waiting->limit_s = hooks->believe(hooks->arg, job, 0, now_s);
		believe_by_type(run, job, waiting);
	} else if (hooks->expect) {
		waiting->expected.mean_s =
			lw_engine_size_s(run, job, &waiting->request, waiting->limit_s,
					 hooks->expect(hooks->arg, job, now_s));
		waiting->expected.tail_ms = expected_tail(run, job, now_s);
		lw_reciperun_expect(job, run->snap, waiting->expected.mean_s, &waiting->expected);
	}
	if (hooks->attained)
		waiting->expected.attained_s = hooks->attained(hooks->arg, job);
	if (asks_survival(hooks, job))
		waiting->expected.survival = hooks->survival(hooks->arg, job, 0, now_s);
}

void lw_expect_survival(struct lw_engine *run, int64_t now_s)
{
	struct lw_snapshot *snap = run->snap;

	for (uint32_t i = 0; run->hooks->survival && i < snap->running_count; i++) {
		const struct lw_running *running = &snap->running[i];
		int64_t elapsed_s = now_s - running->start_s, more_s = elapsed_s / 8;
		struct lw_sim_job *job;

		if (lw_engine_is_completing(run, running->job_id))
			continue;
		job = &run->jobs[run->index_of[running->job_id]];
		if (now_s < job->stays_due_s || !lw_release_dist_matters(snap, i))
			continue;
		lw_snapshot_expect_running(
			snap, i, running->expect_s,
			run->hooks->survival(run->hooks->arg, job, elapsed_s, now_s));
		job->stays_due_s = now_s + (more_s > STAYS_EVERY_S ? more_s : STAYS_EVERY_S);
	}
}

static int64_t expected_rank(const struct lw_engine *run, uint32_t class_number)
{
	const struct lw_class *class = &run->snap->queue.classes[class_number];
	const struct lw_sim_hooks *hooks = run->hooks;

	if (!hooks->rank || class->member_count < 2 || run->kinds[class_number].runs)
		return 0;
	return hooks->rank(hooks->arg, &run->jobs[run->job_of[class->members[0]]],
			   class->member_count, run->snap->now_s);
}

void lw_expect_rank(struct lw_engine *run, uint32_t class_number)
{
	struct lw_expectation expected = run->snap->queue.classes[class_number].expected;

	expected.rank_s = expected_rank(run, class_number);
	lw_snapshot_expect(run->snap, class_number, &expected);
}

void lw_expect_fresh(struct lw_engine *run, uint32_t class_number, const struct lw_sim_job *job,
		     int64_t now_s)
{
	const struct lw_sim_hooks *hooks = run->hooks;

	run->kinds[class_number].renew_s =
		hooks->fresh_until ? hooks->fresh_until(hooks->arg, job, now_s) : INT64_MAX;
}

static void expect_class_anew(struct lw_engine *run, uint32_t class_number, int64_t now_s)
{
	const struct lw_class *class = &run->snap->queue.classes[class_number];
	const struct lw_sim_job *job = &run->jobs[run->job_of[class->members[0]]];
	struct lw_expectation expected = class->expected;

	expected.mean_s = lw_engine_size_s(run, job, &class->request, class->limit_s,
					   run->hooks->expect(run->hooks->arg, job, now_s));
	expected.tail_ms = expected_tail(run, job, now_s);
	lw_reciperun_expect(job, run->snap, expected.mean_s, &expected);
	expected.rank_s = expected_rank(run, class_number);
	if (run->hooks->attained)
		expected.attained_s = run->hooks->attained(run->hooks->arg, job);
	if (asks_survival(run->hooks, job))
		expected.survival = run->hooks->survival(run->hooks->arg, job, 0, now_s);
	lw_snapshot_expect(run->snap, class_number, &expected);
	lw_expect_fresh(run, class_number, job, now_s);
}

/* Of jobs without a user the limit tells which are alike. */
static bool is_like(const struct lw_engine *run, const struct lw_class *class,
		    const struct lw_sim_job *ended)
{
	const struct lw_sim_job *job = &run->jobs[run->job_of[class->members[0]]];

	return class->user_id == ended->user &&
	       (ended->user != LW_HISTORY_NOBODY ||
		lw_sim_job_asked_s(job) == lw_sim_job_asked_s(ended));
}

void lw_expect_anew(struct lw_engine *run, const struct lw_sim_job *ended, int64_t now_s)
{
	const struct lw_queue *queue = &run->snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		if (is_like(run, &queue->classes[queue->active[i]], ended))
			expect_class_anew(run, queue->active[i], now_s);
	}
}

void lw_expect_stale(struct lw_engine *run, int64_t now_s)
{
	const struct lw_queue *queue = &run->snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++)
		if (run->kinds[queue->active[i]].renew_s <= now_s)
			expect_class_anew(run, queue->active[i], now_s);
}
