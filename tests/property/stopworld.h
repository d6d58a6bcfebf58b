/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a small Slurm and its jobs, as far as stops go: they save, requeue, end or listen not.
 */
#ifndef LW_TESTS_STOPWORLD_H
#define LW_TESTS_STOPWORLD_H

#include "property/prng.h"
#include "slurm/keep/stops.h"

#define WORLD_JOBS     100
#define WORLD_NODES    60
#define WORLD_USERS    8
#define WORLD_BEGIN_S  1000000
#define WORLD_REQUEUED 121 /* seconds that Slurm lets a requeued job wait */

/* What a job does when it is asked. */
enum manner {
	MANNER_SELF, /* saves at its signal, and requeues itself */
	MANNER_SLOW, /* likewise, and takes its time */
	MANNER_TERM, /* saves at SIGTERM */
	MANNER_PERIODIC,
	MANNER_FAITHFUL, /* the manners before go on from their saves */
	MANNER_SCRATCH = MANNER_FAITHFUL,
	MANNER_LONG, /* is killed before it has saved */
	MANNER_DEAF,
	MANNER_ENDS,
	MANNER_FAILS,
	MANNERS,
};

enum where { IS_RUNNING, IS_LEAVING, IS_WAITING, IS_DONE };

/* Why a job is done, or is about to be; REQUEUED: it is not. */
enum final { REQUEUED, COMPLETED, FAILED, CANCELLED, NODE_FAILED };

struct world_job {
	uint32_t id, user, nodes, restarts;
	enum manner manner;
	enum where where;
	enum final final;
	unsigned never; /* a bit of what bars it for good; 0: nothing */
	char name[16], comment[64];
	const char *qos, *partition;
	bool agrees;            /* as it was made, by what it was given */
	bool vetoes;            /* its user has written leeway:no-stop since */
	bool held, asked, lost; /* lost: it was killed before it had saved */
	bool signalled, depended;
	int64_t signal_s, save_s, period_s;
	int64_t work_s, saved_s; /* in all, and as far as it would go on from */
	int64_t start_s, end_s;  /* of this run; it ends by itself then */
	int64_t leave_s;         /* it will have saved then; 0: it was not asked */
	int64_t clean_s;         /* its nodes are, or its record is forgotten */
	int64_t begin_s;         /* it does not start before */
	int64_t kept_begin_s;    /* as Slurm has saved it */
};

struct world {
	struct prng prng;
	struct world_job jobs[WORLD_JOBS];
	uint32_t last_id;
	int64_t now_s, kill_wait_s;
};

#define WORLD_WHO "qos:scavenger partition:spare"

void world_begin(struct world *world, uint64_t seed);
/* Time goes by, and each job goes on as far as it can. Slots of jobs long done have new jobs. */
void world_go(struct world *world, int64_t seconds);
/* Users and administrators do something at random, and now and then a node is lost. */
void world_meddle(struct world *world);

/* Ask it: 0, or -1 as Slurm may refuse to requeue it. */
int world_signal(struct world *world, struct world_job *job);
int world_requeue(struct world *world, struct world_job *job);

/* slurmctld died: of what jobs may begin it knows what it saved, if it LOST the rest. */
void world_restart(struct world *world, bool lost);

/* The job with that number, unless it was forgotten; or NULL. */
struct world_job *world_find(struct world *world, uint32_t id);
/* As the plugin sees it; NULL JOB: it does not. */
enum lw_stop_seen world_see(const struct world_job *job);
/* As the plugin describes it when it is to be asked for job FOR_JOB. */
void world_describe(const struct world *world, const struct world_job *job, uint32_t for_job,
		    struct lw_stop_case *ret_case);
/* Does it agree now? */
static inline bool world_agrees(const struct world_job *job)
{
	return job->agrees && !job->vetoes;
}

#endif
