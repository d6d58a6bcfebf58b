/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who in slurmctld starts jobs besides the scheduler plugin. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "config/starters.h"

#include <stdlib.h>
#include <string.h>

#define INTERVAL "sched_interval="

/* slurmctld looks for the words anywhere in the text, in any case, and takes the first. */
struct lw_starters lw_starters_of(const char *sched_params)
{
	struct lw_starters starters = { .main_loop = true, .submit = true };
	const char *interval;

	if (!sched_params)
		return starters;
	interval = strcasestr(sched_params, INTERVAL);
	if (interval)
		starters.main_loop = atoi(interval + strlen(INTERVAL)) != -1;
	starters.submit =
		strcasestr(sched_params, "defer_batch") || !strcasestr(sched_params, "defer");
	return starters;
}
