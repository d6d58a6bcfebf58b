/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the event loop of leeway sim: jobs arrive, start as planned, and end. */
#include "lab/sim/engine.h"

#include "base/grow.h"
#include "lab/sim/expect.h"
#include "lab/sim/reciperun.h"
#include "planner/model/snapshot_step.h"
#include "planner/order/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Runs cost a second or so; a look at the clock every so many events costs nothing. */
#define PROGRESS_EVERY 1024

static int end_job(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	struct lw_sim_job *job = &run->jobs[index];
	int rc = lw_engine_release(run, job);

	run->kinds[job->class_number].runs--;
	run->finished++;
	if (run->hooks->ended)
		run->hooks->ended(run->hooks->arg, job, now_s);
	if (run->hooks->ended && run->hooks->expect)
		lw_expect_anew(run, job, now_s);
	return rc ? rc : lw_engine_become(run, index, LW_CHAIN_OVER, now_s);
}

/* New classes have no running jobs. */
static int count_class(struct lw_engine *run, uint32_t class_number)
{
	uint32_t old = run->kind_room;

	if (lw_grow((void **)&run->kinds, &run->kind_room, class_number + 1,
		    sizeof(*run->kinds)))
		return -ENOMEM;
	if (run->kind_room > old)
		memset(run->kinds + old, 0, (run->kind_room - old) * sizeof(*run->kinds));
	return 0;
}

int lw_engine_place(struct lw_engine *run, uint32_t index, const struct lw_waiting *waiting)
{
	struct lw_sim_job *job = &run->jobs[index];
	struct lw_error err;
	uint32_t place;

	if (lw_snapshot_insert_waiting(run->snap, waiting, lw_engine_seq(run, index), &place,
				       &err) ||
	    lw_grow((void **)&run->job_of, &run->job_of_room, place + 1, sizeof(*run->job_of)))
		return -ENOMEM;
	run->job_of[place] = index;
	job->class_number = run->snap->queue.class_of[place];
	return count_class(run, job->class_number);
}

int lw_engine_queue(struct lw_engine *run, uint32_t index, int64_t now_s, uint32_t after)
{
	struct lw_sim_job *job = &run->jobs[index];
	struct lw_waiting waiting = lw_engine_waiting(run, index, now_s, after);

	lw_expect_new(run, job, now_s, &waiting);
	if (lw_engine_place(run, index, &waiting))
		return -ENOMEM;
	if (!lw_chain_is(&run->chain, index, LW_CHAIN_QUEUED))
		lw_mix_note(&run->snap->mix, &job->request);
	lw_expect_rank(run, job->class_number);
	lw_expect_fresh(run, job->class_number, job, now_s);
	return lw_engine_become(run, index, LW_CHAIN_QUEUED, now_s);
}

static int start_job(struct lw_engine *run, const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(&run->plan, decision);
	uint32_t index = run->job_of[decision->waiting];
	struct lw_sim_job *job = &run->jobs[index];
	const struct lw_queue *queue = &run->snap->queue;
	const struct lw_class *class = &queue->classes[queue->class_of[decision->waiting]];
	struct lw_running running = {
		.job_id = job->id,
		.user_id = job->user,
		.account = lw_engine_account(run, job),
		.since_s = lw_order_since_s(&run->snap->waiting[decision->waiting]),
		.start_s = run->snap->now_s,
		.end_s = run->snap->now_s + job->held_s,
		.expect_s = lw_reciperun_expected_s(class, allocs, decision->alloc_count),
	};
	struct lw_error err;

	if (run->hooks->delays)
		running.start_s += run->hooks->delays(run->hooks->arg, run->snap->now_s, allocs,
						      decision->alloc_count);
	lw_reciperun_start(job, run->snap, allocs, decision->alloc_count);
	if (job->recipe && run->hooks->believe)
		job->held_s = run->hooks->believe(run->hooks->arg, job, 0, run->snap->now_s);
	running.end_s = running.start_s + job->held_s;
	if (lw_engine_has_sizes(run, job))
		lw_engine_size_start(run, job, decision->alloc_count, &running);
	job->start_s = running.start_s;
	job->ends_s = 0;
	job->guest_s = 0;
	if (!job->stops)
		job->first_start_s = job->start_s;
	if (run->hooks->placed)
		run->hooks->placed(run->hooks->arg, run->snap, job, allocs,
				   decision->alloc_count);
	if (lw_snapshot_remove_waiting(run->snap, decision->waiting) ||
	    lw_snapshot_insert_running(run->snap, &running, allocs, decision->alloc_count, &err))
		return -ENOMEM;
	run->kinds[job->class_number].runs++;
	lw_expect_rank(run, job->class_number);
	if (run->hooks->started)
		run->hooks->started(run->hooks->arg, job);
	return lw_engine_seat(run, index) ? -ENOMEM : lw_agenda_start(&run->agenda, index);
}

