/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job that lends its GPU leave it idle, and must a guest there go? */
#ifndef LW_RECORD_LEND_H
#define LW_RECORD_LEND_H

#include <stdbool.h>
#include <stdint.h>

/* A job works if it has the GPU busy for more percent of a reading. */
#define LW_LEND_BUSY 10
/* A guest goes after so many readings in a row without knowledge of others. */
#define LW_LEND_BLIND 3

/* How long it has been idle. Zeroed: not known to be idle. */
struct lw_lend {
	bool quiet;
	int64_t since_s;
};

/*
 * The owner had the GPU busy for UTIL percent at NOW_S, if KNOWN. Was it at most LW_LEND_BUSY at
 * each reading for AFTER_S by now? If the clock is set back, the time begins anew.
 */
bool lw_lend_is_idle(struct lw_lend *lend, uint32_t after_s, int64_t now_s, bool known,
		     uint32_t util);

/* What a guest sees of its GPU at a reading. */
struct lw_guest_view {
	uint32_t neighbours;
	bool known;	/* is it known what others do there? */
	uint32_t others; /* their use, percent of the time */
};

enum lw_guest_verdict {
	LW_GUEST_STAYS,
	LW_GUEST_OWNER_WORKS,
	LW_GUEST_OWNER_GONE,
	LW_GUEST_BLIND,
};

/* Must the guest go? *BLIND counts the readings in a row in which others were not known. */
enum lw_guest_verdict lw_guest_judge(uint32_t *blind, const struct lw_guest_view *view);

#endif
