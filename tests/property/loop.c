/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: cycle after cycle on a small cluster, with what is promised held against it. */
#include "property/loop.h"

#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "property/oracle_terms.h"
#include "property/random.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void loop_make_jobs(struct loop *loop)
{
	int64_t submit_s = RANDOM_NOW_S;

	loop->job_count = prng_between(&loop->prng, 5, LOOP_JOBS_MAX);
	/* without a partition there is nothing to submit to */
	if (!loop->snap.set_count)
		loop->job_count = 0;
	for (uint32_t i = 0; i < loop->job_count; i++) {
		struct job *job = &loop->jobs[i];

		submit_s += 10 * (int64_t)prng_between(&loop->prng, 0, 20);
		job->waiting = (struct lw_waiting){ .job_id = i + 1,
						    .submit_s = submit_s,
						    .tasks = 1,
						    .begin_s = LW_NO_TIME,
						    .promise_s = LW_NO_TIME };
		job->waiting.set = prng_between(&loop->prng, 0, loop->snap.set_count - 1);
		job->waiting.limit_s = 10 * (int64_t)prng_between(&loop->prng, 1, 200);
		if (prng_chance(&loop->prng, 70))
			job->waiting.expected.mean_s = (int64_t)prng_between(
				&loop->prng, 1, (uint32_t)job->waiting.limit_s);
		if (prng_chance(&loop->prng, 70))
			job->waiting.expected.tail_ms = prng_between(&loop->prng, 1, 100000);
		if (prng_chance(&loop->prng, 15))
			job->waiting.tasks = prng_between(&loop->prng, 2, 5);
		random_request(&loop->prng, &loop->snap, &job->waiting.request);
		/* two totals are met greedily and may miss the fit that was promised */
		if (job->waiting.request.gpus_total)
			job->waiting.request.cpus_total = 0;
		/* where all are reserved: which of two types a job takes may change its plan */
		if (lw_policy_has(loop->params.kind, LW_RESERVES_ALL) &&
		    job->waiting.request.gpu_type == LW_GPU_ANY)
			job->waiting.request.gpus_per_node = job->waiting.request.gpus_total = 0;
		job->run_s = job->waiting.limit_s;
		if (prng_chance(&loop->prng, 70))
			job->run_s = prng_between(&loop->prng, 1, (uint32_t)job->run_s);
		job->latest_s = LW_NO_TIME;
		job->pending = job->waiting.tasks;
	}
}

int loop_begin(struct loop *loop, uint64_t seed, enum lw_policy_kind kind)
{
	return loop_begin_in(loop, seed, kind, LW_ORDER_GIVEN);
}

int loop_begin_in(struct loop *loop, uint64_t seed, enum lw_policy_kind kind, enum lw_order order)
{
	static const struct random_shape shape = { .nodes_max = 12, .sets_max = 4 };
	static const struct random_shape pool = { .nodes_max = 1, .sets_max = 1 };

	memset(loop, 0, sizeof(*loop));
	loop->prng.state = seed;
	lw_plan_init(&loop->plan);
	random_params(&loop->prng, &loop->params);
	loop->params.kind = kind;
	/* a promise is about elders: in another order somebody may cut in, unless they are kept */
	loop->params.order = order;
	loop->params.keep_promises = true;
	if (!lw_order_is_given(order) && prng_chance(&loop->prng, 50))
		loop->params.order_age_s = prng_between(&loop->prng, 1, 2000);
	loop->params.deadlines = LW_DEADLINES_OFF;
	/* over nodes a reservation that moves forward may take other nodes from a later one */
	if (random_cluster(&loop->prng, lw_policy_has(kind, LW_RESERVES_ALL) ? &pool : &shape,
			   &loop->snap) ||
	    lw_policy_create(&loop->params, NULL, &loop->policy))
		return -1;
	loop_make_jobs(loop);
	loop->now_s = RANDOM_NOW_S;
	loop->tasks = calloc(LOOP_ROOM * 5, sizeof(*loop->tasks));
	return loop->tasks ? 0 : -1;
}

