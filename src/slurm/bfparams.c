/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the SchedulerParameters that say for which jobs room is kept, and when to pause. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/bfparams.h"

#include <stdlib.h>
#include <string.h>

/* Slurm takes no greater max_rpc_cnt. */
#define RPCS_MAX 1000

static const char *value_of(const char *params, const char *key)
{
	const char *at = strcasestr(params, key);

	return at ? at + strlen(key) : NULL;
}

static uint64_t number_of(const char *params, const char *key, uint64_t max)
{
	const char *value = value_of(params, key);
	long long number = value ? atoll(value) : 0;

	return number > 0 && (uint64_t)number <= max ? (uint64_t)number : 0;
}

/* It has an older name too. */
static const char *rpc_key(const char *params)
{
	return value_of(params, "max_rpc_cnt=") ? "max_rpc_cnt=" : "max_rpc_count=";
}

struct lw_bfparams lw_bfparams_of(const char *sched_params)
{
	struct lw_bfparams params = { 0 };
	const char *order;

	if (!sched_params)
		return params;
	params.min_prio_reserve =
		(uint32_t)number_of(sched_params, "bf_min_prio_reserve=", UINT32_MAX - 1);
	params.min_age_reserve_s =
		(int64_t)number_of(sched_params, "bf_min_age_reserve=", 30 * 86400);
	params.one_resv_per_job = value_of(sched_params, "bf_one_resv_per_job");
	params.limits_stop = value_of(sched_params, "assoc_limit_stop");
	order = value_of(sched_params, "bf_hetjob_prio=");
	params.hetjob_first = order && !strncasecmp(order, "max", 3);
	params.max_rpcs = (uint32_t)number_of(sched_params, rpc_key(sched_params), RPCS_MAX);
	return params;
}
