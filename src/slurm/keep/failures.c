/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that lost a node while they ran, and were requeued for it. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/failures.h"

#include "base/grow.h"
#include "base/number.h"
#include "base/quota.h"
#include "base/search.h"
#include "base/strbuf.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILURES_KIND    "failures"
#define FAILURES_VERSION 1
/* No time is beyond. */
#define FAILURES_TIME_MAX_S INT64_C(1000000000000)

struct lw_failures {
	struct lw_statefile file;
	struct lw_failure *items; /* by job_id */
	uint32_t count, room;
	bool dirty;
};

static uint32_t failures_position(const struct lw_failures *failures, uint32_t job_id)
{
	uint32_t at;

	LW_SEARCH(at, failures->count, failures->items[at].job_id < job_id);
	return at;
}

struct lw_failure *lw_failures_find(struct lw_failures *failures, uint32_t job_id)
{
	uint32_t at = failures ? failures_position(failures, job_id) : 0;

	return failures && at < failures->count && failures->items[at].job_id == job_id
		       ? &failures->items[at]
		       : NULL;
}

struct lw_failure *lw_failures_at(struct lw_failures *failures, uint32_t i)
{
	return &failures->items[i];
}

uint32_t lw_failures_count(const struct lw_failures *failures)
{
	return failures->count;
}

static uint32_t failures_of_user(const struct lw_failures *failures, uint32_t user)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < failures->count; i++)
		count += failures->items[i].user == user;
	return count;
}

/* In a table that is half full no user has more than a share. */
static bool failures_admit(const struct lw_failures *failures, uint32_t user)
{
	return failures->count < LW_FAILURES_MAX / 2 ||
	       (failures->count < LW_FAILURES_MAX &&
		failures_of_user(failures, user) < lw_quota(LW_FAILURES_MAX));
}

/* A fresh entry, in its place; NULL: no memory. */
static struct lw_failure *failures_insert(struct lw_failures *failures, uint32_t job_id,
					  uint32_t user)
{
	uint32_t at = failures_position(failures, job_id);

	if (lw_grow((void **)&failures->items, &failures->room, failures->count + 1,
		    sizeof(*failures->items)))
		return NULL;
	memmove(failures->items + at + 1, failures->items + at,
		(failures->count - at) * sizeof(*failures->items));
	failures->items[at] = (struct lw_failure){ .job_id = job_id, .user = user };
	failures->count++;
	return &failures->items[at];
}

/* The place of NODE in the entry, or a free one, or that of the node that failed first. */
static struct lw_failed_node *failures_place(struct lw_failure *failure, const char *node)
{
	struct lw_failed_node *oldest = failure->nodes;

	for (uint32_t i = 0; i < failure->node_count; i++) {
		if (!strcmp(failure->nodes[i].name, node))
			return &failure->nodes[i];
		if (failure->nodes[i].failed_s < oldest->failed_s)
			oldest = &failure->nodes[i];
	}
	if (failure->node_count < LW_FAILURE_NODES_MAX)
		return &failure->nodes[failure->node_count++];
	return oldest;
}

static void failures_add_node(struct lw_failure *failure, const char *node, int64_t failed_s)
{
	struct lw_failed_node *place;

	if (!node || !*node || strlen(node) >= LW_FAILURE_NAME_MAX)
		return;
	place = failures_place(failure, node);
	snprintf(place->name, sizeof(place->name), "%s", node);
	place->failed_s = failed_s;
	place->number = LW_FAILURE_NO_NODE;
}

/* Count one more, in a day that begins with the first. */
static void failures_count_try(struct lw_failure *failure, int64_t failed_s)
{
	if (!failure->tries || failed_s - failure->since_s >= LW_FAILURE_DAY_S) {
		failure->since_s = failed_s;
		failure->tries = 0;
	}
	failure->tries++;
	failure->failed_s = failed_s;
	failure->state = LW_FAILURE_DUE;
}

struct lw_failure *lw_failures_note(struct lw_failures *failures, uint32_t job_id, uint32_t user,
				    int64_t failed_s, const char *node)
{
	struct lw_failure *failure = lw_failures_find(failures, job_id);

	/* a number may have been another user's before */
	if (failure && failure->user != user)
		*failure = (struct lw_failure){ .job_id = job_id, .user = user };
	if (!failure && failures_admit(failures, user))
		failure = failures_insert(failures, job_id, user);
	if (!failure)
		return NULL;
	if (failure->state != LW_FAILURE_DUE || failure->failed_s != failed_s)
		failures_count_try(failure, failed_s);
	failures_add_node(failure, node, failed_s);
	failures->dirty = true;
	return failure;
}

void lw_failures_set(struct lw_failures *failures, struct lw_failure *failure,
		     enum lw_failure_state state)
{
	failures->dirty |= failure->state != state;
	failure->state = state;
}

/* Forget old nodes; false: no failure of the day is left. */
static bool failures_is_young(struct lw_failures *failures, struct lw_failure *failure,
			      int64_t now_s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < failure->node_count; i++)
		if (now_s - failure->nodes[i].failed_s < LW_FAILURE_DAY_S)
			failure->nodes[kept++] = failure->nodes[i];
	failures->dirty |= kept != failure->node_count;
	failure->node_count = kept;
	return now_s - failure->failed_s < LW_FAILURE_DAY_S;
}

