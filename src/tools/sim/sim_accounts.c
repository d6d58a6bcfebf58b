/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what accounts are to have of the machine. */
#include "tools/sim/sim.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>

/* As many as one has of another at most. */
#define MOST 1000000

static void give_share(struct lw_simtrace *trace, uint32_t account, uint32_t share,
		       bool *ret_found)
{
	*ret_found = false;
	for (uint32_t i = 0; i < trace->jobs.count; i++) {
		struct lw_sim_job *job = &trace->jobs.jobs[i];

		if ((job->group == LW_HISTORY_NOBODY ? job->user : job->group) != account)
			continue;
		job->account_share = share;
		*ret_found = true;
	}
}

int lw_simaccounts_give(struct lw_simtrace *trace, const char *shares, struct lw_error *err)
{
	const char *at = shares;
	uint64_t account, share;
	bool found;

	do {
		if (!lw_number_take(&at, UINT32_MAX - 1, &account) || *at++ != '=' ||
		    !lw_number_take(&at, MOST, &share) || !share || (*at && *at != ','))
			return lw_error_set(
				err, -EINVAL,
				"--account-shares: \"%s\" is not NUMBER=SHARE,... with "
				"shares of 1 to %d",
				shares, MOST);
		give_share(trace, (uint32_t)account, (uint32_t)share, &found);
		if (!found)
			return lw_error_set(err, -EINVAL,
					    "--account-shares: %s: no job is of account %" PRIu64,
					    trace->path, account);
	} while (*at++ == ',');
	return 0;
}