static void promise(struct lw_engine *run, const struct lw_decision *decision)
{
	struct lw_sim_job *job = &run->jobs[run->job_of[decision->waiting]];

	/* when a gang has waited long enough, nothing else need happen */
	if ((decision->reason == LW_REASON_WAITS_FOR_NEARER ||
	     decision->reason == LW_REASON_WAITS_FOR_TYPE) &&
	    decision->start_s < run->agenda.wake_s)
		run->agenda.wake_s = decision->start_s;
	run->snap->waiting[decision->waiting].planned_s = decision->start_s;
	if (decision->reason == LW_REASON_ACCEPTED) {
		job->accepted = run->snap->waiting[decision->waiting].accepted = true;
		if (decision->start_s < run->agenda.wake_s)
			run->agenda.wake_s = decision->start_s;
	}
	if (job->accepted && job->latest_s != LW_NO_TIME && decision->latest_s < job->latest_s)
		job->latest_s = decision->latest_s;
	if (job->promise_s != LW_NO_TIME)
		return;
	job->promise_s = decision->promise_s;
	job->latest_s = decision->latest_s;
	run->snap->waiting[decision->waiting].promise_s = decision->promise_s;
}

static int64_t hard_limit(void *arg, uint32_t job_id)
{
	const struct lw_engine *run = arg;

	if (lw_engine_is_completing(run, job_id))
		return run->completing.after_s;
	return run->jobs[run->index_of[job_id]].limit_s;
}

/* The first job with a reservation and without a promise; waiting_count: none. */
static uint32_t first_unpromised(const struct lw_engine *run)
{
	for (uint32_t i = 0; i < run->plan.decision_count; i++) {
		const struct lw_decision *decision = &run->plan.decisions[i];

		if (decision->verdict == LW_RESERVE &&
		    run->snap->waiting[decision->waiting].promise_s == LW_NO_TIME)
			return decision->waiting;
	}
	return run->snap->waiting_count;
}

/* A planner that believes would promise that: promise by hard limits, and let it plan again. */
static int plan(struct lw_engine *run)
{
	const struct lw_guarantee_limits limits = { hard_limit, run };
	int rc = lw_policy_note_lost(run->policy, &run->lost, run->snap);

	if (!rc)
		rc = lw_policy_cycle(run->policy, run->snap, &run->plan);
	while (!rc && run->guarantee) {
		uint32_t index = first_unpromised(run);

		if (index == run->snap->waiting_count)
			break;
		rc = lw_guarantee_start(run->guarantee, run->snap, &run->plan, index, &limits,
					&run->snap->waiting[index].promise_s);
		if (run->snap->waiting[index].promise_s == LW_NO_TIME)
			break;
		if (!rc)
			rc = lw_policy_cycle(run->policy, run->snap, &run->plan);
	}
	return rc;
}

/* Only now, because a job that joins the queue must know which jobs have promises. */
static int let_in_followers(struct lw_engine *run)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < run->plan.decision_count; i++) {
		const struct lw_decision *decision = &run->plan.decisions[i];

		if (decision->verdict == LW_START)
			rc = lw_engine_become(run, run->chain.index_of[decision->job_id] - 1,
					      LW_CHAIN_RUNNING, run->snap->now_s);
	}
	return rc;
}

/* The inspector is asked again then, even if nothing else happens. */
static void hold_by_plan(struct lw_engine *run, const struct lw_decision *decision)
{
	int64_t again_s = run->hooks->held(run->hooks->arg, decision->job_id, run->snap->now_s);

	if (again_s < run->agenda.wake_s)
		run->agenda.wake_s = again_s;
}

int lw_engine_obey(struct lw_engine *run, bool promises)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < run->plan.decision_count; i++) {
		const struct lw_decision *decision = &run->plan.decisions[i];

		if (decision->verdict == LW_START)
			rc = start_job(run, decision);
		else if (decision->verdict == LW_RESERVE && promises)
			promise(run, decision);
		else if (decision->reason == LW_REASON_WAITS_FOR_GATE && run->hooks->held)
			hold_by_plan(run, decision);
	}
	if (!rc && !lw_chain_is_empty(&run->chain))
		rc = let_in_followers(run);
	return rc;
}

