/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that the last plan kept for jobs with accepted deadlines. */
#include "planner/model/kept.h"

#include "base/grow.h"
#include "planner/model/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t kept_key_of(uint32_t job_id, uint32_t variant)
{
	return (uint64_t)job_id << 32 | variant;
}

void lw_kept_fini(struct lw_kept *kept)
{
	free(kept->jobs);
	free(kept->allocs);
	lw_lookup_fini(&kept->index);
	memset(kept, 0, sizeof(*kept));
}

void lw_kept_clear(struct lw_kept *kept)
{
	if (kept->job_count)
		lw_lookup_fini(&kept->index);
	kept->job_count = kept->alloc_count = 0;
}

int lw_kept_add(struct lw_kept *kept, uint32_t job_id, uint32_t variant,
		const struct lw_alloc *allocs, uint32_t count)
{
	struct lw_kept_job job = { job_id, variant, kept->alloc_count, count };
	uint32_t place = kept->job_count;

	lw_lookup_get(&kept->index, kept_key_of(job_id, variant), &place);
	if (lw_grow((void **)&kept->jobs, &kept->job_room, place + 1, sizeof(*kept->jobs)) ||
	    lw_grow((void **)&kept->allocs, &kept->alloc_room, kept->alloc_count + count + 1,
		    sizeof(*kept->allocs)) ||
	    lw_lookup_put(&kept->index, kept_key_of(job_id, variant), place))
		return -ENOMEM;
	if (count)
		memcpy(kept->allocs + kept->alloc_count, allocs, count * sizeof(*allocs));
	kept->alloc_count += count;
	kept->jobs[place] = job;
	kept->job_count += place == kept->job_count;
	return 0;
}

const struct lw_kept_job *lw_kept_find(const struct lw_kept *kept, uint32_t job_id,
				       uint32_t variant)
{
	uint32_t place;

	return lw_lookup_get(&kept->index, kept_key_of(job_id, variant), &place)
		       ? &kept->jobs[place]
		       : NULL;
}

const struct lw_alloc *lw_kept_allocs(const struct lw_kept *kept, const struct lw_kept_job *job)
{
	return kept->allocs + job->first_alloc;
}

void lw_kept_plan(struct lw_kept *kept, const struct lw_plan *plan,
		  const struct lw_snapshot *snap)
{
	lw_kept_clear(kept);
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->reason == LW_REASON_ACCEPTED &&
		    lw_kept_add(kept, decision->job_id, snap->waiting[decision->waiting].variant,
				lw_decision_allocs(plan, decision), decision->alloc_count))
			return;
	}
}

int lw_kept_copy(struct lw_kept *kept, const struct lw_kept *from)
{
	lw_kept_clear(kept);
	for (uint32_t i = 0; i < from->job_count; i++) {
		const struct lw_kept_job *job = &from->jobs[i];

		if (lw_kept_add(kept, job->job_id, job->variant, lw_kept_allocs(from, job),
				job->alloc_count))
			return -ENOMEM;
	}
	return 0;
}
