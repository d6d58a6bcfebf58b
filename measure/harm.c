/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs fare worse than under another schedule of the same jobs, the base. */
#include "measure/harm.h"

#include <math.h>

int64_t lw_harm_wait_s(const struct lw_sim_job *job)
{
	if (job->start_s == LW_NO_TIME)
		return LW_NO_TIME;
	return job->start_s - job->spent_s - lw_sim_job_since_s(job);
}

double lw_harm_point_s(uint32_t i)
{
	return 60 * exp2(i / 2.0);
}

static void harm_count(struct lw_harm *harm, int64_t more_s)
{
	harm->jobs++;
	harm->longer += more_s > LW_HARM_S;
	harm->shorter += more_s < -LW_HARM_S;
	if (more_s > harm->worst_s)
		harm->worst_s = more_s;
	for (uint32_t i = 0; i < LW_HARM_POINTS && (double)more_s >= lw_harm_point_s(i); i++)
		harm->longer_by[i]++;
}

struct lw_harm lw_harm_of(const struct lw_sim_job *jobs, const int64_t *base_wait_s,
			  uint32_t count)
{
	struct lw_harm harm = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		int64_t wait_s = lw_harm_wait_s(&jobs[i]);

		if (wait_s != LW_NO_TIME && base_wait_s[i] != LW_NO_TIME)
			harm_count(&harm, wait_s - base_wait_s[i]);
	}
	return harm;
}
