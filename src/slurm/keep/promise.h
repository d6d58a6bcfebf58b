/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start each waiting job was first promised, kept across restarts. */
#ifndef LW_SLURM_PROMISE_H
#define LW_SLURM_PROMISE_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * doc/dev/format-promises.txt describes the file. Slurm looks at time limits every 30
 * seconds and lets a job clean up, so a start up to LW_PROMISE_GRACE_S after the
 * latest promised moment counts as kept.
 */
#define LW_PROMISE_GRACE_S 60

struct lw_promise {
	uint32_t job_id; /* of an array: its id; the promise is to its next task */
	int64_t made_s;
	int64_t start_s;  /* as first promised; never moves */
	int64_t latest_s; /* how far it may slip */
	bool seen;        /* scratch: the job was ready in this cycle */
};

/* Since the file was started. A withdrawn one was held, changed or cancelled. */
struct lw_promise_totals {
	uint64_t made, kept, broken, withdrawn;
	int64_t violation_s; /* of the broken ones, counted from latest_s */
};

struct lw_promises;

/*
 * Load the table from PATH, which is copied. A damaged file is reported, set aside
 * and started afresh; a file that cannot be read is reported, and set aside at the next
 * save. 0 or -ENOMEM. LOG is borrowed.
 */
int lw_promises_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_promises **ret_promises);
/* Does not save. */
void lw_promises_destroy(struct lw_promises *promises);

/* The promise to JOB_ID, or NULL; lent until the next change. */
const struct lw_promise *lw_promises_find(const struct lw_promises *promises, uint32_t job_id);

/* Forget which jobs were seen: a new cycle begins. */
void lw_promises_begin(struct lw_promises *promises);
/* JOB_ID waits and may start: its promise, if any, stands. */
void lw_promises_seen(struct lw_promises *promises, uint32_t job_id);
/* A task or job started at START_S: settle what it was promised, if anything. */
void lw_promises_started(struct lw_promises *promises, uint32_t job_id, int64_t start_s);
/* Remember a first promise; does nothing when the job has one. 0 or -ENOMEM. */
int lw_promises_make(struct lw_promises *promises, const struct lw_promise *promise);
/*
 * Is somebody promised a start who was not seen since begin? He may have started meanwhile, which
 * is to be said before the end.
 */
bool lw_promises_any_unseen(const struct lw_promises *promises);
/* Withdraw the promises to jobs that were not seen since begin. */
void lw_promises_end(struct lw_promises *promises);

/* Write the file if anything changed since. 0, or -errno with ERR. */
int lw_promises_save(struct lw_promises *promises, struct lw_error *err);

uint32_t lw_promises_count(const struct lw_promises *promises);
void lw_promises_totals(const struct lw_promises *promises, struct lw_promise_totals *ret_totals);

#endif
