/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start each waiting job was first promised, kept across restarts. */

/*
 * A sorted array: promised jobs are few (one or some at the head of the queue), and
 * the sorted file is the same for the same table. Includes nothing of Slurm, so that
 * it is unit-tested.
 */

#include "slurm/keep/promise.h"

#include "base/grow.h"
#include "base/promise_ended.h"
#include "base/search.h"
#include "base/strbuf.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lw_promises {
	struct lw_statefile file;
	const struct lw_log *log;
	struct lw_promise *entries; /* by job_id */
	uint32_t count, room;
	struct lw_promise_totals totals;
	bool dirty;
	struct lw_statefile ended_file; /* of the last that ended, beside it */
	struct lw_promise_ring ended;
	bool ended_dirty;
};

/* Where JOB_ID is, or would be inserted. */
static uint32_t promise_position(const struct lw_promises *promises, uint32_t job_id)
{
	uint32_t at;

	LW_SEARCH(at, promises->count, promises->entries[at].job_id < job_id);
	return at;
}

static bool promise_is_at(const struct lw_promises *promises, uint32_t i, uint32_t job_id)
{
	return i < promises->count && promises->entries[i].job_id == job_id;
}

static int promise_insert(struct lw_promises *promises, const struct lw_promise *promise)
{
	uint32_t i = promise_position(promises, promise->job_id);

	if (promise_is_at(promises, i, promise->job_id))
		return -EEXIST;
	if (lw_grow((void **)&promises->entries, &promises->room, promises->count + 1,
		    sizeof(*promises->entries)))
		return -ENOMEM;
	memmove(promises->entries + i + 1, promises->entries + i,
		(promises->count - i) * sizeof(*promises->entries));
	promises->entries[i] = *promise;
	promises->count++;
	return 0;
}

static void promise_remove_at(struct lw_promises *promises, uint32_t i)
{
	promises->count--;
	memmove(promises->entries + i, promises->entries + i + 1,
		(promises->count - i) * sizeof(*promises->entries));
	promises->dirty = true;
}

static int promise_take(void *arg, const struct lw_promise *promise)
{
	return promise_insert(arg, promise);
}

/* TEXT is cut into lines. */
static int promise_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_promises *promises = arg;
	const struct lw_promise_taker taker = { promise_take, promises };
	int rc = lw_promise_parse(text, size, promises->file.path, &taker, &promises->totals, err);

	if (rc)
		promises->count = 0;
	return rc;
}

static int promise_load(struct lw_promises *promises, const char *path, int64_t now_s)
{
	promises->file = (struct lw_statefile){ .kind = LW_PROMISE_FILE_KIND,
						.version = LW_PROMISE_FILE_VERSION,
						.what = "promises start",
						.log = promises->log };
	return lw_statefile_load(&promises->file, path, now_s, promise_parse, promises);
}

static int promise_parse_ended(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_promises *promises = arg;

	return lw_promise_ring_parse(&promises->ended, text, size, promises->ended_file.path,
				     err);
}

/* Ended promises are kept for reports only. */
static int promise_load_ended(struct lw_promises *promises, const char *path, int64_t now_s)
{
	char *ended_path;
	int rc;

	if (asprintf(&ended_path, "%s_ended", path) < 0)
		return -ENOMEM;
	promises->ended_file = (struct lw_statefile){ .kind = LW_PROMISE_ENDED_KIND,
						      .version = LW_PROMISE_ENDED_VERSION,
						      .what = "the list of ended promises starts",
						      .log = promises->log };
	rc = lw_statefile_load(&promises->ended_file, ended_path, now_s, promise_parse_ended,
			       promises);
	free(ended_path);
	for (uint32_t i = 0; i < promises->count; i++)
		lw_promise_ring_drop(&promises->ended, &promises->entries[i]);
	return rc;
}

int lw_promises_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_promises **ret_promises)
{
	struct lw_promises *promises = calloc(1, sizeof(*promises));
	int rc;

	if (!promises)
		return -ENOMEM;
	promises->log = log;
	rc = promise_load(promises, path, now_s);
	if (!rc)
		rc = promise_load_ended(promises, path, now_s);
	if (rc) {
		lw_promises_destroy(promises);
		return rc;
	}
	*ret_promises = promises;
	return 0;
}

