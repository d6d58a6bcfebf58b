/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a small Slurm and its jobs, as far as stops go: they save, requeue, end or listen not.
 */
#include "property/stopworld.h"

#include <stdio.h>
#include <string.h>

#define FORGET_S 300

/* ---- jobs come ---- */

/* How it agrees, or seems to. */
static const struct {
	const char *comment, *qos, *partition;
	bool agrees;
} ways[] = {
	{ "leeway:stop", "normal", "main", true },
	{ "mine, leeway:stop", NULL, NULL, true }, /* stop.detect adds it so */
	{ "", "scavenger", "main", true },
	{ "", "normal", "spare", true },
	{ "some words", "scavenger", "spare", true },
	{ "", "normal", "main", false },
	{ "leeway:stopp", "spare", "scavenger", false },
	{ "leeway:no-stop", "scavenger", "spare", false },
	{ "leeway:stop leeway:no-stop", "scavenger", "main", false },
	{ "leeway:stop=often", "normal", "main", false },
};

#define WAYS (sizeof(ways) / sizeof(*ways))

static void world_agree(struct world *world, struct world_job *job)
{
	unsigned way = prng_between(&world->prng, 0, WAYS - 1);

	job->agrees = ways[way].agrees;
	job->qos = ways[way].qos;
	job->partition = ways[way].partition;
	snprintf(job->comment, sizeof(job->comment), "%s", ways[way].comment);
	if (job->manner != MANNER_PERIODIC)
		return;
	job->period_s = 60 * prng_between(&world->prng, 1, 10);
	job->agrees = true;
	snprintf(job->comment, sizeof(job->comment), "leeway:stop=%dm", (int)job->period_s / 60);
}

static void world_come(struct world *world, struct world_job *job)
{
	struct prng *prng = &world->prng;
	/* numbers of jobs begin again some day, but not for the same user */
	bool same = job->id && prng_chance(prng, 3);
	uint32_t user = same ? job->user % WORLD_USERS + 1 : prng_between(prng, 1, WORLD_USERS);
	uint32_t id = same ? job->id : ++world->last_id;

	*job = (struct world_job){ .id = id,
				   .user = user,
				   .nodes = prng_between(prng, 1, prng_chance(prng, 80) ? 2 : 8),
				   .manner = prng_between(prng, 0, MANNERS - 1),
				   .where = IS_WAITING,
				   .save_s = prng_between(prng, 1, 30),
				   .work_s = prng_between(prng, 60,
							  prng_chance(prng, 80) ? 6000 : 40000),
				   .begin_s = world->now_s,
				   .kept_begin_s = world->now_s };
	job->never = prng_chance(prng, 10) ? 1U << prng_between(prng, 0, 7) : 0;
	snprintf(job->name, sizeof(job->name), "m%d", (int)job->manner);
	/* only its own signal can be heard, or not */
	job->signalled = job->manner != MANNER_TERM && job->manner != MANNER_LONG &&
			 (job->manner >= MANNER_DEAF || prng_chance(prng, 70));
	job->signal_s = job->signalled ? prng_between(prng, 30, 900) : 0;
	job->depended = prng_chance(prng, 5);
	if (job->manner == MANNER_SLOW)
		job->save_s = prng_between(prng, 30, 590);
	world_agree(world, job);
}

void world_begin(struct world *world, uint64_t seed)
{
	*world = (struct world){ .prng = { seed }, .now_s = WORLD_BEGIN_S };
	world->kill_wait_s = prng_between(&world->prng, 1, 60);
	for (unsigned i = 0; i < WORLD_JOBS; i++)
		world_come(world, &world->jobs[i]);
}

/* ---- jobs go ---- */

static uint32_t world_taken(const struct world *world)
{
	uint32_t nodes = 0;

	for (unsigned i = 0; i < WORLD_JOBS; i++)
		nodes += world->jobs[i].where < IS_WAITING ? world->jobs[i].nodes : 0;
	return nodes;
}

static void world_start(struct world *world, struct world_job *job)
{
	job->where = IS_RUNNING;
	job->start_s = world->now_s;
	job->end_s = world->now_s + job->work_s - job->saved_s;
	job->leave_s = 0;
	job->asked = false;
}

static void world_leave(struct world *world, struct world_job *job, enum final final)
{
	job->where = IS_LEAVING;
	job->final = final;
	job->clean_s = world->now_s + prng_between(&world->prng, 0, world->kill_wait_s);
	if (final != REQUEUED)
		return;
	job->restarts++;
	job->begin_s = job->kept_begin_s = world->now_s + WORLD_REQUEUED;
}

/* As far as it has come by now. */
static void world_save(const struct world *world, struct world_job *job)
{
	int64_t run_s = world->now_s > job->start_s ? world->now_s - job->start_s : 0;

	if (job->period_s)
		run_s -= run_s % job->period_s;
	if (job->manner < MANNER_FAITHFUL)
		job->saved_s += run_s;
}

