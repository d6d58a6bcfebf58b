/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start each waiting job was first promised, kept across restarts. */

/*
 * A sorted array: promised jobs are few (one or some at the head of the queue), and
 * the sorted file is the same for the same table. Includes nothing of Slurm, so that
 * it is unit-tested.
 */

#include "slurm/keep/promise.h"

#include "base/grow.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_KIND    "promises"
#define FILE_VERSION 1
/* Beyond these is no time (31,688 years) and no sum of ours, and additions do not overflow. */
#define TIME_MAX_S   INT64_C(1000000000000)
#define TOTAL_MAX    INT64_C(1000000000000000)

struct lw_promises {
	char *path;
	struct lw_statefile file;
	const struct lw_log *log;
	struct lw_promise *entries; /* by job_id */
	uint32_t count, room;
	struct lw_promise_totals totals;
	bool dirty;
};

/* Where JOB_ID is, or would be inserted. */
static uint32_t position(const struct lw_promises *promises, uint32_t job_id)
{
	uint32_t low = 0, high = promises->count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (promises->entries[mid].job_id < job_id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool is_at(const struct lw_promises *promises, uint32_t i, uint32_t job_id)
{
	return i < promises->count && promises->entries[i].job_id == job_id;
}

static int insert(struct lw_promises *promises, const struct lw_promise *promise)
{
	uint32_t i = position(promises, promise->job_id);

	if (is_at(promises, i, promise->job_id))
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

static void remove_at(struct lw_promises *promises, uint32_t i)
{
	promises->count--;
	memmove(promises->entries + i, promises->entries + i + 1,
		(promises->count - i) * sizeof(*promises->entries));
	promises->dirty = true;
}

/* Take WORD off the front of *line, if it comes next. */
static bool take_word(const char **line, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*line, word, len) != 0)
		return false;
	*line += len;
	return true;
}

/* A blank and a number of 0 to TOTAL_MAX. */
static bool take_total(const char **line, uint64_t *ret_total)
{
	return take_word(line, " ") && lw_number_take(line, TOTAL_MAX, ret_total);
}

static bool take_time(const char **line, int64_t *ret_time_s)
{
	return take_word(line, " ") &&
	       lw_number_take_signed(line, -TIME_MAX_S, TIME_MAX_S, ret_time_s);
}

static int parse_totals(struct lw_promises *promises, const char *line)
{
	struct lw_promise_totals totals;
	uint64_t late_s;

	if (!take_total(&line, &totals.made) || !take_total(&line, &totals.kept) ||
	    !take_total(&line, &totals.broken) || !take_total(&line, &totals.withdrawn) ||
	    !take_total(&line, &late_s) || *line)
		return -EBADMSG;
	totals.violation_s = (int64_t)late_s;
	promises->totals = totals;
	return 0;
}

static int parse_job(struct lw_promises *promises, const char *line)
{
	struct lw_promise promise = { 0 };
	uint64_t job_id;

	if (!take_word(&line, " ") || !lw_number_take(&line, UINT32_MAX, &job_id) ||
	    !take_time(&line, &promise.made_s) || !take_time(&line, &promise.start_s) ||
	    !take_time(&line, &promise.latest_s) || *line)
		return -EBADMSG;
	promise.job_id = (uint32_t)job_id;
	return insert(promises, &promise);
}

/* The first line is the totals, and no other is. */
static int parse_line(struct lw_promises *promises, const char *line, unsigned number)
{
	if (take_word(&line, "totals"))
		return number == 1 ? parse_totals(promises, line) : -EBADMSG;
	return take_word(&line, "job") ? parse_job(promises, line) : -EBADMSG;
}

/* TEXT is cut into lines. */
static int parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_promises *promises = arg;
	char *rest = text, *line;
	unsigned number = 0;

	if (memchr(text, '\0', size))
		return lw_error_set(err, -EBADMSG, "%s: a NUL byte in the payload",
				    promises->path);
	while ((line = strsep(&rest, "\n"))) {
		int rc;

		number++;
		if (!*line)
			continue;
		rc = parse_line(promises, line, number);
		if (!rc)
			continue;
		promises->count = 0;
		memset(&promises->totals, 0, sizeof(promises->totals));
		return lw_error_set(err, rc == -ENOMEM ? rc : -EBADMSG,
				    "%s: line %u of the payload is not a promise",
				    promises->path, number);
	}
	return 0;
}

static int load(struct lw_promises *promises, int64_t now_s)
{
	promises->file = (struct lw_statefile){ .path = promises->path,
						.kind = FILE_KIND,
						.version = FILE_VERSION,
						.what = "promises start",
						.log = promises->log };
	return lw_statefile_load(&promises->file, now_s, parse, promises);
}

