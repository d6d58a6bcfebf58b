/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: of GPU types on which a job ends alike, the one that takes less energy. */
#include "planner/place/frugal.h"

#include "planner/place/type.h"

#include <string.h>

void lw_frugal_begin(struct lw_frugal *frugal)
{
	memcpy(frugal->left, frugal->beside, sizeof(frugal->left));
}

/* GPUs that would be idle on the nodes on which GPUS more are the first in use. */
static uint64_t frugal_idle_beside(const struct lw_frugal *frugal, uint32_t gpus, int type)
{
	uint64_t left = frugal->left[type], each = frugal->node_gpus[type];

	if (gpus <= left || !each)
		return 0;
	return (each - (gpus - left) % each) % each;
}

void lw_frugal_take(struct lw_frugal *frugal, const struct lw_type_job *job, int type)
{
	uint64_t *left = &frugal->left[type];

	*left = job->gpus <= *left ? *left - job->gpus
				   : frugal_idle_beside(frugal, job->gpus, type);
}

double lw_frugal_energy(const struct lw_frugal *frugal, const struct lw_type_job *job, int type,
			int64_t start_s)
{
	double watts = (double)job->gpus * frugal->busy_w[type];

	/* what comes free later is on nodes in use */
	if (start_s <= frugal->now_s)
		watts += (double)frugal_idle_beside(frugal, job->gpus, type) *
			 frugal->idle_w[type];
	return watts * job->time_s[type];
}

/* Does the job end alike on TYPE, or at least in time? */
static bool frugal_is_alike(const struct lw_frugal *frugal, const struct lw_type_job *job,
			    int type, const int64_t *start_s, int best)
{
	double slack_s = frugal->slack * job->time_s[best];
	int64_t done_s = start_s[type] + job->time_s[type];

	if (start_s[type] > frugal->now_s)
		slack_s -= (double)job->waited_s;
	else if (job->start_by_s && frugal->now_s <= job->start_by_s &&
		 job->time_s[type] < job->limit_s)
		return true;
	return (double)(done_s - start_s[best] - job->time_s[best]) <= slack_s;
}

int lw_frugal_choose(const struct lw_frugal *frugal, const struct lw_type_job *job,
		     const int64_t *start_s, int best)
{
	double least = lw_frugal_energy(frugal, job, best, start_s[best]);
	int thriftiest = best;

	/* without watts, or run times by type, nothing changes */
	if (!job->knows_times || !frugal->busy_w[best])
		return best;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		double energy;

		if (!job->time_s[type] || start_s[type] == INT64_MAX || !frugal->busy_w[type] ||
		    !frugal_is_alike(frugal, job, type, start_s, best))
			continue;
		energy = lw_frugal_energy(frugal, job, type, start_s[type]);
		if (energy >= least)
			continue;
		least = energy;
		thriftiest = type;
	}
	return thriftiest;
}
