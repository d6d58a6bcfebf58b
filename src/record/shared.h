/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the GPUs that one step shares with other jobs: what of them is its own, and who is
 * there. */
#ifndef LW_RECORD_SHARED_H
#define LW_RECORD_SHARED_H

#include "base/log.h"
#include "base/sharemark.h"
#include "record/guard.h"
#include "record/neighbours.h"
#include "record/owners.h"

/* What slurmctld says of a job that shares. */
struct lw_shared_job {
	struct lw_sharemark mark;
	bool can_requeue;
};

/*
 * What the watch needs of Slurm. All are called in its thread, and may take as long as an answer
 * of Slurm's does; nothing else waits for them meanwhile.
 */
struct lw_shared_calls {
	lw_owner_f owner;
	/* -ENOENT: it did not opt in, and nothing is done to it. -errno: ask again later. */
	int (*ask)(void *arg, struct lw_shared_job *ret_job);
	/* One line into the job's output. */
	void (*tell)(void *arg, const char *line);
	/*
	 * Requeue JOB with MARK, to what it asked for before it shared, or, without MARK (NULL),
	 * as it is; or end it. 0 or -errno.
	 */
	int (*leave)(void *arg, const struct lw_shared_job *job, const struct lw_sharemark *mark);
	/* Have slurmctld know that the job's mark is MARK now. 0 or -errno. */
	int (*put)(void *arg, const struct lw_sharemark *mark);
	void *arg;
};

struct lw_shared {
	struct lw_shared_calls calls; /* all NULL: readings alone */
	const struct lw_log *log;
	const char *dir;
	struct lw_owners owners;
	struct lw_neighbours neighbours[LW_RECORD_GPUS_MAX];
	bool looked, asked, opted_in, warned, announced, left;
	int64_t looked_s, asked_s;
	struct lw_shared_job job;
	struct lw_lend lend; /* of one that lends its GPU */
	uint32_t blind;	     /* of a guest: readings of which nothing was known */
};

/* SHARED starts zeroed; what is pointed to is borrowed. CALLS may be NULL. */
void lw_shared_init(struct lw_shared *shared, const struct lw_shared_calls *calls,
		    const char *dir, const struct lw_log *log);

/*
 * One reading of all GPUs of RECORD at NOW_S into OWN, and who else is there into RECORD, every
 * LW_RECORD_SLOW_EVERY_S.
 */
void lw_shared_read(struct lw_shared *shared, const struct lw_sampler_ops *ops, void *state,
		    struct lw_record *record, int64_t now_s, struct lw_gpu_sample *own);

/* Is it known of the job that it opted in, so that its mark is known as well? */
bool lw_shared_knows(struct lw_shared *shared, int64_t now_s);

/*
 * What is to be done by the reading OWN, the worst of all GPUs, with *RET_GPU. Who is on a GPU is
 * looked up anew when its memory runs short, and slurmctld is asked once whether the job opted
 * in.
 */
enum lw_guard_act lw_shared_judge(struct lw_shared *shared, const struct lw_record *record,
				  int64_t now_s, const struct lw_gpu_sample *own,
				  uint32_t *ret_gpu);

/* LINE into the job's output, and EVENT, with the reading OWN of its GPU, into RECORD. */
void lw_shared_say(struct lw_shared *shared, struct lw_record *record, const char *event,
		   const char *line, int64_t now_s, const struct lw_gpu_sample *own);

/* Say so in the job's output, once; noted in RECORD. */
void lw_shared_warn(struct lw_shared *shared, struct lw_record *record, uint32_t gpu,
		    int64_t now_s, const struct lw_gpu_sample *own);
/* The same before it leaves; once. */
void lw_shared_announce(struct lw_shared *shared, struct lw_record *record, uint32_t gpu,
			int64_t now_s, const struct lw_gpu_sample *own);
/* Then have it leave. Tried again at the next reading where Slurm does not answer. */
void lw_shared_leave(struct lw_shared *shared, uint32_t job_id);

#endif
