/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a simulator of one pool of processors, small enough to train nets in. */
#include "lab/sim/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/metrics.h"

#define NOBODY UINT32_MAX

/* What the planner's orders look at. */
struct lw_arena_job {
	struct lw_waiting waiting;
	struct lw_class class;
};

struct arena {
	const struct lw_sim_job *trace;
	struct lw_arena_job *jobs;
	struct lw_published_run *running;
	struct lw_published_job *queue;
	uint32_t count, submitted, queued, runs, free;
	struct lw_scale scale;
	int64_t now_s, wake_s;
	struct lw_policy_params params;
	struct lw_outside outside;
	struct lw_netrun nets;
	struct lw_publisher publisher;
	double slowdowns;
};

static void set_free(struct arena *run, uint32_t free)
{
	run->free = free;
	run->nets.free = (double)free / run->scale.cpus;
}

static bool runs_before(const struct lw_published_run *a, const struct lw_published_run *b)
{
	if (a->limit_end_s != b->limit_end_s)
		return a->limit_end_s < b->limit_end_s;
	return a->id < b->id;
}

static void arena_start(struct arena *run, uint32_t place)
{
	uint32_t width = run->queue[place].width, at = run->runs;
	const struct lw_sim_job *job = &run->trace[run->queue[place].index];
	int64_t run_s = job->run_s < job->limit_s ? job->run_s : job->limit_s;
	struct lw_published_run new = {
		.limit_end_s = run->now_s + job->limit_s,
		.width = width,
		.id = job->id,
		.end_s = run->now_s + run_s,
	};

	run->slowdowns += lw_metrics_bsld(run->now_s - job->submit_s, run_s);
	memmove(run->queue + place, run->queue + place + 1,
		(run->queued - place - 1) * sizeof(*run->queue));
	run->queued--;
	for (; at && runs_before(&new, &run->running[at - 1]); at--)
		run->running[at] = run->running[at - 1];
	run->running[at] = new;
	run->runs++;
	set_free(run, run->free - width);
}

/* Start one job; false: none may start. */
static bool arena_plan(struct arena *run)
{
	const struct lw_published_pool pool = { .scale = &run->scale,
						.now_s = run->now_s,
						.free = run->free,
						.queue = run->queue,
						.queued = run->queued,
						.runs = run->running,
						.run_count = run->runs };
	uint32_t place;

	switch (lw_published_next(&run->publisher, &pool, &place)) {
	case LW_PUBLISHED_STARTS:
	case LW_PUBLISHED_PASSES:
		arena_start(run, place);
		return true;
	case LW_PUBLISHED_HELD:
		run->wake_s =
			lw_netrun_held(&run->nets, run->queue[place].job->job_id, run->now_s);
		return false;
	case LW_PUBLISHED_NOBODY:
		break;
	}
	return false;
}

/* The running job that ends first. */
static uint32_t next_end(const struct arena *run)
{
	uint32_t next = 0;

	for (uint32_t i = 1; i < run->runs; i++) {
		const struct lw_published_run *a = &run->running[i], *b = &run->running[next];

		if (a->end_s < b->end_s || (a->end_s == b->end_s && a->id < b->id))
			next = i;
	}
	return run->runs ? next : NOBODY;
}

static void end(struct arena *run, uint32_t at)
{
	uint32_t width = run->running[at].width;

	memmove(run->running + at, run->running + at + 1,
		(run->runs - at - 1) * sizeof(*run->running));
	run->runs--;
	set_free(run, run->free + width);
}

static void submit(struct arena *run)
{
	uint32_t index = run->submitted++;
	const struct lw_arena_job *job = &run->jobs[index];

	run->queue[run->queued++] = (struct lw_published_job){
		.job = &job->waiting,
		.class = &job->class,
		.index = index,
		.width = (uint32_t)lw_width(&run->scale, &job->class.request),
	};
}

/* One event: in a second a submission is before an end. False: there is none. */
static bool step(struct arena *run)
{
	int64_t submit_s = run->submitted < run->count ? run->trace[run->submitted].submit_s
						       : INT64_MAX;
	uint32_t ends = next_end(run);
	int64_t end_s = ends == NOBODY ? INT64_MAX : run->running[ends].end_s;
	int64_t event_s = submit_s < end_s ? submit_s : end_s;

	if (event_s == INT64_MAX && run->wake_s == INT64_MAX)
		return false;
	if (event_s > run->wake_s) {
		run->now_s = run->wake_s;
	} else {
		run->now_s = event_s;
		if (submit_s == event_s)
			submit(run);
		else
			end(run, ends);
	}
	run->wake_s = INT64_MAX;
	return true;
}

static void prepare(struct arena *run)
{
	for (uint32_t i = 0; i < run->count; i++) {
		const struct lw_sim_job *from = &run->trace[i];
		struct lw_arena_job *job = &run->jobs[i];

		memset(job, 0, sizeof(*job));
		job->waiting.job_id = from->id;
		job->waiting.submit_s = from->submit_s;
		job->waiting.limit_s = job->class.limit_s = from->limit_s;
		job->waiting.begin_s = job->class.begin_s = LW_NO_TIME;
		job->waiting.promise_s = LW_NO_TIME;
		job->waiting.request = job->class.request = from->request;
		job->class.expected.mean_s = from->limit_s;
	}
}

static int make_room(struct lw_arena_memory *memory, uint32_t count)
{
	if (count <= memory->room)
		return 0;
	lw_arena_memory_fini(memory);
	memory->jobs = calloc(count, sizeof(*memory->jobs));
	memory->running = calloc(count, sizeof(*memory->running));
	memory->queue = calloc(count, sizeof(*memory->queue));
	if (!memory->jobs || !memory->running || !memory->queue) {
		lw_arena_memory_fini(memory);
		return -ENOMEM;
	}
	memory->room = count;
	return 0;
}

void lw_arena_memory_fini(struct lw_arena_memory *memory)
{
	free(memory->jobs);
	free(memory->running);
	free(memory->queue);
	*memory = (struct lw_arena_memory){ 0 };
}

int lw_arena_run(const struct lw_arena *arena, struct lw_arena_memory *memory,
		 const struct lw_sim_job *jobs, uint32_t count, double *ret_bsld)
{
	struct arena run = { .trace = jobs, .count = count, .params = arena->params };

	if (make_room(memory, count) ||
	    lw_netrun_init(&run.nets, &arena->nets, lw_sim_largest_id(jobs, count)))
		return -ENOMEM;
	lw_netrun_plug(&run.nets, &run.outside);
	run.params.outside = &run.outside;
	run.jobs = memory->jobs;
	run.running = memory->running;
	run.queue = memory->queue;
	run.scale.cpus = arena->cpus;
	run.wake_s = INT64_MAX;
	run.publisher = (struct lw_publisher){ .rule = arena->rule,
					       .params = &run.params,
					       .nets = &run.nets };
	set_free(&run, arena->cpus);
	prepare(&run);
	while (step(&run)) {
		while (arena_plan(&run))
			;
	}
	lw_netrun_fini(&run.nets);
	*ret_bsld = count ? run.slowdowns / count : 0;
	return 0;
}
