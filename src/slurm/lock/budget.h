/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one planning cycle may cost before stock backfill takes over. */
#ifndef LW_SLURM_BUDGET_H
#define LW_SLURM_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lw_overrun {
	LW_WITHIN_BUDGET,
	LW_OVER_TIME,
	LW_OVER_MEMORY,
};

/*
 * Time is the processor time of the thread that works on the cycle: waits for a lock, or for a
 * processor on a busy machine, do not count.
 */
struct lw_budget {
	uint64_t begin_us, limit_us;
	uint64_t limit_bytes;
	enum lw_overrun over; /* what was overrun first; does not change */
	uint64_t spent;	      /* us or bytes at that moment */
};

void lw_budget_begin(struct lw_budget *budget, uint64_t now_us, uint64_t limit_ms,
		     uint64_t limit_kib);

/* Is the budget kept at NOW_US with BYTES of memory? Once overrun, it stays so. */
bool lw_budget_allows(struct lw_budget *budget, uint64_t now_us, uint64_t bytes);

/* Another thread goes on with the cycle: FROM_US on the clock so far is TO_US on its own. */
void lw_budget_move(struct lw_budget *budget, uint64_t from_us, uint64_t to_us);

/* "12 ms of processor time, sched.budget_ms is 1"; empty within the budget. */
void lw_budget_explain(const struct lw_budget *budget, char *text, size_t size);

#endif
