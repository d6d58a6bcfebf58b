/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start that was first shown of each waiting job, against its true start. */

/* Includes no Slurm header, so that it can be unit-tested. */

#include "slurm/keep/firsts.h"

#include <errno.h>
#include <string.h>

static void firsts_judge(struct lw_firsts *firsts, const struct lw_running *run)
{
	uint32_t shown_s;
	int64_t late_s;

	if (!lw_lookup_get(&firsts->shown, run->job_id, &shown_s))
		return;
	late_s = run->start_s - (int64_t)shown_s;
	firsts->judged++;
	firsts->late_s += late_s > 0 ? late_s : 0;
	firsts->early_s -= late_s < 0 ? late_s : 0;
}

static int firsts_keep(const struct lw_firsts *firsts, const struct lw_waiting *job,
		       int64_t shown_s, struct lw_lookup *next)
{
	uint32_t first_s;

	if (!lw_lookup_get(&firsts->shown, job->job_id, &first_s)) {
		if (shown_s <= 0 || shown_s > UINT32_MAX || next->count >= LW_FIRSTS_MAX)
			return 0;
		first_s = (uint32_t)shown_s;
	}
	return lw_lookup_put(next, job->job_id, first_s);
}

int lw_firsts_cycle(struct lw_firsts *firsts, const struct lw_snapshot *snap,
		    lw_firsts_shown_f shown, void *arg)
{
	struct lw_lookup next = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < snap->running_count; i++)
		firsts_judge(firsts, &snap->running[i]);
	for (uint32_t i = 0; i < snap->queue.count && !rc; i++) {
		const struct lw_waiting *job = &snap->waiting[snap->queue.order[i]];

		if (job->tasks == 1)
			rc = firsts_keep(firsts, job, shown(arg, job->job_id), &next);
	}
	lw_lookup_fini(&firsts->shown);
	if (rc)
		lw_lookup_fini(&next);
	firsts->shown = next;
	return rc;
}

void lw_firsts_fini(struct lw_firsts *firsts)
{
	lw_lookup_fini(&firsts->shown);
}