int loop_begin_on_node(struct loop *loop, uint32_t cpus)
{
	struct lw_res total = { .cpus = cpus, .mem_mib = 1000 };
	struct lw_bitset all;
	int rc;

	lw_snapshot_init(&loop->snap, RANDOM_NOW_S);
	rc = lw_snapshot_add_node(&loop->snap, "n", &total, true, NULL);
	if (rc || lw_bitset_init(&all, 1))
		return -1;
	lw_bitset_set(&all, 0);
	rc = lw_snapshot_add_set(&loop->snap, "all", &all, NULL);
	lw_bitset_fini(&all);
	if (rc || lw_policy_create(&loop->params, NULL, &loop->policy))
		return -1;
	loop->now_s = RANDOM_NOW_S;
	loop->tasks = calloc(LOOP_ROOM * 5, sizeof(*loop->tasks));
	return loop->tasks ? 0 : -1;
}

struct lw_waiting *loop_make_job(struct loop *loop, uint32_t i, int64_t submit_s, uint32_t cpus,
				 uint32_t least_s, uint32_t most_s)
{
	struct job *job = &loop->jobs[i];
	struct lw_waiting *waiting = &job->waiting;

	*waiting = (struct lw_waiting){ .job_id = i + 1,
					.submit_s = submit_s,
					.tasks = 1,
					.begin_s = LW_NO_TIME,
					.promise_s = LW_NO_TIME };
	waiting->limit_s = prng_between(&loop->prng, least_s, most_s);
	waiting->expected.mean_s = prng_between(&loop->prng, 1, (uint32_t)waiting->limit_s);
	waiting->request = (struct lw_request){ .nodes_min = 1, .nodes_max = 1 };
	waiting->request.gpu_type = LW_GPU_ANY;
	waiting->request.cpus_per_node = cpus;
	job->run_s = prng_between(&loop->prng, least_s / 2, (uint32_t)waiting->limit_s);
	job->latest_s = LW_NO_TIME;
	job->pending = 1;
	return waiting;
}

int loop_end(struct loop *loop, int rc, struct lw_strbuf *why)
{
	if (rc) {
		lw_snapshot_print(&loop->snap, why);
		lw_policy_params_print(&loop->params, why);
		lw_plan_print(&loop->plan, &loop->snap, why);
	}
	for (uint32_t i = 0; i < loop->task_count; i++)
		free(loop->tasks[i].allocs);
	free(loop->tasks);
	lw_kept_fini(&loop->kept);
	lw_lost_fini(&loop->lost);
	lw_plan_fini(&loop->plan);
	lw_policy_destroy(loop->policy);
	lw_snapshot_fini(&loop->snap);
	return rc;
}

static void end_task(struct loop *loop, struct task *task)
{
	for (uint32_t i = 0; loop->gate && i < task->running.alloc_count; i++)
		lw_gate_ended(loop->gate, task->allocs[i].node);
	free(task->allocs);
}

static void end_tasks(struct loop *loop)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < loop->task_count; i++) {
		loop->tasks[i].is_new = false;
		if (loop->tasks[i].real_end_s > loop->now_s && !loop->tasks[i].is_gone)
			loop->tasks[kept++] = loop->tasks[i];
		else
			end_task(loop, &loop->tasks[i]);
	}
	loop->task_count = kept;
}

static bool holds(const struct task *task, uint32_t node, struct lw_res *free)
{
	bool any = false;

	for (uint32_t i = 0; i < task->running.alloc_count && !task->is_gone; i++) {
		if (task->allocs[i].node != node)
			continue;
		lw_res_sub(free, &task->allocs[i].res);
		any = true;
	}
	return any;
}

/* Of those that JOB may preempt on the node of ALLOC one must go. False: none need, or can. */
static bool preempt_one(struct loop *loop, const struct job *job, const struct lw_alloc *alloc)
{
	const struct lw_constraints *constraints = &job->waiting.constraints;
	struct lw_res free_res = loop->snap.nodes[alloc->node].total;
	struct task *found = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < loop->task_count; i++) {
		struct task *task = &loop->tasks[i];

		if (!holds(task, alloc->node, &free_res) || task->is_new ||
		    task->running.yields_s > loop->now_s ||
		    !oracle_preempts(constraints, task->running.preempt_class,
				     task->running.priority))
			continue;
		if (loop->any_goes ? !prng_between(&loop->prng, 0, count++)
				   : !found || task->running.start_s > found->running.start_s)
			found = task;
	}
	if (lw_res_within(&alloc->res, &free_res))
		return false;
	if (found)
		found->is_gone = true;
	return found;
}

