/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether who lends a GPU leaves it idle, and whether a guest there has to go. */
#ifndef LW_RECORD_LEND_H
#define LW_RECORD_LEND_H

#include <stdbool.h>
#include <stdint.h>

/* Who has a GPU busy for more percent of a reading works. */
#define LW_LEND_BUSY 10
/* A guest that could not see so many readings in a row goes. */
#define LW_LEND_BLIND 3

/* How long it has been idle. Zeroed: it is not known to be. */
struct lw_lend {
	bool quiet;
	int64_t since_s;
};

/*
 * Who lends had the GPU busy for UTIL percent at NOW_S, or nobody knows (not KNOWN). Was it at most
 * LW_LEND_BUSY at each reading for AFTER_S by now? A clock that is set back begins anew.
 */
bool lw_lend_is_idle(struct lw_lend *lend, uint32_t after_s, int64_t now_s, bool known,
		     uint32_t util);

/* What a guest sees of its GPU at a reading. */
struct lw_guest_view {
	uint32_t neighbours;
	bool known;	/* what others do there */
	uint32_t others; /* percent of the time */
};

enum lw_guest_verdict {
	LW_GUEST_STAYS,
	LW_GUEST_OWNER_WORKS,
	LW_GUEST_OWNER_GONE,
	LW_GUEST_BLIND,
};

/* Has it to go? *BLIND counts the readings in a row in which nothing was known of others. */
enum lw_guest_verdict lw_guest_judge(uint32_t *blind, const struct lw_guest_view *view);

#endif
