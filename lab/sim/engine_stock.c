/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a run tells a model of Slurm. */
#include "lab/sim/engine_state.h"

void lw_engine_tell_stock(struct lw_engine *run, int64_t now_s)
{
	unsigned events = 0;

	if (run->agenda.submitted != run->told_submitted)
		events |= LW_STOCK_SUBMITTED;
	else
		events |= LW_STOCK_FREED;
	if (run->finished != run->told_finished)
		events |= LW_STOCK_FREED;
	run->told_submitted = run->agenda.submitted;
	run->told_finished = run->finished;
	lw_stock_heed(run->stock, now_s, events);
	run->agenda.plan_s = lw_stock_next_s(run->stock);
}