/* -EAGAIN: Slurm would refuse it. */
static int take_nodes(struct loop *loop, const struct lw_decision *decision,
		      const struct job *job, struct lw_strbuf *why)
{
	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		const struct lw_alloc *alloc = &loop->plan.allocs[decision->first_alloc + i];
		struct lw_res free_res = loop->snap.nodes[alloc->node].total;

		while (preempt_one(loop, job, alloc))
			;
		for (uint32_t k = 0; k < loop->task_count; k++)
			holds(&loop->tasks[k], alloc->node, &free_res);
		if (!lw_res_within(&alloc->res, &free_res) && loop->any_goes)
			return -EAGAIN;
		if (!lw_res_within(&alloc->res, &free_res))
			return BROKEN(why, "job %" PRIu32 ": no room on node %" PRIu32 "\n",
				      decision->job_id, alloc->node);
	}
	return 0;
}

int loop_look(struct loop *loop)
{
	int rc = 0;

	lw_snapshot_next(&loop->snap, loop->now_s);
	for (uint32_t i = 0; i < loop->task_count && !rc; i++)
		rc = lw_snapshot_add_running(&loop->snap, &loop->tasks[i].running,
					     loop->tasks[i].allocs,
					     loop->tasks[i].running.alloc_count, NULL);
	/* those that no room is kept for come last: an elder one would take it from the promised */
	for (uint32_t i = 0; i < 2 * loop->job_count && !rc; i++) {
		struct job *job = &loop->jobs[i % loop->job_count];

		if (!job->pending || job->waiting.submit_s > loop->now_s ||
		    job->waiting.constraints.now_only != (i >= loop->job_count))
			continue;
		job->waiting.tasks = job->pending;
		rc = lw_snapshot_add_waiting(&loop->snap, &job->waiting, NULL);
	}
	return rc ? rc : lw_kept_copy(&loop->snap.kept, &loop->kept);
}

static int break_promise(struct loop *loop, struct job *job)
{
	if (loop->by_deadlines && !job->waiting.accepted) {
		job->latest_s = INT64_MAX;
		return 0;
	}
	loop->broken++;
	if (loop->counts)
		job->latest_s = INT64_MAX;
	return loop->counts ? 0 : -1;
}

static int start_task(struct loop *loop, const struct lw_decision *decision, struct job *job,
		      struct lw_strbuf *why)
{
	struct task *task = &loop->tasks[loop->task_count];
	size_t size = decision->alloc_count * sizeof(*task->allocs);
	int rc;

	if (job->latest_s != LW_NO_TIME && loop->now_s > job->latest_s && break_promise(loop, job))
		return BROKEN(why, "job %" PRIu32 " starts at %" PRId64 ", latest %" PRId64 "\n",
			      decision->job_id, loop->now_s, job->latest_s);
	rc = take_nodes(loop, decision, job, why);
	if (rc)
		return rc == -EAGAIN ? 0 : rc;
	task->allocs = malloc(size ? size : 1);
	if (!task->allocs)
		return BROKEN(why, "out of memory\n");
	if (size)
		memcpy(task->allocs, lw_decision_allocs(&loop->plan, decision), size);
	task->running = (struct lw_running){ .job_id = decision->job_id,
					     .since_s = job->waiting.submit_s,
					     .start_s = loop->now_s,
					     .end_s = loop->now_s + job->waiting.limit_s,
					     .preempt_class = job->kind,
					     .priority = job->waiting.priority,
					     .alloc_count = decision->alloc_count };
	task->real_end_s = loop->now_s + job->run_s;
	task->is_new = true;
	task->is_gone = false;
	loop->task_count++;
	loop->again = loop->preempts;
	job->pending--;
	if (!job->started_s)
		job->started_s = loop->now_s;
	/* the promise was the first pending task's; the next one gets its own */
	job->waiting.promise_s = LW_NO_TIME;
	job->waiting.planned_s = 0;
	job->waiting.accepted = false;
	job->latest_s = LW_NO_TIME;
	return 0;
}

