/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one planning cycle may cost before stock backfill takes over. */
#include "slurm/lock/budget.h"

#include <inttypes.h>
#include <stdio.h>

void lw_budget_begin(struct lw_budget *budget, uint64_t now_us, uint64_t limit_ms,
		     uint64_t limit_kib)
{
	*budget = (struct lw_budget){
		.begin_us = now_us,
		.limit_us = limit_ms * 1000,
		.limit_bytes = limit_kib * 1024,
	};
}

bool lw_budget_allows(struct lw_budget *budget, uint64_t now_us, uint64_t bytes)
{
	/* lw_budget_move() may put the beginning before 0 */
	int64_t passed_us = (int64_t)(now_us - budget->begin_us);
	uint64_t spent_us = passed_us > 0 ? (uint64_t)passed_us : 0;

	if (budget->over != LW_WITHIN_BUDGET)
		return false;
	if (spent_us > budget->limit_us) {
		budget->over = LW_OVER_TIME;
		budget->spent = spent_us;
	} else if (bytes > budget->limit_bytes) {
		budget->over = LW_OVER_MEMORY;
		budget->spent = bytes;
	}
	return budget->over == LW_WITHIN_BUDGET;
}

void lw_budget_move(struct lw_budget *budget, uint64_t from_us, uint64_t to_us)
{
	budget->begin_us += to_us - from_us;
}

void lw_budget_explain(const struct lw_budget *budget, char *text, size_t size)
{
	text[0] = '\0';
	if (budget->over == LW_OVER_TIME)
		snprintf(text, size,
			 "%" PRIu64 " ms of processor time, sched.budget_ms is %" PRIu64,
			 budget->spent / 1000, budget->limit_us / 1000);
	else if (budget->over == LW_OVER_MEMORY)
		snprintf(text, size, "%" PRIu64 " KiB of memory, sched.budget_kib is %" PRIu64,
			 budget->spent / 1024, budget->limit_bytes / 1024);
}