void lw_promises_destroy(struct lw_promises *promises)
{
	if (!promises)
		return;
	lw_statefile_fini(&promises->file);
	lw_statefile_fini(&promises->ended_file);
	free(promises->entries);
	free(promises);
}

const struct lw_promise *lw_promises_find(const struct lw_promises *promises, uint32_t job_id)
{
	uint32_t i = promise_position(promises, job_id);

	return promise_is_at(promises, i, job_id) ? &promises->entries[i] : NULL;
}

void lw_promises_begin(struct lw_promises *promises)
{
	for (uint32_t i = 0; i < promises->count; i++)
		promises->entries[i].seen = false;
}

void lw_promises_seen(struct lw_promises *promises, uint32_t job_id)
{
	uint32_t i = promise_position(promises, job_id);

	if (promise_is_at(promises, i, job_id))
		promises->entries[i].seen = true;
}

/* A start is news: a broken promise a warning, one that was kept a line with how it was kept. */
static void promise_log_start(const struct lw_promises *promises,
			      const struct lw_promise *promise, enum lw_promise_end end,
			      int64_t start_s)
{
	int64_t moved_s = start_s - promise->start_s;

	if (end == LW_PROMISE_BROKEN)
		lw_log_warn(promises->log,
			    "promise to job %u broken: started %" PRId64
			    " s after the latest promised start",
			    promise->job_id, lw_promise_late_s(promise->latest_s, start_s));
	else if (end == LW_PROMISE_LATER)
		lw_log_info(promises->log,
			    "promise to job %u kept: started %" PRId64
			    " s later than first shown, by the latest promised start",
			    promise->job_id, moved_s);
	else
		lw_log_info(promises->log,
			    "promise to job %u kept: started %" PRId64 " s %s than first shown",
			    promise->job_id, moved_s < 0 ? -moved_s : moved_s,
			    moved_s <= 0 ? "earlier" : "later");
}

static void promise_note_end(struct lw_promises *promises, const struct lw_promise *promise,
			     enum lw_promise_end end, int64_t started_s)
{
	struct lw_promise_ended ended = { *promise, end, started_s };

	lw_promise_ring_add(&promises->ended, &ended);
	promises->ended_dirty = true;
}

void lw_promises_started(struct lw_promises *promises, uint32_t job_id, int64_t start_s)
{
	uint32_t i = promise_position(promises, job_id);
	struct lw_promise promise;
	enum lw_promise_end end;

	if (!promise_is_at(promises, i, job_id) || start_s < promises->entries[i].made_s)
		return;
	promise = promises->entries[i];
	end = lw_promise_judge(promise.start_s, promise.latest_s, start_s);
	promise_log_start(promises, &promise, end, start_s);
	lw_promise_count(&promises->totals, end, lw_promise_late_s(promise.latest_s, start_s));
	promise_note_end(promises, &promise, end, start_s);
	promise_remove_at(promises, i);
}

int lw_promises_make(struct lw_promises *promises, const struct lw_promise *promise)
{
	struct lw_promise made = *promise;
	int rc;

	made.seen = true;
	made.told = false;
	rc = promise_insert(promises, &made);
	if (rc)
		return rc == -EEXIST ? 0 : rc;
	promises->totals.made++;
	promises->dirty = true;
	return 0;
}

void lw_promises_accept(struct lw_promises *promises, uint32_t job_id, int64_t latest_s)
{
	uint32_t i = promise_position(promises, job_id);

	if (!promise_is_at(promises, i, job_id) || promises->entries[i].latest_s <= latest_s)
		return;
	promises->entries[i].latest_s = latest_s;
	promises->entries[i].told = false;
	promises->dirty = true;
}

