/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the GPUs that one step shares with other jobs: its own part, and its neighbours. */
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
 * What the watch needs of Slurm. All are called in the thread of the watch, and may take as long
 * as Slurm needs to answer; nothing else waits for them meanwhile.
 */
struct lw_shared_calls {
	lw_owner_f owner;
	/* -ENOENT: it did not opt in, and is left alone. -errno: ask again later. */
	int (*ask)(void *arg, struct lw_shared_job *ret_job);
	/* Write one line to the job's output. */
	void (*tell)(void *arg, const char *line);
	/*
	 * Requeue JOB: with MARK, to what it asked for before it shared; without MARK (NULL), as
	 * it is. If it cannot be requeued, end it. 0 or -errno.
	 */
	int (*leave)(void *arg, const struct lw_shared_job *job, const struct lw_sharemark *mark);
	/* Tell slurmctld that the job's mark is MARK now. 0 or -errno. */
	int (*put)(void *arg, const struct lw_sharemark *mark);
	void *arg;
};

struct lw_shared {
	struct lw_shared_calls calls; /* all NULL: only readings */
	const struct lw_log *log;
	const char *dir;
	struct lw_owners owners;
	struct lw_neighbours neighbours[LW_RECORD_GPUS_MAX];
	bool looked, asked, opted_in, warned, announced, left;
	int64_t looked_s, asked_s;
	struct lw_shared_job job;
	struct lw_lend lend; /* of a job that lends its GPU */
	uint32_t blind;	     /* of a guest: readings in a row without knowledge of others */
};

/* SHARED starts zeroed; pointers are borrowed. CALLS may be NULL. */
void lw_shared_init(struct lw_shared *shared, const struct lw_shared_calls *calls,
		    const char *dir, const struct lw_log *log);

/*
 * Read all GPUs of RECORD at NOW_S into OWN, and every LW_RECORD_SLOW_EVERY_S the neighbours
 * into RECORD.
 */
void lw_shared_read(struct lw_shared *shared, const struct lw_sampler_ops *ops, void *state,
		    struct lw_record *record, int64_t now_s, struct lw_gpu_sample *own);

/* Is the job known to have opted in, so that its mark is known as well? */
bool lw_shared_knows(struct lw_shared *shared, int64_t now_s);

/*
 * What the job must do by the reading OWN, for the worst of all GPUs, in *RET_GPU. The
 * neighbours on a GPU are looked up again when its memory runs short, and slurmctld is asked
 * once whether the job opted in.
 */
enum lw_guard_act lw_shared_judge(struct lw_shared *shared, const struct lw_record *record,
				  int64_t now_s, const struct lw_gpu_sample *own,
				  uint32_t *ret_gpu);

/* Write LINE to the job's output, and EVENT, with the reading OWN of its GPU, to RECORD. */
void lw_shared_say(struct lw_shared *shared, struct lw_record *record, const char *event,
		   const char *line, int64_t now_s, const struct lw_gpu_sample *own);

/* Warn in the job's output, once; noted in RECORD. */
void lw_shared_warn(struct lw_shared *shared, struct lw_record *record, uint32_t gpu,
		    int64_t now_s, const struct lw_gpu_sample *own);
/* The same before it leaves; once. */
void lw_shared_announce(struct lw_shared *shared, struct lw_record *record, uint32_t gpu,
			int64_t now_s, const struct lw_gpu_sample *own);
/* Then make it leave. If Slurm does not answer, the next reading tries again. */
void lw_shared_leave(struct lw_shared *shared, uint32_t job_id);

#endif