static void world_go_on(struct world *world, struct world_job *job)
{
	switch (job->where) {
	case IS_RUNNING:
		if (job->leave_s && world->now_s >= job->leave_s)
			world_leave(world, job, job->final);
		else if (world->now_s >= job->end_s)
			world_leave(world, job, COMPLETED);
		break;
	case IS_LEAVING:
		if (world->now_s < job->clean_s)
			break;
		job->where = job->final == REQUEUED ? IS_WAITING : IS_DONE;
		job->clean_s = world->now_s + FORGET_S;
		break;
	case IS_WAITING:
		if (!job->held && world->now_s >= job->begin_s &&
		    prng_chance(&world->prng, job->restarts ? 90 : 15) &&
		    world_taken(world) + job->nodes <= WORLD_NODES)
			world_start(world, job);
		break;
	case IS_DONE:
		if (world->now_s >= job->clean_s + FORGET_S)
			world_come(world, job);
		break;
	}
}

void world_go(struct world *world, int64_t seconds)
{
	unsigned first = prng_between(&world->prng, 0, WORLD_JOBS - 1);

	world->now_s += seconds;
	for (unsigned i = 0; i < WORLD_JOBS; i++)
		world_go_on(world, &world->jobs[(first + i) % WORLD_JOBS]);
}

/* ---- what others do ---- */

static void world_cancel(struct world *world, struct world_job *job)
{
	if (job->where == IS_RUNNING) {
		world_leave(world, job, CANCELLED);
	} else if (job->where == IS_LEAVING) {
		job->final = CANCELLED;
	} else if (job->where == IS_WAITING) {
		job->where = IS_DONE;
		job->final = CANCELLED;
		job->clean_s = world->now_s + FORGET_S;
	}
}

static void world_lose_node(struct world *world, struct world_job *job)
{
	if (job->where == IS_RUNNING)
		world_leave(world, job, job->never & 2 ? NODE_FAILED : REQUEUED);
}

static void world_veto(struct world_job *job)
{
	job->vetoes = !job->vetoes;
	if (job->vetoes)
		strcat(job->comment, " leeway:no-stop");
	else
		*strrchr(job->comment, ' ') = '\0';
}

void world_meddle(struct world *world)
{
	struct world_job *job = &world->jobs[prng_between(&world->prng, 0, WORLD_JOBS - 1)];

	switch (prng_between(&world->prng, 0, 39)) {
	case 0:
		world_cancel(world, job);
		break;
	case 1:
		world_lose_node(world, job);
		break;
	case 2:
		world_veto(job);
		break;
	case 3:
		job->held = !job->held;
		break;
	default:
		break;
	}
}

int world_signal(struct world *world, struct world_job *job)
{
	job->asked = true;
	if (job->manner == MANNER_DEAF)
		return 0;
	world_save(world, job);
	job->leave_s = world->now_s + job->save_s;
	job->final = job->manner == MANNER_ENDS    ? COMPLETED
		     : job->manner == MANNER_FAILS ? FAILED
						   : REQUEUED;
	return 0;
}

int world_requeue(struct world *world, struct world_job *job)
{
	if (prng_chance(&world->prng, 2))
		return -1;
	job->asked = true;
	if (job->period_s || job->save_s <= world->kill_wait_s)
		world_save(world, job);
	else
		job->lost = true;
	world_leave(world, job, REQUEUED);
	return 0;
}

void world_restart(struct world *world, bool lost)
{
	for (unsigned i = 0; i < WORLD_JOBS; i++) {
		struct world_job *job = &world->jobs[i];

		if (lost && job->where == IS_WAITING)
			job->begin_s = job->kept_begin_s;
		job->kept_begin_s = job->begin_s;
	}
}

/* ---- what is seen ---- */

struct world_job *world_find(struct world *world, uint32_t id)
{
	for (unsigned i = 0; i < WORLD_JOBS; i++)
		if (world->jobs[i].id == id)
			return world->jobs[i].where == IS_DONE &&
					       world->now_s >= world->jobs[i].clean_s
				       ? NULL
				       : &world->jobs[i];
	return NULL;
}

enum lw_stop_seen world_see(const struct world_job *job)
{
	if (!job)
		return LW_STOP_SEEN_GONE;
	if (job->where == IS_DONE)
		return job->final == COMPLETED || job->final == FAILED ? LW_STOP_SEEN_ENDED
								       : LW_STOP_SEEN_GONE;
	return job->where == IS_RUNNING   ? LW_STOP_SEEN_RUNNING
	       : job->where == IS_LEAVING ? LW_STOP_SEEN_LEAVING
					  : LW_STOP_SEEN_WAITING;
}

void world_describe(const struct world *world, const struct world_job *job, uint32_t for_job,
		    struct lw_stop_case *ret_case)
{
	*ret_case = (struct lw_stop_case){ .job_id = job->id,
					   .user = job->user,
					   .restarts = job->restarts,
					   .nodes = job->nodes,
					   .all_nodes = WORLD_NODES,
					   .name = job->name,
					   .comment = job->comment,
					   .qos = job->qos,
					   .partition = job->partition,
					   .start_s = job->start_s,
					   .expect_s = job->id % 3 ? job->work_s : 0,
					   .signal_s = job->signal_s,
					   .kill_wait_s = world->kill_wait_s,
					   .for_job = for_job,
					   .signalled = job->signalled,
					   .sent = job->signalled &&
						   (job->asked ||
						    job->end_s - world->now_s < job->signal_s),
					   .batch = !(job->never & 1),
					   .requeues = !(job->never & 2),
					   .het = job->never & 4,
					   .federated = job->never & 8,
					   .cron = job->never & 16,
					   .buffer = job->never & 32,
					   .reserved = job->never & 64,
					   .licences = job->never & 128,
					   .depended = job->depended };
}
