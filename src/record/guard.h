/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether a job must be warned, or leave, for what its GPU is used for by others. */
#ifndef LW_RECORD_GUARD_H
#define LW_RECORD_GUARD_H

#include "base/sharemark.h"

#include <stdbool.h>
#include <stdint.h>

/* What a tenant sees of its GPU. */
struct lw_guard_view {
	bool has_memory;
	uint32_t used_mib, total_mib; /* by all tenants; 0 in total: not known */
	uint32_t neighbours;
	bool newest; /* it came after all neighbours */
};

enum lw_guard_act {
	LW_GUARD_NOTHING,
	LW_GUARD_WARN,
	LW_GUARD_LEAVE,
};

/*
 * What a job with MARK, which opted in to share, must do: at the mark's mem_hard the newest
 * tenant leaves, at mem_warn it is warned. A job that is alone, or not the newest, goes on.
 * Pure.
 */
enum lw_guard_act lw_guard_judge(const struct lw_sharemark *mark,
				 const struct lw_guard_view *view);

/* A tenant that keeps a GPU busy for more percent of a reading works. */
#define LW_LEND_BUSY 10
/* A guest that could not see so many readings in a row goes. */
#define LW_LEND_BLIND 3

/* How long it has been idle. Zeroed: it is not known to be. */
struct lw_lend {
	bool quiet;
	int64_t since_s;
};

/*
 * The lender had the GPU busy for UTIL percent at NOW_S, if that is KNOWN. Was it at
 * most LW_LEND_BUSY at each reading for AFTER_S by now? A clock that is set back begins anew.
 */
bool lw_lend_is_idle(struct lw_lend *lend, uint32_t after_s, int64_t now_s, bool known,
		     uint32_t util);

/* What a guest sees of its GPU at a reading. */
struct lw_guest_view {
	uint32_t neighbours;
	bool known;      /* what others do there */
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
