/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what becomes of a promised start: one definition for all code that counts. */
#ifndef LW_BASE_PROMISE_H
#define LW_BASE_PROMISE_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * doc/dev/planner.md has the definitions, doc/dev/format-promises.txt the file. Slurm checks
 * time limits every 30 seconds and gives a job time to clean up. So a start up to
 * LW_PROMISE_GRACE_S after a moment counts as by that moment.
 */
#define LW_PROMISE_GRACE_S 60

#define LW_PROMISE_FILE_KIND    "promises"
#define LW_PROMISE_FILE_VERSION 2

struct lw_promise {
	uint32_t job_id; /* of an array: its id; the promise is for its next task */
	int64_t made_s;
	int64_t start_s;  /* as first shown; never moves */
	int64_t latest_s; /* the latest start, which is the promise; never moves */
	uint32_t nodes;   /* number of nodes that it could use when the promise was made; 0:
			   * not known */
	/* for keep/promise.c: the job was ready in this cycle; its user was told */
	bool seen, told;
};

/* How a promise ends. All ends after BROKEN mean withdrawn. */
enum lw_promise_end {
	LW_PROMISE_KEPT,      /* started by the start first shown */
	LW_PROMISE_LATER,     /* also kept: after the start first shown, but by the latest
			       * start */
	LW_PROMISE_BROKEN,    /* started after the latest start */
	LW_PROMISE_CANCELLED, /* cancelled before it started */
	LW_PROMISE_HELD,      /* held, or waits for something other than room */
	LW_PROMISE_LOST,      /* nodes that it was based on are gone, and it cannot start by
			       * then */
};

/* Made is the sum of kept, broken, withdrawn and open promises. */
struct lw_promise_totals {
	uint64_t made;
	uint64_t kept; /* among them later */
	uint64_t later;
	uint64_t broken;
	uint64_t cancelled, held, lost; /* together: withdrawn */
	int64_t late_s;                 /* of broken ones, after their latest start */
};

/*
 * A total, or a sum of totals, is at most the first; no time is beyond plus or minus the second.
 */
#define LW_PROMISE_TOTAL_MAX  INT64_C(1000000000000000)
#define LW_PROMISE_TIME_MAX_S INT64_C(1000000000000)

/* The end of a promise of START_S, at the latest LATEST_S, by a start at STARTED_S. */
enum lw_promise_end lw_promise_judge(int64_t start_s, int64_t latest_s, int64_t started_s);

/* By how much a job that started at STARTED_S missed its latest start, LATEST_S; 0: not late. */
int64_t lw_promise_late_s(int64_t latest_s, int64_t started_s);

/* Count one more that ended so; LATE_S of a broken one. */
void lw_promise_count(struct lw_promise_totals *totals, enum lw_promise_end end, int64_t late_s);

uint64_t lw_promise_withdrawn(const struct lw_promise_totals *totals);

/* "cancelled", "held", ... for the log; never NULL. */
const char *lw_promise_end_text(enum lw_promise_end end);

/* Gets the open promises of a file. 0, -EEXIST: the job has one already, or -ENOMEM. */
struct lw_promise_taker {
	int (*take)(void *arg, const struct lw_promise *promise);
	void *arg;
};

/*
 * Read the payload of a promise file, of this version or the one before. The older version does
 * not say which promises were kept later, and why others were withdrawn: these count as held.
 * TEXT is cut into pieces; PATH is for ERR. -EBADMSG: a line is wrong; -ENOMEM.
 */
int lw_promise_parse(char *text, size_t size, const char *path,
		     const struct lw_promise_taker *taker, struct lw_promise_totals *ret_totals,
		     struct lw_error *err);

/* Append the line of the totals, and that of an open promise. */
void lw_promise_print_totals(const struct lw_promise_totals *totals, struct lw_strbuf *out);
void lw_promise_print(const struct lw_promise *promise, struct lw_strbuf *out);

/*
 * Read the promise file at PATH: lw_savefile_read() of base/savefile.h, then lw_promise_parse().
 */
int lw_promise_read(const char *path, const struct lw_promise_taker *taker,
		    struct lw_promise_totals *ret_totals, struct lw_error *err);

/*
 * The totals of the file at PATH, and the number of open promises. -ENOENT: no file; -EBADMSG,
 * -ENOTSUP: it is damaged, or of a later version.
 */
int lw_promise_read_totals(const char *path, struct lw_promise_totals *ret_totals,
			   uint32_t *ret_open, struct lw_error *err);

#endif
