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
 * Slurm keeps a finished job in its list for MinJobAge. Each reading notes those that ended
 * since the last one, under Slurm's locks, copying only; what they teach is worked out when
 * the locks are given up. A job is learned once, also across restarts: the history's newest
 * end says how far we came, and the jobs of one second are learned together or not at all,
 * LW_LEARN_SETTLE_S later, when no other can end in that second any more.
 *
 * The file is the history's own (doc/dev/format-history.txt), so that an administrator can
 * put there what leeway history import made, before slurmctld starts, and look at ours with
 * leeway history show. Written at most every LW_LEARN_SAVE_S, less than Slurm's default
 * MinJobAge, so that what a crash took is still in the job list.
 *
 * Memory: the history's (17 MiB at most), and 200 bytes a job that ended since the last
 * reading. One thread at a time.
 */

#define LW_LEARN_SETTLE_S 5
#define LW_LEARN_SAVE_S   120

/* A job that is over, as Slurm's record has it. Times are since the epoch. */
struct lw_finished {
	uint32_t job_id;
	uint32_t user_id;
	const char *name;      /* lent for the call; may be NULL */
	const char *partition; /* lent for the call */
	uint32_t width; /* CPUs it asked for; 0: not known */
	uint32_t nodes; /* that it held */
	int64_t limit_s;
	int64_t start_s;
	int64_t end_s;        /* for one that ended suspended: when it was suspended */
	int64_t turned_s;     /* when it was last suspended or resumed; 0: never */
	int64_t ran_before_s; /* how long it had run when it was last suspended */
	int64_t suspended_s;  /* in all */
	const char *admin_comment; /* lent for the call: tag and GPU use; may be NULL */
	const char *gpu_type;      /* lent for the call; NULL: none, several, or of no name */
	uint32_t gpus;             /* that it held */
	bool cut;             /* somebody but the job and its user ended it: its limit, a node */
};

/*
 * What it teaches, or false: it never ran, or had its GPUs with others. Time in which it was
 * suspended does not count.
 */
bool lw_finished_lesson(const struct lw_finished *job, struct lw_history_job *ret_lesson);

struct lw_learn;

/*
 * Load the history from PATH, which is copied. A damaged file is reported, set aside and
 * started afresh; a file that cannot be read is reported, and set aside at the next save.
 * 0 or -ENOMEM. LOG is borrowed.
 */
int lw_learn_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_learn **ret_learn);
/* Does not save. */
void lw_learn_destroy(struct lw_learn *learn);

/*
 * From now on keep what jobs use of a GPU in BOOK, too, or nowhere if it is NULL; it is LEARN's
 * then. The one before is saved and freed.
 */
struct lw_sharebook;
void lw_learn_share(struct lw_learn *learn, struct lw_sharebook *book);
/* The one in use, or NULL. */
struct lw_sharebook *lw_learn_sharebook(const struct lw_learn *learn);

/* A reading begins at NOW_S; what an earlier one noted and nobody taught is forgotten. */
void lw_learn_begin(struct lw_learn *learn, int64_t now_s);
/* Will JOB be noted? What costs something to find out need not be there yet. */
bool lw_learn_wants(const struct lw_learn *learn, const struct lw_finished *job);
/* JOB is over: note it if it ran and was not learned yet. 0 or -ENOMEM. */
int lw_learn_note(struct lw_learn *learn, const struct lw_finished *job);
/* The reading was complete: learn what it noted, in order of ends. How many jobs. */
uint32_t lw_learn_teach(struct lw_learn *learn);

/* What is to be expected of jobs, beside how those with GPUs stay. */
enum lw_learn_what {
	LW_LEARN_RUNS = 1,     /* how long they run: not for a policy that goes by limits */
	LW_LEARN_ALL_STAY = 2, /* how all stay */
	LW_LEARN_TYPES = 4,    /* with the first: how long by type of GPU (learn_types.h) */
};

/*
 * Say in READING how long each of its ready jobs is expected to run, by user, partition
 * and limit: mean, rank and tail, as struct lw_waiting has them, and how those with GPUs stay;
 * and of each running one, by user, limit and CPUs, given how long it has run, and how those stay
 * that run on a part of a node. WHAT of it is an OR of enum lw_learn_what. Nothing else is
 * changed.
 */
void lw_learn_expect(const struct lw_learn *learn, unsigned what, struct lw_reading *reading);

/*
 * Is a waiting gang of USER with LIMIT_S and ADMIN_COMMENT (may be NULL) known to talk much across
 * nodes: by what earlier runs of it showed, else by its tag, which our job_submit plugin wrote
 * from script and request? LEARN may be NULL: then by its tag.
 */
bool lw_learn_communicates(const struct lw_learn *learn, uint32_t user, int64_t limit_s,
			   const char *admin_comment);

/*
 * Write the file if anything was learned since, not more often than LW_LEARN_SAVE_S unless
 * AT_ONCE. 0, or -errno with ERR; then the next try is as far off.
 */
int lw_learn_save(struct lw_learn *learn, int64_t now_s, bool at_once, struct lw_error *err);

/* Valid until the next change. */
const struct lw_history *lw_learn_history(const struct lw_learn *learn);

#endif