int loop_start(struct loop *loop, const struct lw_decision *decision, struct lw_strbuf *why)
{
	return start_task(loop, decision, &loop->jobs[decision->job_id - 1], why);
}

/* What is promised from now on is a start by which the deadline is met. */
static void note_accepted(struct loop *loop, const struct lw_decision *decision, struct job *job)
{
	/* it starts then, though nothing else need happen */
	if (decision->reason == LW_REASON_ACCEPTED && decision->start_s < loop->wake_s)
		loop->wake_s = decision->start_s;
	if (decision->reason != LW_REASON_ACCEPTED || job->waiting.accepted)
		return;
	job->waiting.accepted = true;
	job->latest_s = job->waiting.finish_by_s - job->waiting.limit_s;
	loop->accepted++;
}

/* The moment a promise is seen broken, not only when the job starts at last. */
static int keep_promise(struct loop *loop, const struct lw_decision *decision, struct job *job,
			struct lw_strbuf *why)
{
	if (job->waiting.promise_s == LW_NO_TIME) {
		job->waiting.promise_s = decision->promise_s;
		job->latest_s = decision->latest_s;
		loop->promises++;
	}
	note_accepted(loop, decision, job);
	/* the adaptive slack follows the queue: what counts is the largest it ever had */
	if (lw_policy_has(loop->params.kind, LW_SLIPS_BY_QUEUE) &&
	    decision->latest_s > job->latest_s)
		job->latest_s = decision->latest_s;
	job->waiting.planned_s = decision->start_s;
	if (decision->promise_s != job->waiting.promise_s ||
	    (!lw_policy_has(loop->params.kind, LW_SLIPS_BY_QUEUE) && job->latest_s != INT64_MAX &&
	     decision->latest_s != job->latest_s))
		return BROKEN(why, "job %" PRIu32 ": its promise moved\n", decision->job_id);
	if (decision->start_s > job->latest_s && break_promise(loop, job))
		return BROKEN(why, "job %" PRIu32 " planned at %" PRId64 ", latest %" PRId64 "\n",
			      decision->job_id, decision->start_s, job->latest_s);
	return 0;
}

/* A gang that talks waits for a nearer domain within its bounds, not behind its promise. */
static int note_gang(struct loop *loop, const struct lw_decision *decision, const struct job *job,
		     struct lw_strbuf *why)
{
	int64_t until_s = job->waiting.submit_s + loop->params.gang_wait_s;

	if (decision->reason != LW_REASON_WAITS_FOR_NEARER)
		return 0;
	if (decision->start_s <= loop->now_s || decision->start_s > until_s ||
	    decision->start_s > decision->promise_s || !job->waiting.constraints.communicates)
		return BROKEN(why, "job %" PRIu32 " waits for a domain until %" PRId64 "\n",
			      decision->job_id, decision->start_s);
	if (decision->start_s < loop->wake_s)
		loop->wake_s = decision->start_s;
	return 0;
}

/* Who waits for faster GPUs has something to wait for, and not behind its promise. */
static int note_types(struct loop *loop, const struct lw_decision *decision, const struct job *job,
		      struct lw_strbuf *why)
{
	if (decision->reason != LW_REASON_WAITS_FOR_TYPE)
		return 0;
	if (loop->params.types == LW_TYPES_ANY ||
	    job->waiting.request.gpu_type != LW_GPU_ANY ||
	    (decision->verdict == LW_RESERVE && decision->start_s > decision->promise_s &&
	     !lw_policy_has(loop->params.kind, LW_SLIPS)))
		return BROKEN(why, "job %" PRIu32 " waits for a type until %" PRId64 "\n",
			      decision->job_id, decision->start_s);
	if (decision->start_s > loop->now_s && decision->start_s < loop->wake_s)
		loop->wake_s = decision->start_s;
	return 0;
}

