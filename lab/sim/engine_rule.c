/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a user of a run that submits the next link of a chain by the published start. */
#include "lab/sim/engine_state.h"

#include "planner/model/snapshot_step.h"

#include <errno.h>

/*
 * The rule that a user of stock Slurm can follow: while one link runs, ask every LOOK_S what start
 * squeue --start would show for the next one, were it submitted now; submit it, bound to nothing,
 * when that is no earlier than the end of the running one by its limit. What is shown goes by
 * limits and the whole queue, as conservative backfilling has it, which is how Slurm's plugin
 * comes by it. So it is nearly always too late, and the link begins too early: the two run beside
 * each other for a while.
 */
#define LOOK_S 600

/* Nothing is asked for what never fits: it is submitted, as one would. */
static int64_t start_of(const struct lw_plan *plan, uint32_t place, int64_t now_s)
{
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->waiting == place && decision->verdict == LW_START)
			return now_s;
		if (decision->waiting == place && decision->verdict == LW_RESERVE)
			return decision->start_s;
	}
	return INT64_MAX;
}

/* As if it were submitted, for the time of one plan. */
static int find_shown(struct lw_engine *run, uint32_t index, int64_t now_s, int64_t *ret_start_s)
{
	struct lw_waiting waiting = lw_engine_waiting(run, index, now_s, UINT32_MAX);
	uint32_t put_behind = run->put_behind, place;
	struct lw_error err;
	int rc;

	rc = lw_snapshot_insert_waiting(run->snap, &waiting, lw_engine_seq(run, index), &place,
					&err);
	run->put_behind = put_behind;
	if (rc)
		return -ENOMEM;
	rc = lw_policy_cycle(run->hooks->shown, run->snap, &run->shown);
	if (!rc)
		*ret_start_s = start_of(&run->shown, place, now_s);
	return lw_snapshot_remove_waiting(run->snap, place) ? -ENOMEM : rc;
}

int lw_engine_look(struct lw_engine *run, uint32_t index, int64_t now_s, uint32_t after)
{
	const struct lw_sim_job *before = &run->jobs[after];
	int64_t shown_s = now_s;
	int rc = find_shown(run, index, now_s, &shown_s);

	if (rc)
		return rc;
	if (shown_s >= before->start_s + before->limit_s)
		return lw_engine_queue(run, index, now_s, UINT32_MAX);
	return lw_chain_ripen(&run->chain, index, now_s + LOOK_S);
}
