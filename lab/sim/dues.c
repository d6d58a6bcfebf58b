/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: deadlines for some jobs of a workload. */
#include "lab/sim/dues.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/detmath.h"
#include "measure/rng.h"

/* Differs from the models and from chains, so that their jobs stay the same. */
#define DUES_SEED UINT64_C(0x3c79ac492ba7b653)

static void set_due(struct lw_workload_job *job, struct lw_rng *rng)
{
	double limits = lw_rng_between(rng, LW_DUES_LEAST, LW_DUES_MOST);
	int64_t due_s = lw_math_round(limits * (double)job->limit_s);

	if (due_s < job->limit_s + LW_DUES_SPARE_S)
		due_s = job->limit_s + LW_DUES_SPARE_S;
	job->deadline_s = lw_workload_cap(due_s, LW_WORKLOAD_TIME_MAX_S);
}

/* The jobs to choose from, in order of submission. */
static uint32_t list_free(const struct lw_workload *workload, uint32_t *ret_list)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < workload->job_count; i++)
		if (workload->jobs[i].array == LW_WORKLOAD_NEVER &&
		    workload->jobs[i].cancel_s == LW_WORKLOAD_NEVER)
			ret_list[count++] = i;
	return count;
}

int lw_dues_add(struct lw_workload *workload, uint32_t count, uint64_t seed)
{
	uint32_t *list, left;
	struct lw_rng rng;

	if (!count)
		return 0;
	list = calloc((size_t)workload->job_count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	left = list_free(workload, list);
	lw_rng_init(&rng, seed ^ DUES_SEED);
	for (; count && left; count--) {
		uint32_t at = lw_rng_below(&rng, left);

		set_due(&workload->jobs[list[at]], &rng);
		list[at] = list[--left];
	}
	free(list);
	return 0;
}
