/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what accounts are to have of the machine. */
#include "lab/cli_sim/sim.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "lab/cli_sim/sim_json.h"

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

/* The next NUMBER=SHARE of what *AT begins with; false: it does not begin with one. */
static bool take_share(const char **at, uint32_t *ret_account, uint32_t *ret_share)
{
	uint64_t account, share;

	if (!lw_number_take(at, UINT32_MAX - 1, &account) || **at != '=')
		return false;
	(*at)++;
	if (!lw_number_take(at, MOST, &share) || !share || (**at && **at != ','))
		return false;
	*ret_account = (uint32_t)account;
	*ret_share = (uint32_t)share;
	return true;
}

/* Does an item of SHARES before END speak of ACCOUNT? */
static bool is_earlier(const char *shares, const char *end, uint32_t account)
{
	uint32_t other, share;

	for (const char *at = shares; at < end && take_share(&at, &other, &share); at++)
		if (at < end && other == account)
			return true;
	return false;
}

int lw_simaccounts_check(const char *shares, struct lw_error *err)
{
	const char *at = shares;
	uint32_t account, share;

	do {
		const char *item = at;

		if (!take_share(&at, &account, &share))
			return lw_error_set(
				err, -EINVAL,
				"cluster.account_shares: \"%s\" is not NUMBER=SHARE,... with "
				"shares of 1 to %d",
				shares, MOST);
		if (is_earlier(shares, item, account))
			return lw_error_set(err, -EINVAL,
					    "cluster.account_shares: account %" PRIu32
					    " is there twice",
					    account);
	} while (*at++ == ',');
	return 0;
}

int lw_simaccounts_give(struct lw_simtrace *trace, const char *shares, struct lw_error *err)
{
	const char *at = shares;
	uint32_t account, share;
	int rc = lw_simaccounts_check(shares, err);
	bool found;

	while (!rc && take_share(&at, &account, &share)) {
		give_share(trace, account, share, &found);
		if (!found)
			return lw_error_set(
				err, -EDOM,
				"cluster.account_shares: %s: no job is of account %" PRIu32,
				trace->path, account);
		if (*at++ != ',')
			break;
	}
	trace->account_shares = shares;
	return rc;
}

json_t *lw_simaccounts_json(const char *shares)
{
	json_t *o = shares ? json_object() : json_null();
	uint32_t account, share;
	char name[16];

	while (shares && take_share(&shares, &account, &share)) {
		snprintf(name, sizeof(name), "%" PRIu32, account);
		json_object_set_new(o, name, json_integer(share));
		if (*shares++ != ',')
			break;
	}
	return o;
}
