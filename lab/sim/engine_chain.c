/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that wait for others: when they come into the queue. */
#include "lab/sim/engine_state.h"

#include "lab/sim/expect.h"
#include "planner/cycle/chain.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>

/* Room between two submissions for jobs that join behind the first of them. */
#define SEQ_SHIFT 24

/* The place of the last promised job in the queue, from FROM on; else FROM. */
static uint64_t last_promised(const struct lw_engine *run, uint64_t from)
{
	const struct lw_queue *queue = &run->snap->queue;

	for (uint32_t i = queue->count; i-- > 0;) {
		uint32_t place = queue->order[i];

		if (queue->seq[place] < from)
			break;
		if (run->snap->waiting[place].promise_s != LW_NO_TIME)
			return queue->seq[place];
	}
	return from;
}

/*
 * Does it age from its own submission on? Tasks of an array that wait for others of it do so in
 * Slurm, too.
 */
static bool is_aged(const struct lw_engine *run, const struct lw_sim_job *job)
{
	return !job->after_count ||
	       (run->hooks->chain == LW_CHAIN_ON && !job->think_s && !job->unplanned);
}

/*
 * A job that was stopped comes back behind what was promised meanwhile (read/aged.c), but where
 * jobs with a deadline go before promised ones in any case.
 */
static bool is_put_behind(const struct lw_engine *run, const struct lw_sim_job *job)
{
	const struct lw_policy_params *bounds = run->hooks->bounds;

	return job->stops && !(bounds && bounds->deadlines == LW_DEADLINES_ORDER);
}

uint64_t lw_engine_seq(struct lw_engine *run, uint32_t index)
{
	uint64_t own = ((uint64_t)index + 1) << SEQ_SHIFT, behind;

	if (run->kept_seq)
		return run->kept_seq;
	if (!lw_sim_job_waits(&run->jobs[index]) && !is_put_behind(run, &run->jobs[index]))
		return own;
	/* as in Slurm's queue: a job that waited for others ages from the end of that */
	if (!is_aged(run, &run->jobs[index]))
		own = (uint64_t)run->agenda.submitted << SEQ_SHIFT | ++run->put_behind;
	behind = last_promised(run, own);
	return behind == own ? own : behind + ++run->put_behind;
}

bool lw_engine_find(const struct lw_engine *run, uint32_t index, uint32_t *ret_place)
{
	const struct lw_queue *queue = &run->snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		*ret_place = queue->order[i];
		if (run->job_of[queue->order[i]] == index)
			return true;
	}
	return false;
}

/* From when its age counts. */
static int64_t age_from_s(const struct lw_engine *run, const struct lw_sim_job *job, int64_t now_s)
{
	if (is_aged(run, job))
		return job->submit_s;
	return run->hooks->chain == LW_CHAIN_START_RULE ? now_s : job->ready_s;
}

/* A job that is requeued has its whole limit again; one that Slurm preempts here has not. */
static int64_t limit_of(const struct lw_sim_job *job)
{
	int64_t left_s = lw_sim_job_left_s(job, job->limit_s);

	return job->agrees && job->limit_s > left_s ? job->limit_s : left_s;
}

struct lw_waiting lw_engine_waiting(const struct lw_engine *run, uint32_t index, int64_t now_s,
				    uint32_t after)
{
	const struct lw_sim_job *job = &run->jobs[index];
	struct lw_waiting waiting = {
		.job_id = job->id,
		.user_id = job->user,
		.account = lw_engine_account(run, job),
		.account_share = job->account_share,
		.tasks = 1,
		.weight = job->weight,
		.recipe = job->recipe ? (uint32_t)(job->recipe - job->recipes->recipes) + 1 : 0,
		.submit_s = age_from_s(run, job, now_s),
		.begin_s = LW_NO_TIME,
		.limit_s = limit_of(job),
		.promise_s = job->stops ? LW_NO_TIME : job->promise_s,
		.finish_by_s = job->finish_by_s,
		.accepted = job->accepted,
		.request = job->request,
		.constraints.after = after == UINT32_MAX ? 0 : run->jobs[after].id,
	};

	/* which of them do, traces do not say */
	waiting.constraints.communicates =
		lw_sim_job_wants_gpus(job) && job->request.nodes_max > 1;
	return waiting;
}

