/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start each waiting job was first promised, kept across restarts. */
#ifndef LW_SLURM_PROMISE_H
#define LW_SLURM_PROMISE_H

#include "base/error.h"
#include "base/log.h"
#include "base/promise.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_promises;

/*
 * Load the table from PATH, which is copied. A damaged file is reported and set aside, and the
 * table starts afresh; a file that cannot be read is reported, and set aside at the next save. 0
 * or -ENOMEM. LOG is borrowed.
 */
int lw_promises_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_promises **ret_promises);
/* Does not save. */
void lw_promises_destroy(struct lw_promises *promises);

/* The promise to JOB_ID, or NULL; lent until the next change. */
const struct lw_promise *lw_promises_find(const struct lw_promises *promises, uint32_t job_id);

/* A new cycle begins: forget which jobs were seen. */
void lw_promises_begin(struct lw_promises *promises);
/* JOB_ID waits and may start: its promise, if any, holds. */
void lw_promises_seen(struct lw_promises *promises, uint32_t job_id);
/* A task or job started at START_S: settle its promise, if any. */
void lw_promises_started(struct lw_promises *promises, uint32_t job_id, int64_t start_s);
/* Remember a first promise; does nothing if the job has one. 0 or -ENOMEM. */
int lw_promises_make(struct lw_promises *promises, const struct lw_promise *promise);
/*
 * The deadline of JOB_ID is accepted: the latest start of its promise becomes LATEST_S if that
 * is earlier.
 */
void lw_promises_accept(struct lw_promises *promises, uint32_t job_id, int64_t latest_s);
/*
 * Is there a promise to a job that was not seen since begin? The job may have started meanwhile;
 * the caller must report that before the end.
 */
bool lw_promises_any_unseen(const struct lw_promises *promises);
/* Does JOB_ID still wait, perhaps for something other than room? */
typedef bool (*lw_promises_waits_f)(void *arg, uint32_t job_id);
/*
 * Withdraw the promises to jobs that were not seen since begin: a job that still WAITS is held,
 * a job that does not was cancelled.
 */
void lw_promises_end(struct lw_promises *promises, lw_promises_waits_f waits, void *arg);
/*
 * By hard limits JOB_ID cannot start before START_S, and it could use NODES nodes. If that is
 * after its latest start, and the nodes are fewer than at the time of the promise, the promise
 * lost its basis: withdraw it. False: it holds, or there is none.
 */
bool lw_promises_lost(struct lw_promises *promises, uint32_t job_id, int64_t start_s,
		      uint32_t nodes);

/* Tell the user of PROMISE. False: not now. */
typedef bool (*lw_promises_tell_f)(void *arg, const struct lw_promise *promise);
/* Pass up to MOST promises to TELL that users were not told of yet. */
void lw_promises_tell(struct lw_promises *promises, uint32_t most, lw_promises_tell_f tell,
		      void *arg);
/* Users are told of no promise any more; pass each open one to FORGET. */
void lw_promises_untell(struct lw_promises *promises, lw_promises_tell_f forget, void *arg);

/* Write the file if anything changed since the last save. 0, or -errno with ERR. */
int lw_promises_save(struct lw_promises *promises, struct lw_error *err);

uint32_t lw_promises_count(const struct lw_promises *promises);
void lw_promises_totals(const struct lw_promises *promises, struct lw_promise_totals *ret_totals);

#endif
