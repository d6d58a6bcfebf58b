/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last promises that ended, for reports. */
#ifndef LW_BASE_PROMISE_ENDED_H
#define LW_BASE_PROMISE_ENDED_H

#include "base/promise.h"

/* doc/dev/format-promises.txt has the file. */
#define LW_PROMISE_ENDED_KIND    "promises-ended"
#define LW_PROMISE_ENDED_VERSION 1
#define LW_PROMISE_ENDED_MAX     200

struct lw_promise_ended {
	struct lw_promise promise;
	enum lw_promise_end end;
	int64_t started_s; /* 0: it was withdrawn */
};

/* The newest LW_PROMISE_ENDED_MAX. All zero is empty. */
struct lw_promise_ring {
	struct lw_promise_ended ended[LW_PROMISE_ENDED_MAX];
	uint32_t count, next; /* next: the place of the next one; once full, of the oldest */
};

void lw_promise_ring_add(struct lw_promise_ring *ring, const struct lw_promise_ended *ended);
/* Number I, 0 the newest; below ring->count. */
const struct lw_promise_ended *lw_promise_ring_at(const struct lw_promise_ring *ring, uint32_t i);

/*
 * Remove PROMISE, which is open, from RING: it ended, but only the first of the two files was
 * written.
 */
void lw_promise_ring_drop(struct lw_promise_ring *ring, const struct lw_promise *promise);

/* Append the payload of a save file, the oldest first. */
void lw_promise_ring_print(const struct lw_promise_ring *ring, struct lw_strbuf *out);
/* Read it back; TEXT is cut into pieces. -EBADMSG with ERR; RING is then empty. */
int lw_promise_ring_parse(struct lw_promise_ring *ring, char *text, size_t size, const char *path,
			  struct lw_error *err);

#endif