/*
 * It waits for a running job that is not the one it was planned behind, which has ended; or as a
 * task of an array for none any more, and then says so by its own number, which does not run.
 */
static int follow_another(struct lw_engine *run, uint32_t index, uint32_t after, int64_t now_s)
{
	uint32_t place;
	int rc;

	if (!lw_engine_find(run, index, &place) ||
	    run->snap->waiting[place].constraints.after == run->jobs[after].id)
		return 0;
	run->kept_seq = run->snap->queue.seq[place];
	rc = lw_snapshot_remove_waiting(run->snap, place) ? -ENOMEM : 0;
	if (!rc)
		lw_expect_rank(run, run->jobs[index].class_number);
	if (!rc)
		rc = lw_engine_queue(run, index, now_s, after);
	run->kept_seq = 0;
	return rc;
}

/* What it waited for can no longer be: it frees what was planned for it. */
static int give_up(struct lw_engine *run, uint32_t index)
{
	uint32_t place;

	if (!lw_engine_find(run, index, &place))
		return 0;
	lw_chain_set(&run->chain, index, LW_CHAIN_HELD);
	if (lw_snapshot_remove_waiting(run->snap, place))
		return -ENOMEM;
	lw_expect_rank(run, run->jobs[index].class_number);
	return 0;
}

static int get_ready(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	struct lw_sim_job *job = &run->jobs[index];
	int64_t since_s = job->awaited_s == LW_NO_TIME ? job->submit_s
						       : job->awaited_s + job->think_s;

	job->ready_s = since_s > job->submit_s ? since_s : job->submit_s;
	if (!lw_chain_is(&run->chain, index, LW_CHAIN_HELD))
		return job->at_most ? follow_another(run, index, index, now_s) : 0;
	if (job->ready_s > now_s)
		return lw_chain_ripen(&run->chain, index, job->ready_s);
	return lw_engine_queue(run, index, now_s, UINT32_MAX);
}

/* Have followers of its user as much as they may, so that it is not planned as one? */
static bool engine_is_beyond(const struct lw_engine *run, uint32_t index)
{
	const struct lw_sim_job *job = &run->jobs[index];
	const struct lw_snapshot *snap = run->snap;
	struct lw_chain_widths widths;
	struct lw_scale scale;

	if (!run->hooks->bounds)
		return false;
	lw_scale_init(&scale, snap);
	widths.user = widths.all = lw_width(&scale, &job->request);
	for (uint32_t i = 0; i < snap->queue.count; i++) {
		const struct lw_waiting *other = &snap->waiting[snap->queue.order[i]];
		double width = lw_width(&scale, &other->request);

		if (!lw_snapshot_awaited(snap, &other->constraints))
			continue;
		widths.all += width;
		widths.user += other->user_id == job->user ? width : 0;
	}
	return lw_chain_is_beyond(run->hooks->bounds, &scale, snap, job->limit_s, &widths);
}

/* Into the queue before its time, unless its user has too many: then it comes in as in Slurm. */
static int let_in(struct lw_engine *run, uint32_t index, uint32_t after, int64_t now_s)
{
	run->jobs[index].unplanned = engine_is_beyond(run, index);
	return run->jobs[index].unplanned ? 0 : lw_engine_queue(run, index, now_s, after);
}

/* From this second on; a job that starts in it has started by then. */
static int begin_to_look(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	return lw_chain_is(&run->chain, index, LW_CHAIN_HELD)
		       ? lw_chain_ripen(&run->chain, index, now_s)
		       : 0;
}