/* In the order in which they were planned: one may need what another's victims leave. */
static int start_tasks(struct loop *loop, struct lw_strbuf *why)
{
	const struct lw_decision *start = oracle_next_start(&loop->plan, -1);
	int rc = 0;

	for (; start && !rc; start = oracle_next_start(&loop->plan, start->first_alloc))
		rc = start_task(loop, start, &loop->jobs[start->job_id - 1], why);
	return rc;
}

static int obey_plan(struct loop *loop, struct lw_strbuf *why)
{
	int rc;

	loop->wake_s = INT64_MAX;
	loop->again = false;
	lw_kept_plan(&loop->kept, &loop->plan, &loop->snap);
	rc = start_tasks(loop, why);
	for (uint32_t i = 0; i < loop->plan.decision_count && !rc; i++) {
		const struct lw_decision *decision = &loop->plan.decisions[i];
		struct job *job = &loop->jobs[decision->job_id - 1];

		if (decision->verdict == LW_RESERVE)
			rc = keep_promise(loop, decision, job, why)
				     ?: note_gang(loop, decision, job, why)
				     ?: note_types(loop, decision, job, why);
		else if (decision->reason == LW_REASON_WAITS_FOR_NODES ||
			 decision->reason == LW_REASON_WAITS_FOR_REPAIR)
			job->pending = 0; /* it would wait for ever */
	}
	return rc;
}

/*
 * When the first of those that wait has waited for leeway's patience; INT64_MAX: all have. Only
 * then they head their nodes, and are told that these will never do.
 */
static int64_t patience_ends(const struct loop *loop)
{
	int64_t next_s = INT64_MAX;

	for (uint32_t i = 0; i < loop->job_count; i++) {
		const struct job *job = &loop->jobs[i];
		int64_t end_s = job->waiting.submit_s + 1 +
				(int64_t)(loop->params.patience *
					  (double)job->waiting.limit_s);

		if (job->pending && end_s > loop->now_s && end_s < next_s)
			next_s = end_s;
	}
	return next_s;
}

/* The next arrival or end, or end of a gang's patience; false when nothing is left to happen. */
static bool step_time(struct loop *loop)
{
	int64_t next_s = loop->wake_s;

	if (loop->again)
		return true;
	for (uint32_t i = 0; i < loop->job_count; i++) {
		int64_t submit_s = loop->jobs[i].waiting.submit_s;

		if (submit_s > loop->now_s && submit_s < next_s)
			next_s = submit_s;
	}
	for (uint32_t i = 0; i < loop->task_count; i++) {
		if (loop->tasks[i].real_end_s < next_s)
			next_s = loop->tasks[i].real_end_s;
	}
	if (next_s == INT64_MAX)
		next_s = patience_ends(loop);
	if (next_s == INT64_MAX)
		return false;
	loop->now_s = next_s;
	return true;
}

int loop_run(struct loop *loop, struct lw_strbuf *why)
{
	int rc;

	do {
		end_tasks(loop);
		rc = loop->stranger ? loop->stranger(loop, why) : 0;
		rc = rc ? rc : loop_look(loop);
		if (!rc)
			rc = lw_policy_note_lost(loop->policy, &loop->lost, &loop->snap);
		if (!rc)
			rc = lw_policy_cycle(loop->policy, &loop->snap, &loop->plan);
		if (!rc && loop->gate)
			rc = lw_policy_gate(loop->policy, loop->snap.node_count, loop->gate);
		if (!rc)
			rc = obey_plan(loop, why);
		if (loop->gate)
			lw_gate_applied(loop->gate);
		if (!rc && loop->stranger)
			rc = loop->stranger(loop, why);
	} while (!rc && step_time(loop));
	for (uint32_t i = 0; i < loop->job_count && !rc; i++) {
		/* nobody says of one that no room is kept for that it could never run */
		if (loop->jobs[i].pending && !loop->jobs[i].waiting.constraints.now_only)
			rc = BROKEN(why, "job %" PRIu32 " never started\n", i + 1);
	}
	return rc;
}
