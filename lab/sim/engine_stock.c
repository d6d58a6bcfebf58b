/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what starts jobs beside the planner, or in place of it: Slurm, as far as modelled. */
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

int lw_engine_let_stock(struct lw_engine *run, int64_t now_s)
{
	int rc = 0;

	while (!rc && lw_stock_next_s(run->stock) <= now_s) {
		rc = lw_stock_act(run->stock, run->snap, &run->plan);
		if (!rc)
			rc = lw_engine_obey(run, false);
	}
	run->agenda.wake_s = INT64_MAX;
	run->agenda.plan_s = lw_stock_next_s(run->stock);
	return rc;
}

int lw_engine_main_loop(struct lw_engine *run)
{
	int rc = lw_policy_cycle(run->hooks->main_loop, run->snap, &run->plan);

	if (!rc && run->hooks->gated)
		lw_engine_judge(run);
	return rc ? rc : lw_engine_obey(run, false);
}
