/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: cycle after cycle on a small cluster, with what is promised held against it. */
#ifndef LW_TESTS_LOOP_H
#define LW_TESTS_LOOP_H

#include "planner/policies/policy.h"
#include "property/prng.h"
#include "property/tap.h"

/*
 * A closed loop as the adapter runs it: jobs arrive, plans are obeyed, jobs end at or
 * before their limits, and the first promise of a job is stored and handed back. Queue
 * order is order of arrival; a promise is about elders, so it holds while nobody cuts
 * in before the job and no node fails. Who is preempted is gone for good.
 */

#define LOOP_JOBS_MAX 60  /* of all sorts */
#define LOOP_ROOM     240 /* jobs at all */

struct job {
	struct lw_waiting waiting; /* as it was submitted, with the promise it has */
	int64_t latest_s;          /* of its first promise, or LW_NO_TIME */
	int64_t run_s;             /* how long each task really runs */
	int64_t started_s;         /* the first of them; 0: none yet */
	uint32_t pending;          /* tasks not started */
	uint32_t kind;             /* it runs as one of, if it may be preempted */
};

/* A task that runs. */
struct task {
	struct lw_running running;
	struct lw_alloc *allocs;
	int64_t real_end_s;
	bool is_new, is_gone; /* started, or preempted, in this cycle */
};

struct loop {
	struct prng prng;
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;
	struct lw_kept kept; /* of the last plan */
	struct lw_lost lost;
	struct job jobs[LOOP_ROOM];
	uint32_t job_count;
	struct task *tasks;
	uint32_t task_count;
	int64_t now_s;
	uint32_t promises; /* made so far */
	int64_t wake_s;    /* when a gang stops waiting, or one that was accepted starts */
	bool preempts;     /* jobs preempt others, and who starts now may be preempted next */
	bool again;        /* another plan at this moment */
	bool any_goes;     /* whom to preempt is chosen at random, and starts may be refused */
	bool counts;       /* a promise that is broken is only counted */
	bool by_deadlines; /* only promises to those whose deadlines were accepted count */
	struct lw_gate *gate; /* NULL, or of the last plan: told of what ends */
	/* NULL, or what else starts jobs, before and after each plan (loop_start()) */
	int (*stranger)(struct loop *loop, struct lw_strbuf *why);
	void *arg;
	uint32_t accepted; /* so far */
	uint32_t broken;
};

/* Jobs of all sorts for the cluster of loop->snap. */
void loop_make_jobs(struct loop *loop);

/* A random cluster with such jobs, to be planned by KIND. Not 0: out of memory. */
int loop_begin(struct loop *loop, uint64_t seed, enum lw_policy_kind kind);
/* The same in another order of the queue, with an age and a patience or without. */
int loop_begin_in(struct loop *loop, uint64_t seed, enum lw_policy_kind kind, enum lw_order order);

/* With loop->params set: a node of CPUS, its planner, and no jobs yet. Not 0: out of memory. */
int loop_begin_on_node(struct loop *loop, uint32_t cpus);
/*
 * Make its job I, which wants CPUS. Its limit is LEAST_S to MOST_S; it is expected to run for any
 * part of that, and runs for LEAST_S / 2 at least.
 */
struct lw_waiting *loop_make_job(struct loop *loop, uint32_t i, int64_t submit_s, uint32_t cpus,
				 uint32_t least_s, uint32_t most_s);

/* The snapshot of this moment. Not 0: out of memory. */
int loop_look(struct loop *loop);
/* A start of loop->plan, made of that snapshot. 0, or WHY says what it broke. */
int loop_start(struct loop *loop, const struct lw_decision *decision, struct lw_strbuf *why);

/* Until nothing is left to happen: 0 if all promises were kept and all jobs started. */
int loop_run(struct loop *loop, struct lw_strbuf *why);

/* Free all it holds; if RC says that it went wrong, tell WHY of its last moment. Returns RC. */
int loop_end(struct loop *loop, int rc, struct lw_strbuf *why);

#endif
