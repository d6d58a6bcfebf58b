/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last promises that ended, for reports. */
#include "base/promise_ended.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FIELDS 7

void lw_promise_ring_add(struct lw_promise_ring *ring, const struct lw_promise_ended *ended)
{
	ring->ended[ring->next] = *ended;
	ring->next = (ring->next + 1) % LW_PROMISE_ENDED_MAX;
	if (ring->count < LW_PROMISE_ENDED_MAX)
		ring->count++;
}

const struct lw_promise_ended *lw_promise_ring_at(const struct lw_promise_ring *ring, uint32_t i)
{
	return &ring->ended[(ring->next + LW_PROMISE_ENDED_MAX - 1 - i) % LW_PROMISE_ENDED_MAX];
}

/* The next task of an array may be promised a start in the same second. */
static bool promise_ended_is_same(const struct lw_promise *a, const struct lw_promise *b)
{
	return a->job_id == b->job_id && a->made_s == b->made_s && a->start_s == b->start_s;
}

static bool promise_ended_has(const struct lw_promise_ring *ring,
			      const struct lw_promise *promise)
{
	for (uint32_t i = 0; i < ring->count; i++) {
		if (promise_ended_is_same(&ring->ended[i].promise, promise))
			return true;
	}
	return false;
}

void lw_promise_ring_drop(struct lw_promise_ring *ring, const struct lw_promise *promise)
{
	struct lw_promise_ring all;

	if (!promise_ended_has(ring, promise))
		return;
	all = *ring;
	memset(ring, 0, sizeof(*ring));
	for (uint32_t i = all.count; i > 0; i--) {
		const struct lw_promise_ended *ended = lw_promise_ring_at(&all, i - 1);

		if (!promise_ended_is_same(&ended->promise, promise))
			lw_promise_ring_add(ring, ended);
	}
}

void lw_promise_ring_print(const struct lw_promise_ring *ring, struct lw_strbuf *out)
{
	for (uint32_t i = ring->count; i > 0; i--) {
		const struct lw_promise_ended *ended = lw_promise_ring_at(ring, i - 1);

		lw_strbuf_add(out,
			      "ended %" PRIu32 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32
			      " %d %" PRId64 "\n",
			      ended->promise.job_id, ended->promise.made_s,
			      ended->promise.start_s, ended->promise.latest_s,
			      ended->promise.nodes, (int)ended->end, ended->started_s);
	}
}

static int promise_ended_take_line(struct lw_promise_ring *ring, const char *line)
{
	struct lw_promise_ended ended = { 0 };
	int64_t n[FIELDS];

	if (strncmp(line, "ended", 5) != 0)
		return -EBADMSG;
	line += 5;
	for (int i = 0; i < FIELDS; i++) {
		if (*line++ != ' ' || !lw_number_take_signed(&line, -LW_PROMISE_TIME_MAX_S,
							     LW_PROMISE_TIME_MAX_S, &n[i]))
			return -EBADMSG;
	}
	if (*line || n[0] < 0 || n[0] > UINT32_MAX || n[4] < 0 || n[4] > UINT32_MAX || n[5] < 0 ||
	    n[5] > LW_PROMISE_LOST)
		return -EBADMSG;
	ended.promise = (struct lw_promise){ .job_id = (uint32_t)n[0],
					     .made_s = n[1],
					     .start_s = n[2],
					     .latest_s = n[3],
					     .nodes = (uint32_t)n[4] };
	ended.end = (enum lw_promise_end)n[5];
	ended.started_s = n[6];
	lw_promise_ring_add(ring, &ended);
	return 0;
}

int lw_promise_ring_parse(struct lw_promise_ring *ring, char *text, size_t size, const char *path,
			  struct lw_error *err)
{
	char *rest = text, *line;
	unsigned number = 0;
	int rc = memchr(text, '\0', size) ? -EBADMSG : 0;

	memset(ring, 0, sizeof(*ring));
	while (!rc && (line = strsep(&rest, "\n"))) {
		number++;
		rc = *line ? promise_ended_take_line(ring, line) : 0;
	}
	if (!rc)
		return 0;
	memset(ring, 0, sizeof(*ring));
	return lw_error_set(err, rc, "%s: line %u of the payload is not an ended promise", path,
			    number);
}
