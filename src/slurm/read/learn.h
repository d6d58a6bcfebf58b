/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what finished jobs in Slurm's job list teach the predictor, kept across restarts. */
#ifndef LW_SLURM_LEARN_H
#define LW_SLURM_LEARN_H

#include "base/error.h"
#include "base/log.h"
#include "predictor/history.h"
#include "slurm/read/read.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Slurm keeps a finished job in its list for MinJobAge. Each reading copies the jobs that ended
 * since the last reading, under Slurm's locks; the lessons are computed after the locks are
 * given up. A job is learned once, also across restarts: the history's newest end says how far
 * learning came. The jobs of one second are learned together or not at all, LW_LEARN_SETTLE_S
 * later, when no other job can end in that second any more.
 *
 * The file is the history itself (doc/dev/format-history.txt). So an administrator can put the
 * output of leeway history import there before slurmctld starts, and look at it with leeway
 * history show. It is written at most every LW_LEARN_SAVE_S, which is less than Slurm's default
 * MinJobAge, so that what a crash took is still in the job list.
 *
 * Memory: the history's (17 MiB at most), and 200 bytes for each job that ended since the last
 * reading. For one thread at a time.
 */

#define LW_LEARN_SETTLE_S 5
#define LW_LEARN_SAVE_S   120

/* A finished job, from Slurm's record. Times are since the epoch. */
struct lw_finished {
	uint32_t job_id;
	uint32_t user_id;
	const char *name;      /* lent for the call; may be NULL */
	const char *partition; /* lent for the call */
	uint32_t width; /* CPUs it asked for; 0: not known */
	uint32_t nodes; /* that it held */
	int64_t limit_s;
	int64_t start_s;
	int64_t end_s;        /* of a job that ended suspended: when it was suspended */
	int64_t turned_s;     /* when it was last suspended or resumed; 0: never */
	int64_t ran_before_s; /* its run time when it was last suspended */
	int64_t suspended_s;  /* total */
	const char *admin_comment; /* lent for the call: tag and GPU use; may be NULL */
	const char *gpu_type;      /* lent for the call; NULL: none, several, or without a
				    * name */
	uint32_t gpus;             /* that it held */
	int64_t work_s; /* all of its work on these, by its own progress; 0: what it ran */
	uint32_t slower; /* in thousandths: so much longer than on all nodes that it may have; 0:
			  * not known (read/sized.h) */
	bool cut;             /* not ended by itself or its user, but by its limit or a node */
};

/*
 * What the job teaches. False: it never ran, or shared its GPUs. Time in suspension does not
 * count.
 */
bool lw_finished_lesson(const struct lw_finished *job, struct lw_history_job *ret_lesson);

struct lw_learn;

/*
 * Load the history from PATH, which is copied. A damaged file is reported and set aside, and the
 * history starts afresh; a file that cannot be read is reported, and set aside at the next save.
 * 0 or -ENOMEM. LOG is borrowed.
 */
int lw_learn_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_learn **ret_learn);
/* Does not save. */
void lw_learn_destroy(struct lw_learn *learn);

/*
 * From now on keep what jobs use of a GPU in BOOK, too, or not at all if it is NULL. LEARN owns
 * BOOK; the one before is saved and freed.
 */
struct lw_sharebook;
void lw_learn_share(struct lw_learn *learn, struct lw_sharebook *book);
/* The book in use, or NULL. */
struct lw_sharebook *lw_learn_sharebook(const struct lw_learn *learn);

/* A reading begins at NOW_S; what an earlier one noted but did not teach is dropped. */
void lw_learn_begin(struct lw_learn *learn, int64_t now_s);
/* Will JOB be noted? Fields that are expensive to find may still be empty. */
bool lw_learn_wants(const struct lw_learn *learn, const struct lw_finished *job);
/* JOB ended: note it if it ran and was not learned yet. 0 or -ENOMEM. */
int lw_learn_note(struct lw_learn *learn, const struct lw_finished *job);
/*
 * The reading was complete: learn what it noted, in order of ends. Returns the number of jobs.
 */
uint32_t lw_learn_teach(struct lw_learn *learn);

/* What to predict, beside the survival functions of GPU jobs. */
enum lw_learn_what {
	LW_LEARN_RUNS = 1,     /* run times: not for policies that use time limits only */
	LW_LEARN_ALL_STAY = 2, /* survival functions of all jobs */
	LW_LEARN_TYPES = 4,    /* with the first: run times by type of GPU (learn_types.h) */
};

/*
 * Set in READING the predictions of each ready job, by user, partition and limit: mean, rank and
 * tail, as in struct lw_waiting, and the survival function of GPU jobs. For each running job, by
 * user, limit and CPUs and given its run so far: the mean, and the survival function if it has
 * part of a node. WHAT is an OR of enum lw_learn_what. Nothing else is changed.
 */
void lw_learn_expect(const struct lw_learn *learn, unsigned what, struct lw_reading *reading);

/*
 * Is a waiting gang of USER with LIMIT_S and ADMIN_COMMENT (may be NULL) known to be
 * communication-intensive? Earlier runs of it decide, else its tag, which our job_submit plugin
 * wrote from script and request. LEARN may be NULL: then only the tag counts.
 */
bool lw_learn_communicates(const struct lw_learn *learn, uint32_t user, int64_t limit_s,
			   const char *admin_comment);

/*
 * Write the file if anything was learned since, at most every LW_LEARN_SAVE_S unless AT_ONCE. 0,
 * or -errno with ERR; the next try is then as far away.
 */
int lw_learn_save(struct lw_learn *learn, int64_t now_s, bool at_once, struct lw_error *err);

/* Valid until the next change. */
const struct lw_history *lw_learn_history(const struct lw_learn *learn);

#endif