int lw_promises_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_promises **ret_promises)
{
	struct lw_promises *promises = calloc(1, sizeof(*promises));
	int rc = -ENOMEM;

	if (!promises)
		return -ENOMEM;
	promises->log = log;
	promises->path = strdup(path);
	if (promises->path)
		rc = load(promises, now_s);
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
	free(promises->path);
	free(promises->entries);
	free(promises);
}

const struct lw_promise *lw_promises_find(const struct lw_promises *promises, uint32_t job_id)
{
	uint32_t i = position(promises, job_id);

	return is_at(promises, i, job_id) ? &promises->entries[i] : NULL;
}

void lw_promises_begin(struct lw_promises *promises)
{
	for (uint32_t i = 0; i < promises->count; i++)
		promises->entries[i].seen = false;
}

void lw_promises_seen(struct lw_promises *promises, uint32_t job_id)
{
	uint32_t i = position(promises, job_id);

	if (is_at(promises, i, job_id))
		promises->entries[i].seen = true;
}

void lw_promises_started(struct lw_promises *promises, uint32_t job_id, int64_t start_s)
{
	uint32_t i = position(promises, job_id);
	struct lw_promise *promise;
	int64_t late_s, moved_s;

	if (!is_at(promises, i, job_id) || start_s < promises->entries[i].made_s)
		return;
	promise = &promises->entries[i];
	late_s = start_s - promise->latest_s;
	moved_s = start_s - promise->start_s;
	if (late_s <= LW_PROMISE_GRACE_S) {
		promises->totals.kept++;
		lw_log_info(promises->log,
			    "promise to job %u kept: started %" PRId64
			    " s %s than first promised",
			    job_id, moved_s < 0 ? -moved_s : moved_s,
			    moved_s <= 0 ? "earlier" : "later");
	} else {
		promises->totals.broken++;
		promises->totals.violation_s += late_s;
		if (promises->totals.violation_s > TOTAL_MAX)
			promises->totals.violation_s = TOTAL_MAX;
		lw_log_warn(promises->log,
			    "promise to job %u broken: started %" PRId64
			    " s after the latest promised start",
			    job_id, late_s);
	}
	remove_at(promises, i);
}

int lw_promises_make(struct lw_promises *promises, const struct lw_promise *promise)
{
	struct lw_promise made = *promise;
	int rc;

	made.seen = true;
	rc = insert(promises, &made);
	if (rc)
		return rc == -EEXIST ? 0 : rc;
	promises->totals.made++;
	promises->dirty = true;
	return 0;
}

static void withdraw(struct lw_promises *promises, uint32_t job_id)
{
	uint32_t i = position(promises, job_id);

	if (!is_at(promises, i, job_id))
		return;
	lw_log_debug(promises->log, "promise to job %u withdrawn: it waits no more", job_id);
	promises->totals.withdrawn++;
	remove_at(promises, i);
}

bool lw_promises_any_unseen(const struct lw_promises *promises)
{
	for (uint32_t i = 0; i < promises->count; i++) {
		if (!promises->entries[i].seen)
			return true;
	}
	return false;
}

void lw_promises_end(struct lw_promises *promises)
{
	uint32_t i = 0;

	while (i < promises->count) {
		if (promises->entries[i].seen)
			i++;
		else
			withdraw(promises, promises->entries[i].job_id);
	}
}

static void print(const struct lw_promises *promises, struct lw_strbuf *out)
{
	const struct lw_promise_totals *totals = &promises->totals;

	lw_strbuf_add(out, "totals %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64 "\n",
		      totals->made, totals->kept, totals->broken, totals->withdrawn,
		      totals->violation_s);
	for (uint32_t i = 0; i < promises->count; i++) {
		const struct lw_promise *promise = &promises->entries[i];

		lw_strbuf_add(out, "job %u %" PRId64 " %" PRId64 " %" PRId64 "\n",
			      promise->job_id, promise->made_s, promise->start_s,
			      promise->latest_s);
	}
}

int lw_promises_save(struct lw_promises *promises, struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc;

	if (!promises->dirty)
		return 0;
	print(promises, &out);
	if (out.error)
		rc = lw_error_set(err, out.error, "out of memory");
	else
		rc = lw_statefile_save(&promises->file, out.text, out.len, err);
	lw_strbuf_fini(&out);
	if (!rc)
		promises->dirty = false;
	return rc;
}

uint32_t lw_promises_count(const struct lw_promises *promises)
{
	return promises->count;
}

void lw_promises_totals(const struct lw_promises *promises, struct lw_promise_totals *ret_totals)
{
	*ret_totals = promises->totals;
}
