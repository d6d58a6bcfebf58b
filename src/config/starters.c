/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what starts jobs in slurmctld besides the scheduler plugin. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "config/starters.h"

#include <stdlib.h>
#include <string.h>

#define INTERVAL "sched_interval="
#define DELAY	 "batch_sched_delay="

#define DEFAULT_DELAY_S 3

static int starters_number_after(const char *params, const char *key, int otherwise)
{
	const char *at = strcasestr(params, key);

	return at ? atoi(at + strlen(key)) : otherwise;
}

/* slurmctld looks for the words anywhere in the text, in any case, and takes the first. */
struct lw_starters lw_starters_of(const char *sched_params)
{
	const char *params = sched_params ? sched_params : "";
	struct lw_starters starters = { 0 };
	int delay_s = starters_number_after(params, DELAY, DEFAULT_DELAY_S);

	starters.main_loop = starters_number_after(params, INTERVAL, 0) != -1;
	starters.submit = strcasestr(params, "defer_batch") || !strcasestr(params, "defer");
	if (starters.main_loop || starters.submit)
		starters.delay_s = delay_s < 0 ? DEFAULT_DELAY_S : delay_s;
	return starters;
}