void lw_failures_expire(struct lw_failures *failures, int64_t now_s, lw_failures_gone_f gone,
			void *arg)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < failures->count; i++) {
		struct lw_failure *failure = &failures->items[i];

		if (failures_is_young(failures, failure, now_s) && !gone(arg, failure))
			failures->items[kept++] = *failure;
	}
	failures->dirty |= kept != failures->count;
	failures->count = kept;
}

void lw_failures_clear(struct lw_failures *failures)
{
	failures->dirty |= failures->count != 0;
	failures->count = 0;
}

/* ---- the file ---- */

/* " NODE 1700000000", as often as there are nodes */
static bool failures_parse_nodes(const char *at, struct lw_failure *failure)
{
	const uint64_t most = FAILURES_TIME_MAX_S;

	while (*at) {
		size_t len = *at == ' ' ? strcspn(at + 1, " ") : 0;
		char name[LW_FAILURE_NAME_MAX];
		uint64_t failed_s;

		if (!len || len >= sizeof(name) || failure->node_count >= LW_FAILURE_NODES_MAX)
			return false;
		memcpy(name, at + 1, len);
		name[len] = '\0';
		at += 1 + len;
		if (!lw_number_take_row(&at, &most, 1, &failed_s))
			return false;
		failures_add_node(failure, name, (int64_t)failed_s);
	}
	return true;
}

/* "job 123 1000 1700000000 1700000000 1 2 n1 1700000000" */
static bool failures_parse_line(const char *line, struct lw_failure *ret_failure)
{
	const uint64_t most[] = { UINT32_MAX,          UINT32_MAX, FAILURES_TIME_MAX_S,
				  FAILURES_TIME_MAX_S, UINT32_MAX, LW_FAILURE_OPEN };
	uint64_t value[6];

	if (strncmp(line, "job", 3))
		return false;
	line += 3;
	if (!lw_number_take_row(&line, most, 6, value))
		return false;
	*ret_failure = (struct lw_failure){ .job_id = (uint32_t)value[0],
					    .user = (uint32_t)value[1],
					    .failed_s = (int64_t)value[2],
					    .since_s = (int64_t)value[3],
					    .tries = (uint32_t)value[4],
					    .state = (enum lw_failure_state)value[5] };
	return value[0] && value[4] && failures_parse_nodes(line, ret_failure);
}

static int failures_parse_job(struct lw_failures *failures, const char *line,
			      struct lw_error *err)
{
	struct lw_failure failure, *entry;

	if (!failures_parse_line(line, &failure) || lw_failures_find(failures, failure.job_id))
		return lw_error_set(err, -EBADMSG, "%s: a line is wrong: %s", failures->file.path,
				    line);
	if (failures->count >= LW_FAILURES_MAX)
		return lw_error_set(err, -EBADMSG, "%s: too many lines", failures->file.path);
	entry = failures_insert(failures, failure.job_id, failure.user);
	if (!entry)
		return -ENOMEM;
	*entry = failure;
	return 0;
}

static int failures_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_failures *failures = arg;
	char *rest = text, *line;
	int rc = 0;

	(void)size;
	while (!rc && (line = strsep(&rest, "\n")))
		rc = *line ? failures_parse_job(failures, line, err) : 0;
	if (rc)
		failures->count = 0;
	return rc;
}

int lw_failures_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_failures **ret_failures)
{
	struct lw_failures *failures = calloc(1, sizeof(*failures));
	int rc;

	if (!failures)
		return -ENOMEM;
	failures->file = (struct lw_statefile){ .kind = FAILURES_KIND,
						.version = FAILURES_VERSION,
						.what = "jobs that lost a node start",
						.log = log };
	rc = lw_statefile_load(&failures->file, path, now_s, failures_parse, failures);
	if (rc) {
		lw_failures_destroy(failures);
		return rc;
	}
	*ret_failures = failures;
	return 0;
}

void lw_failures_destroy(struct lw_failures *failures)
{
	if (!failures)
		return;
	lw_statefile_fini(&failures->file);
	free(failures->items);
	free(failures);
}

static void failures_print(const struct lw_failure *failure, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "job %" PRIu32 " %" PRIu32 " %" PRId64 " %" PRId64 " %" PRIu32 " %d",
		      failure->job_id, failure->user, failure->failed_s, failure->since_s,
		      failure->tries, (int)failure->state);
	for (uint32_t i = 0; i < failure->node_count; i++)
		lw_strbuf_add(out, " %s %" PRId64, failure->nodes[i].name,
			      failure->nodes[i].failed_s);
	lw_strbuf_add(out, "\n");
}

int lw_failures_save(struct lw_failures *failures, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!failures->dirty)
		return 0;
	for (uint32_t i = 0; i < failures->count; i++)
		failures_print(&failures->items[i], &text);
	rc = text.error
		     ? lw_error_set(err, text.error, "out of memory")
		     : lw_statefile_save(&failures->file, lw_strbuf_text(&text), text.len, err);
	lw_strbuf_fini(&text);
	if (!rc)
		failures->dirty = false;
	return rc;
}