/* Plan once and do what the plan says. */
static int cycle(struct lw_engine *run)
{
	int rc;

	if (run->hooks->sizes && lw_engine_size(run, run->snap->now_s))
		return -ENOMEM;
	do {
		rc = run->hooks->plan ? run->hooks->plan(run->hooks->arg, run->snap, &run->plan)
				      : plan(run);
		run->agenda.wake_s = INT64_MAX;
		lw_kept_plan(&run->snap->kept, &run->plan, run->snap);
		if (!rc && run->hooks->gated)
			rc = lw_policy_gate(run->policy, run->snap->node_count, &run->gate);
		if (!rc && run->lease)
			rc = lw_engine_lease(run, run->snap->now_s);
		if (!rc)
			rc = lw_engine_obey(run, true);
		lw_gate_applied(&run->gate);
	} while (!rc && run->hooks->plan && run->plan.started);
	if (!rc && run->lease && run->hooks->sizes)
		rc = lw_engine_lease_grow(run, run->snap->now_s);
	if (run->lease)
		run->agenda.lease_s = lw_engine_lease_next_s(run);
	if (!rc && run->hooks->planned)
		rc = run->hooks->planned(run->hooks->arg, run->snap, run->job_of);
	if (!rc)
		rc = lw_engine_join(run);
	if (lw_engine_seats_next_s(run) < run->agenda.wake_s)
		run->agenda.wake_s = lw_engine_seats_next_s(run);
	return rc;
}

/* Take back the job, unless it has started: then it ends as others do. */
static int cancel_job(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	uint32_t place;

	if (lw_engine_find(run, index, &place)) {
		if (lw_snapshot_remove_waiting(run->snap, place))
			return -ENOMEM;
		lw_expect_rank(run, run->jobs[index].class_number);
	} else if (!lw_chain_is(&run->chain, index, LW_CHAIN_HELD)) {
		return 0;
	}
	run->finished++;
	return lw_engine_become(run, index, LW_CHAIN_OVER, now_s);
}

/* The first thing that happens in that second. */
static int one_event(struct lw_engine *run, int64_t now_s)
{
	uint32_t job;

	if (lw_agenda_submit(&run->agenda, now_s, &job))
		return lw_engine_submit(run, job, now_s);
	if (lw_agenda_cancel(&run->agenda, now_s, &job))
		return cancel_job(run, job, now_s);
	if (lw_agenda_end(&run->agenda, now_s, &job))
		return end_job(run, job, now_s);
	lw_completing_open(&run->completing, run->snap);
	return lw_engine_ripen(run, now_s);
}

static int all_events(struct lw_engine *run, int64_t now_s)
{
	uint32_t job;
	int rc = 0;

	lw_completing_open(&run->completing, run->snap);
	while (!rc && lw_agenda_end(&run->agenda, now_s, &job))
		rc = end_job(run, job, now_s);
	while (!rc && lw_agenda_cancel(&run->agenda, now_s, &job))
		rc = cancel_job(run, job, now_s);
	if (!rc && run->guarantee)
		rc = lw_engine_believe(run, now_s);
	if (!rc)
		rc = lw_engine_look_at_seats(run, now_s);
	if (!rc && run->lease)
		rc = lw_engine_lease_step(run, now_s);
	while (!rc && lw_agenda_submit(&run->agenda, now_s, &job))
		rc = lw_engine_submit(run, job, now_s);
	return rc ? rc : lw_engine_ripen(run, now_s);
}

static const struct lw_sim_job *next_gpu_job(const struct lw_engine *run)
{
	const struct lw_queue *queue = &run->snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		if (lw_sim_job_wants_gpus(&run->jobs[run->job_of[queue->order[i]]]))
			return &run->jobs[run->job_of[queue->order[i]]];
	}
	for (uint32_t i = run->agenda.submitted; i < run->job_count; i++) {
		if (lw_sim_job_wants_gpus(&run->jobs[i]))
			return &run->jobs[i];
	}
	return NULL;
}

static void tell_rest(const struct lw_engine *run)
{
	int64_t until_s;

	if (run->hooks->rested && lw_agenda_next(&run->agenda, &until_s))
		run->hooks->rested(run->hooks->arg, run->snap, next_gpu_job(run), until_s);
}

/* Something has just happened: when is it heeded, if nothing came before? */
static void heed(struct lw_engine *run, int64_t now_s)
{
	struct lw_agenda *agenda = &run->agenda;

	if (run->stock) {
		lw_engine_tell_stock(run, now_s);
		return;
	}
	if (agenda->plan_s == INT64_MAX)
		agenda->plan_s = now_s + run->hooks->plan_delay_s;
	if (run->hooks->main_loop && agenda->main_s == INT64_MAX)
		agenda->main_s = now_s + run->hooks->main_delay_s;
	/* what it was to wake up for is planned then, too */
	if (agenda->wake_s <= now_s)
		agenda->wake_s = INT64_MAX;
}

