/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which links of chains in a run are too many to be planned. */
#include "lab/sim/engine_state.h"

#include "planner/cycle/chain.h"

bool lw_engine_is_beyond(const struct lw_engine *run, uint32_t index)
{
	const struct lw_sim_job *job = &run->jobs[index];
	const struct lw_snapshot *snap = run->snap;
	struct lw_chain_widths widths;
	struct lw_scale scale;

	if (!run->hooks->bounds)
		return false;
	lw_scale_init(&scale, snap);
	widths.user = widths.all = lw_width(&scale, &job->request);
	for (uint32_t i = 0; i < snap->queue.count; i++) {
		const struct lw_waiting *other = &snap->waiting[snap->queue.order[i]];
		double width = lw_width(&scale, &other->request);

		if (!lw_snapshot_awaited(snap, &other->constraints))
			continue;
		widths.all += width;
		widths.user += other->user_id == job->user ? width : 0;
	}
	return lw_chain_is_beyond(run->hooks->bounds, &scale, snap, job->limit_s, &widths);
}
