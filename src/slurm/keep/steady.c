/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the published start of a job, kept steady while plans waver. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/steady.h"

static int64_t steady_wait_of(const struct lw_steady *steady)
{
	return steady->wait_s ? steady->wait_s : LW_STEADY_S;
}

/* An earlier start was shown, and turned out not to be had. */
static void steady_lengthen(struct lw_steady *steady)
{
	int64_t wait_s = 2 * steady_wait_of(steady);

	steady->wait_s = wait_s < LW_STEADY_MAX_S ? wait_s : LW_STEADY_MAX_S;
	steady->earlier = false;
}

bool lw_steady_takes(struct lw_steady *steady, int64_t shown_s, int64_t start_s, int64_t now_s)
{
	if (start_s <= now_s && shown_s > now_s)
		return false;
	if (start_s >= shown_s) {
		if (start_s > shown_s && steady->earlier)
			steady_lengthen(steady);
		steady->since_s = 0;
		return true;
	}
	if (!steady->since_s) {
		steady->since_s = now_s;
		steady->lower_s = start_s;
	}
	if (start_s > steady->lower_s)
		steady->lower_s = start_s;
	/* not one that is earlier than what others have had meanwhile */
	if (now_s - steady->since_s < steady_wait_of(steady) || start_s < steady->lower_s)
		return false;
	steady->since_s = 0;
	steady->earlier = true;
	return true;
}