/* The caller takes it out. */
static void promise_withdraw(struct lw_promises *promises, const struct lw_promise *promise,
			     enum lw_promise_end why)
{
	/* users know that they cancelled or held a job; that nodes are gone is news */
	lw_log_write(promises->log, why == LW_PROMISE_LOST ? LW_LOG_WARN : LW_LOG_DEBUG,
		     "promise to job %u %s", promise->job_id, lw_promise_end_text(why));
	lw_promise_count(&promises->totals, why, 0);
	promise_note_end(promises, promise, why, 0);
	promises->dirty = true;
}

bool lw_promises_lost(struct lw_promises *promises, uint32_t job_id, int64_t start_s,
		      uint32_t nodes)
{
	uint32_t i = promise_position(promises, job_id);

	if (!promise_is_at(promises, i, job_id) || nodes >= promises->entries[i].nodes ||
	    start_s <= promises->entries[i].latest_s + LW_PROMISE_GRACE_S)
		return false;
	promise_withdraw(promises, &promises->entries[i], LW_PROMISE_LOST);
	promise_remove_at(promises, i);
	return true;
}

bool lw_promises_any_unseen(const struct lw_promises *promises)
{
	for (uint32_t i = 0; i < promises->count; i++) {
		if (!promises->entries[i].seen)
			return true;
	}
	return false;
}

void lw_promises_end(struct lw_promises *promises, lw_promises_waits_f waits, void *arg)
{
	uint32_t kept = 0;

	/* many at a time, as when a user cancels all jobs: in one pass */
	for (uint32_t i = 0; i < promises->count; i++) {
		struct lw_promise promise = promises->entries[i];

		if (promise.seen)
			promises->entries[kept++] = promise;
		else
			promise_withdraw(promises, &promise,
					 waits(arg, promise.job_id) ? LW_PROMISE_HELD
								    : LW_PROMISE_CANCELLED);
	}
	promises->count = kept;
}

static void promise_print(const struct lw_promises *promises, struct lw_strbuf *out)
{
	lw_promise_print_totals(&promises->totals, out);
	for (uint32_t i = 0; i < promises->count; i++)
		lw_promise_print(&promises->entries[i], out);
}

static int promise_save_ended(struct lw_promises *promises, struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc;

	if (!promises->ended_dirty)
		return 0;
	lw_promise_ring_print(&promises->ended, &out);
	rc = out.error ? lw_error_set(err, out.error, "out of memory")
		       : lw_statefile_save(&promises->ended_file, lw_strbuf_text(&out), out.len,
					   err);
	lw_strbuf_fini(&out);
	if (!rc)
		promises->ended_dirty = false;
	return rc;
}

static int promise_save_open(struct lw_promises *promises, struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc;

	if (!promises->dirty)
		return 0;
	promise_print(promises, &out);
	if (out.error)
		rc = lw_error_set(err, out.error, "out of memory");
	else
		rc = lw_statefile_save(&promises->file, out.text, out.len, err);
	lw_strbuf_fini(&out);
	if (!rc)
		promises->dirty = false;
	return rc;
}

/*
 * The ends go first, and no promise is taken out of the other file before its end is on disk:
 * wherever this stops, each promise is in one file at least. Where it is in both it is open
 * (promise_load_ended()).
 */
int lw_promises_save(struct lw_promises *promises, struct lw_error *err)
{
	int rc = promise_save_ended(promises, err);

	return rc ? rc : promise_save_open(promises, err);
}

void lw_promises_tell(struct lw_promises *promises, uint32_t most, lw_promises_tell_f tell,
		      void *arg)
{
	for (uint32_t i = 0; i < promises->count && most; i++) {
		struct lw_promise *promise = &promises->entries[i];

		if (promise->told)
			continue;
		promise->told = tell(arg, promise);
		most--;
	}
}

void lw_promises_untell(struct lw_promises *promises, lw_promises_tell_f forget, void *arg)
{
	for (uint32_t i = 0; i < promises->count; i++) {
		(void)forget(arg, &promises->entries[i]);
		promises->entries[i].told = false;
	}
}

uint32_t lw_promises_count(const struct lw_promises *promises)
{
	return promises->count;
}

void lw_promises_totals(const struct lw_promises *promises, struct lw_promise_totals *ret_totals)
{
	*ret_totals = promises->totals;
}
