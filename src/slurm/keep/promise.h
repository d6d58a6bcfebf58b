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
 * The deadline of JOB_ID is accepted: its latest start, if it has a promise, is LATEST_S where
 * that is earlier than what it was promised before.
 */
void lw_promises_accept(struct lw_promises *promises, uint32_t job_id, int64_t latest_s);
/*
 * Is somebody promised a start who was not seen since begin? He may have started meanwhile, which
 * is to be said before the end.
 */
bool lw_promises_any_unseen(const struct lw_promises *promises);
/* Does JOB_ID still wait, if only for something other than room? */
typedef bool (*lw_promises_waits_f)(void *arg, uint32_t job_id);
/*
 * Withdraw the promises to jobs that were not seen since begin: who still WAITS is held, who does
 * not was cancelled.
 */
void lw_promises_end(struct lw_promises *promises, lw_promises_waits_f waits, void *arg);
/*
 * By hard limits JOB_ID cannot start before START_S, and there are NODES that it could use. If that
 * is after its latest start, and fewer than when it was promised, its promise lost what it was
 * based on: withdraw it. False: it stands, or there is none.
 */
bool lw_promises_lost(struct lw_promises *promises, uint32_t job_id, int64_t start_s,
		      uint32_t nodes);

/* Tell the user of PROMISE of it. False: not now. */
typedef bool (*lw_promises_tell_f)(void *arg, const struct lw_promise *promise);
/* Tell of the promises of which nobody was told yet, but of no more than MOST at a time. */
void lw_promises_tell(struct lw_promises *promises, uint32_t most, lw_promises_tell_f tell,
		      void *arg);
/* Nobody is told of any promise any more; each open one is handed to FORGET. */
void lw_promises_untell(struct lw_promises *promises, lw_promises_tell_f forget, void *arg);

/* Write the file if anything changed since. 0, or -errno with ERR. */
int lw_promises_save(struct lw_promises *promises, struct lw_error *err);

uint32_t lw_promises_count(const struct lw_promises *promises);
void lw_promises_totals(const struct lw_promises *promises, struct lw_promise_totals *ret_totals);

#endif
