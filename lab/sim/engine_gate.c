/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simulator: what the last plan lets the main loop start. */
#include "lab/sim/engine_state.h"

/*
 * As the select plugin judges (slurm/select/admit.h), but that Slurm would try a job on other nodes
 * where the first ones are kept from it.
 */
static bool is_let(struct lw_engine *run, const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(&run->plan, decision);
	const struct lw_waiting *job = &run->snap->waiting[decision->waiting];
	const struct lw_gate_start start = { .job_id = job->job_id,
					     .tier = job->constraints.tier,
					     .end_s = lw_waiting_end_s(job, run->snap->now_s),
					     .by_turn = true };

	if (lw_gate_holds(&run->gate, &start))
		return false;
	for (uint32_t i = 0; i < decision->alloc_count; i++)
		if (lw_gate_harms(&run->gate, &start, allocs[i].node, &allocs[i].res))
			return false;
	for (uint32_t i = 0; i < decision->alloc_count; i++)
		lw_gate_began(&run->gate, &start, allocs[i].node, &allocs[i].res);
	lw_gate_started(&run->gate, start.job_id);
	return true;
}

/* Behind a job that it cannot start the main loop starts none of the same partition. */
void lw_engine_judge(struct lw_engine *run)
{
	bool blocked = false;

	for (uint32_t i = 0; i < run->plan.decision_count; i++) {
		struct lw_decision *decision = &run->plan.decisions[i];

		if (decision->verdict != LW_START)
			continue;
		blocked = blocked || !is_let(run, decision);
		if (blocked)
			decision->verdict = LW_WAIT;
	}
}
