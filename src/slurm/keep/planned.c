/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planned starts of the last plan, for the next one. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/planned.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int planned_add(struct lw_planned *planned, uint64_t key, int64_t start_s, uint32_t least)
{
	if (lw_grow((void **)&planned->starts_s, &planned->room, planned->count + 1,
		    sizeof(*planned->starts_s)) ||
	    lw_grow((void **)&planned->least, &planned->least_room, planned->count + 1,
		    sizeof(*planned->least)) ||
	    lw_lookup_put(&planned->index, key, planned->count))
		return -ENOMEM;
	planned->least[planned->count] = least;
	planned->starts_s[planned->count++] = start_s;
	return 0;
}

/* Of the tasks of an array the first. */
static bool planned_is_to_come(const struct lw_planned *planned,
			       const struct lw_decision *decision, uint64_t key,
			       const struct lw_lookup *wait)
{
	uint32_t ignored;

	if (lw_lookup_get(&planned->index, key, &ignored))
		return false;
	return decision->verdict == LW_RESERVE ||
	       (decision->verdict == LW_START && lw_lookup_get(wait, key, &ignored));
}

void lw_planned_keep(struct lw_planned *planned, const struct lw_plan *plan,
		     const struct lw_snapshot *snap, const struct lw_lookup *wait)
{
	lw_lookup_fini(&planned->index);
	planned->count = 0;
	lw_kept_plan(&planned->kept, plan, snap);
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		const struct lw_waiting *waiting = &snap->waiting[decision->waiting];
		uint64_t key = lw_planned_key(decision->job_id, waiting->variant);

		if (planned_is_to_come(planned, decision, key, wait) &&
		    planned_add(planned, key, decision->start_s, waiting->request.nodes_min))
			return;
	}
}

int64_t lw_planned_find(const struct lw_planned *planned, uint32_t job_id, uint32_t variant)
{
	uint32_t i;

	if (!lw_lookup_get(&planned->index, lw_planned_key(job_id, variant), &i))
		return 0;
	return planned->starts_s[i];
}

uint32_t lw_planned_least(const struct lw_planned *planned, uint32_t job_id, uint32_t variant)
{
	uint32_t i;

	if (!lw_lookup_get(&planned->index, lw_planned_key(job_id, variant), &i))
		return 0;
	return planned->least[i];
}

void lw_planned_fini(struct lw_planned *planned)
{
	lw_lookup_fini(&planned->index);
	free(planned->starts_s);
	free(planned->least);
	lw_kept_fini(&planned->kept);
	memset(planned, 0, sizeof(*planned));
}