/* Slurm's main loop comes before a plan in the same second. */
static int start_what_is_due(struct lw_engine *run, int64_t now_s)
{
	struct lw_agenda *agenda = &run->agenda;
	int rc = 0;

	if (run->stock)
		return lw_engine_let_stock(run, now_s);
	if (agenda->main_s <= now_s) {
		agenda->main_s = INT64_MAX;
		rc = lw_engine_main_loop(run);
	}
	if (!rc && agenda->plan_s <= now_s) {
		agenda->plan_s = INT64_MAX;
		rc = cycle(run);
	}
	return rc;
}

static int loop(struct lw_engine *run)
{
	uint32_t cycles = 0;
	int64_t now_s;

	while (lw_agenda_next(&run->agenda, &now_s)) {
		bool happens = lw_agenda_happens(&run->agenda, now_s);
		int rc;

		run->snap->now_s = now_s;
		rc = run->hooks->one_event ? one_event(run, now_s) : all_events(run, now_s);
		run->agenda.open_s = lw_completing_next_s(&run->completing);
		run->agenda.ripe_s = lw_chain_next_s(&run->chain);
		if (run->lease)
			run->agenda.lease_s = lw_engine_lease_next_s(run);
		lw_expect_survival(run, now_s);
		lw_expect_stale(run, now_s);
		if (happens)
			heed(run, now_s);
		if (!rc)
			rc = start_what_is_due(run, now_s);
		if (rc)
			return rc;
		run->agenda.ripe_s = lw_chain_next_s(&run->chain);
		tell_rest(run);
		if (run->hooks->progress && cycles++ % PROGRESS_EVERY == 0)
			run->hooks->progress(run->hooks->arg, run->agenda.submitted,
					     run->finished, run->job_count, now_s);
	}
	return 0;
}

static int index_jobs(struct lw_engine *run, uint32_t largest)
{
	run->index_of = calloc((size_t)largest + 1, sizeof(*run->index_of));
	if (!run->index_of)
		return -ENOMEM;
	for (uint32_t i = 0; i < run->job_count; i++)
		run->index_of[run->jobs[i].id] = i;
	return 0;
}

int lw_sim_run(struct lw_snapshot *machine, struct lw_policy *policy, struct lw_sim_job *jobs,
	       uint32_t job_count, const struct lw_sim_hooks *hooks)
{
	struct lw_engine run = { .snap = machine,
			   .policy = policy,
			   .jobs = jobs,
			   .job_count = job_count,
			   .hooks = hooks };
	uint32_t largest = lw_sim_largest_id(jobs, job_count);
	int rc;

	lw_plan_init(&run.plan);
	lw_plan_init(&run.shown);
	lw_snapshot_next(machine, job_count ? jobs[0].submit_s : 0);
	for (uint32_t i = 0; i < job_count; i++) {
		jobs[i].start_s = LW_NO_TIME;
		jobs[i].promise_s = LW_NO_TIME;
		jobs[i].latest_s = LW_NO_TIME;
		jobs[i].stays_due_s = 0;
		jobs[i].done_s = jobs[i].spent_s = 0;
		jobs[i].stops = jobs[i].nodes = 0;
		jobs[i].ends_s = 0;
		jobs[i].shared = jobs[i].agrees = false;
		jobs[i].lost_s = jobs[i].late = 0;
		jobs[i].accepted = false;
	}
	rc = lw_agenda_init(&run.agenda, jobs, job_count);
	if (!rc)
		rc = lw_chain_init(&run.chain, jobs, job_count);
	run.agenda.cancels_count = !lw_chain_is_empty(&run.chain);
	if (!rc)
		rc = lw_completing_init(&run.completing, machine, hooks->completing_s,
					largest + 1);
	if (!rc && hooks->stock)
		rc = lw_stock_create(hooks->stock, machine->node_count, largest + 1, &run.stock);
	if (!rc && (hooks->believe || hooks->survival || hooks->lease))
		rc = index_jobs(&run, largest);
	if (!rc && hooks->believe)
		rc = lw_guarantee_create(run.snap, &run.guarantee);
	if (!rc)
		rc = lw_seats_init(&run.seats, hooks->sharing, hooks->shared, job_count);
	if (!rc)
		rc = lw_engine_lease_init(&run);
	if (!rc)
		rc = loop(&run);
	lw_stock_destroy(run.stock);
	lw_plan_fini(&run.plan);
	lw_plan_fini(&run.shown);
	lw_gate_fini(&run.gate);
	lw_lost_fini(&run.lost);
	lw_guarantee_destroy(run.guarantee);
	lw_engine_lease_fini(&run);
	free(run.index_of);
	lw_completing_fini(&run.completing);
	lw_seats_fini(&run.seats);
	lw_agenda_fini(&run.agenda);
	lw_chain_fini(&run.chain);
	free(run.job_of);
	free(run.kinds);
	return rc;
}
