/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the SchedulerParameters that say for which jobs room is kept, and when to pause. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/bfparams.h"

#include <stdlib.h>
#include <string.h>

/* Slurm takes no greater max_rpc_cnt. */
#define RPCS_MAX 1000
/* Nor a greater bf_yield_rpc_cnt; without one a tenth of the other may be left, or so many. */
#define YIELD_MAX 200
#define FEW_RPCS  20

static const char *bfparams_value_of(const char *params, const char *key)
{
	const char *at = strcasestr(params, key);

	return at ? at + strlen(key) : NULL;
}

static uint64_t bfparams_number_of(const char *params, const char *key, uint64_t max)
{
	const char *value = bfparams_value_of(params, key);
	long long number = value ? atoll(value) : 0;

	return number > 0 && (uint64_t)number <= max ? (uint64_t)number : 0;
}

/* It has an older name too. */
static const char *bfparams_rpc_key(const char *params)
{
	return bfparams_value_of(params, "max_rpc_cnt=") ? "max_rpc_cnt=" : "max_rpc_count=";
}

static uint32_t bfparams_few_rpcs(const char *params, uint32_t max_rpcs)
{
	const char *value = bfparams_value_of(params, "bf_yield_rpc_cnt=");
	long few;

	if (!value)
		value = bfparams_value_of(params, "bf_yield_rpc_count=");
	few = value ? strtol(value, NULL, 10) : -1;
	if (few >= 0 && few <= YIELD_MAX)
		return (uint32_t)few;
	return max_rpcs / 10 > FEW_RPCS ? max_rpcs / 10 : FEW_RPCS;
}

struct lw_bfparams lw_bfparams_of(const char *sched_params)
{
	struct lw_bfparams params = { 0 };
	const char *order, *interval;

	if (!sched_params)
		return params;
	params.min_prio_reserve = (uint32_t)bfparams_number_of(
		sched_params, "bf_min_prio_reserve=", UINT32_MAX - 1);
	params.min_age_reserve_s =
		(int64_t)bfparams_number_of(sched_params, "bf_min_age_reserve=", 30 * 86400);
	params.one_resv_per_job = bfparams_value_of(sched_params, "bf_one_resv_per_job");
	params.limits_stop = bfparams_value_of(sched_params, "assoc_limit_stop");
	order = bfparams_value_of(sched_params, "bf_hetjob_prio=");
	params.hetjob_first = order && !strncasecmp(order, "max", 3);
	params.max_rpcs = (uint32_t)bfparams_number_of(sched_params,
						       bfparams_rpc_key(sched_params), RPCS_MAX);
	if (params.max_rpcs)
		params.few_rpcs = bfparams_few_rpcs(sched_params, params.max_rpcs);
	interval = bfparams_value_of(sched_params, "bf_interval=");
	params.off = interval && atoi(interval) == -1;
	return params;
}
