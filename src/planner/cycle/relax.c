/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a promised start may slip. */
#include "planner/cycle/relax.h"

int64_t lw_relax_slack(const struct lw_policy_params *params, uint32_t queued,
		       int64_t submit_s, int64_t promise_s)
{
	bool leeway = lw_policy_has(params->kind, LW_DEADLINES);
	int64_t cap_s = leeway ? params->slack_cap_s : params->relax_cap_s;
	double slack;

	if (!lw_policy_has(params->kind, LW_SLIPS) || promise_s <= submit_s)
		return 0;
	slack = (leeway ? params->slack : params->relax) * (double)(promise_s - submit_s);
	if (lw_policy_has(params->kind, LW_SLIPS_BY_QUEUE) && queued < LW_RELAX_QUEUE_FULL)
		slack = slack * queued / LW_RELAX_QUEUE_FULL;
	if (slack >= (double)cap_s)
		return cap_s;
	/* the only rounding: down, so that the factor is a bound */
	return (int64_t)slack;
}

int64_t lw_relax_latest(const struct lw_policy_params *params, uint32_t queued,
			int64_t submit_s, int64_t promise_s)
{
	int64_t latest_s = promise_s + lw_relax_slack(params, queued, submit_s, promise_s);

	if (lw_policy_has(params->kind, LW_DEADLINES) && params->price > 0)
		latest_s += params->risk_cap_s;
	return latest_s;
}
