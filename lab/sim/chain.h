/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs of a run wait for which. */
#ifndef LW_LAB_SIM_CHAIN_H
#define LW_LAB_SIM_CHAIN_H

#include "measure/job.h"

#include <stdbool.h>
#include <stdint.h>

/* When a job that waits for another one comes into the queue. */
enum lw_chain_mode {
	LW_CHAIN_ON,  /* when that one starts; its age counts from its own submission */
	LW_CHAIN_OFF, /* when that one has ended, and its age counts from then: as in Slurm */
	/*
	 * when its user submits it by itself, as the start that would be shown for it is no earlier
	 * than the end of that one (engine_rule.c); at the latest when that one has ended
	 */
	LW_CHAIN_START_RULE,
	LW_CHAIN_MODES,
};

const char *lw_chain_mode_name(enum lw_chain_mode mode);
/* The mode called NAME, or -EINVAL. */
int lw_chain_mode_parse(const char *name);

enum lw_chain_state {
	LW_CHAIN_TO_COME, /* not submitted yet */
	LW_CHAIN_HELD,    /* waits for other jobs, or for its user to have thought */
	LW_CHAIN_QUEUED,
	LW_CHAIN_RUNNING,
	LW_CHAIN_OVER,
};

enum lw_chain_verdict {
	LW_CHAIN_MET,     /* all is as it was to be */
	LW_CHAIN_FOLLOWS, /* what is left are jobs that run */
	LW_CHAIN_BLOCKED, /* not yet, and not to be foreseen */
	LW_CHAIN_NEVER,   /* it can no longer be */
};

struct lw_chain_ripe {
	int64_t at_s;
	uint32_t job;
};

/* Jobs are told by their places in JOBS, which are the caller's. Empty if none waits. */
struct lw_chain {
	struct lw_sim_job *jobs;
	uint32_t job_count, largest;
	uint32_t *index_of; /* by id: its place + 1, or 0 */
	uint8_t *states;    /* enum lw_chain_state */
	uint32_t *first;    /* by place: its run of nexts; one more than there are jobs */
	uint32_t *nexts;    /* the jobs that wait for it */
	struct lw_chain_ripe *ripes; /* a heap of jobs in the think time of their users */
	uint32_t ripe_count, ripe_room;
	/* of arrays of which so many tasks run at a time (chain_array.c) */
	uint32_t *fellows;   /* their tasks, by (array, id) */
	uint32_t *fellow_of; /* by place: where it is in fellows + 1, or 0 */
	uint32_t fellow_count;
};

/* Also says of each job whether it leads. 0 or -ENOMEM; in either case lw_chain_fini(). */
int lw_chain_init(struct lw_chain *chain, struct lw_sim_job *jobs, uint32_t count);
void lw_chain_fini(struct lw_chain *chain);

static inline bool lw_chain_is_empty(const struct lw_chain *chain)
{
	return !chain->states;
}

/* Note what has become of a job; nothing if no job waits for any. */
void lw_chain_set(struct lw_chain *chain, uint32_t job, enum lw_chain_state state);
bool lw_chain_is(const struct lw_chain *chain, uint32_t job, enum lw_chain_state state);

/* What JOB waits for. FOLLOWS: *ret_after is the place of the job that may run longest. */
enum lw_chain_verdict lw_chain_judge(const struct lw_chain *chain, uint32_t job,
				     uint32_t *ret_after);

/* The next task of the array of *JOB; false: there is none. */
bool lw_chain_fellow(const struct lw_chain *chain, uint32_t *job);
/* Has the end of an earlier task just made room for task JOB? */
bool lw_chain_has_let_in(const struct lw_chain *chain, uint32_t job);

/* JOB ripens at AT_S. -ENOMEM. */
int lw_chain_ripen(struct lw_chain *chain, uint32_t job, int64_t at_s);
/* When the first does, or INT64_MAX. */
int64_t lw_chain_next_s(const struct lw_chain *chain);
/* Take the next that is ripe at NOW_S; false: none is. */
bool lw_chain_ripe(struct lw_chain *chain, int64_t now_s, uint32_t *ret_job);

#endif