/* Look at a job that waits, in the queue or before it. */
static int consider(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	const struct lw_sim_job *job = &run->jobs[index];
	uint32_t after = 0;

	switch (lw_chain_judge(&run->chain, index, &after)) {
	case LW_CHAIN_NEVER:
		return give_up(run, index);
	case LW_CHAIN_MET:
		return get_ready(run, index, now_s);
	case LW_CHAIN_FOLLOWS:
		if (run->hooks->chain == LW_CHAIN_OFF || job->think_s)
			return 0;
		if (run->hooks->chain == LW_CHAIN_START_RULE)
			return job->at_most ? 0 : begin_to_look(run, index, now_s);
		if (lw_chain_is(&run->chain, index, LW_CHAIN_HELD))
			return let_in(run, index, after, now_s);
		return follow_another(run, index, after, now_s);
	case LW_CHAIN_BLOCKED:
		break;
	}
	return 0;
}

int lw_engine_submit(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	struct lw_sim_job *job = &run->jobs[index];

	job->ready_s = job->submit_s;
	if (!lw_sim_job_waits(job))
		return lw_engine_queue(run, index, now_s, UINT32_MAX);
	lw_chain_set(&run->chain, index, LW_CHAIN_HELD);
	return consider(run, index, now_s);
}

static bool still_waits(const struct lw_chain *chain, uint32_t job)
{
	return lw_chain_is(chain, job, LW_CHAIN_HELD) || lw_chain_is(chain, job, LW_CHAIN_QUEUED);
}

/* The later tasks of its array, up to the first that has to wait longer. */
static int tell_fellows(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	uint32_t next = index, after;
	int rc = 0;

	while (!rc && lw_chain_fellow(&run->chain, &next)) {
		if (!still_waits(&run->chain, next))
			continue;
		if (lw_chain_judge(&run->chain, next, &after) == LW_CHAIN_BLOCKED)
			break;
		rc = consider(run, next, now_s);
	}
	return rc;
}

/* A job that never started passes its namesakes on to the next singleton. */
static int tell(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	const struct lw_chain *chain = &run->chain;
	int rc = 0;

	for (uint32_t i = chain->first[index + 1]; !rc && i-- > chain->first[index];) {
		uint32_t next = chain->nexts[i];

		if (still_waits(chain, next))
			rc = consider(run, next, now_s);
		else if (lw_chain_is(chain, next, LW_CHAIN_OVER) &&
			 run->jobs[next].start_s == LW_NO_TIME)
			rc = tell(run, next, now_s);
	}
	return rc ? rc : tell_fellows(run, index, now_s);
}

/* The jobs that wait for its end have waited until now. */
static void note_end(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	const struct lw_chain *chain = &run->chain;
	uint32_t fellow = index;

	for (uint32_t i = chain->first[index]; i < chain->first[index + 1]; i++) {
		struct lw_sim_job *next = &run->jobs[chain->nexts[i]];

		next->awaited_s = now_s;
		/* it did not wait for that */
		if (next->start_s != LW_NO_TIME)
			next->ready_s = now_s;
	}
	while (lw_chain_fellow(chain, &fellow))
		if (lw_chain_has_let_in(chain, fellow))
			run->jobs[fellow].awaited_s = now_s;
}

int lw_engine_become(struct lw_engine *run, uint32_t index, enum lw_chain_state state,
		     int64_t now_s)
{
	lw_chain_set(&run->chain, index, state);
	if (lw_chain_is_empty(&run->chain) || state == LW_CHAIN_QUEUED)
		return 0;
	if (state == LW_CHAIN_OVER)
		note_end(run, index, now_s);
	return tell(run, index, now_s);
}

/* Its user has thought long enough, or looks. */
static int take_ripe(struct lw_engine *run, uint32_t index, int64_t now_s)
{
	uint32_t after = 0;

	if (run->jobs[index].think_s)
		return lw_engine_queue(run, index, now_s, UINT32_MAX);
	if (lw_chain_judge(&run->chain, index, &after) == LW_CHAIN_FOLLOWS)
		return lw_engine_look(run, index, now_s, after);
	/* it comes in, or gives up, when the others have ended */
	return 0;
}

int lw_engine_ripen(struct lw_engine *run, int64_t now_s)
{
	uint32_t index;
	int rc = 0;

	while (!rc && lw_chain_ripe(&run->chain, now_s, &index))
		if (lw_chain_is(&run->chain, index, LW_CHAIN_HELD))
			rc = take_ripe(run, index, now_s);
	return rc;
}
