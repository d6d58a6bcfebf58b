/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the types of GPUs that a plan chose for waiting jobs. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/apply/wish.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int wish_compare_wishes(const void *left, const void *right)
{
	const struct lw_wish *a = left, *b = right;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static int64_t wish_waits_until(const struct lw_decision *decision,
				const struct lw_snapshot *snap, int64_t most_s)
{
	int64_t until_s = snap->now_s + most_s;

	if (decision->reason != LW_REASON_WAITS_FOR_TYPE)
		return 0;
	return decision->promise_s != LW_NO_TIME && decision->promise_s < until_s
		       ? decision->promise_s
		       : until_s;
}

/* One wish a job: of several records it has the types of all, and waits if one does. */
static void wish_merge_wishes(struct lw_wishes *wishes)
{
	uint32_t kept = 0;

	if (wishes->count)
		qsort(wishes->wishes, wishes->count, sizeof(*wishes->wishes),
		      wish_compare_wishes);
	for (uint32_t i = 0; i < wishes->count; i++) {
		const struct lw_wish *wish = &wishes->wishes[i];
		struct lw_wish *last = kept ? &wishes->wishes[kept - 1] : NULL;

		if (!last || last->job_id != wish->job_id) {
			wishes->wishes[kept++] = *wish;
			continue;
		}
		last->types |= wish->types;
		if (last->waits_s < wish->waits_s)
			last->waits_s = wish->waits_s;
	}
	wishes->count = kept;
}

int lw_wish_plan(const struct lw_plan *plan, const struct lw_snapshot *snap, int64_t most_s,
		 struct lw_wishes *ret_wishes)
{
	struct lw_wishes wishes = { .name_count = snap->gpu_type_count };

	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		if (strlen(snap->gpu_types[type]) < LW_WISH_NAME_MAX)
			strcpy(wishes.names[type], snap->gpu_types[type]);
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (!decision->choice.types || decision->verdict == LW_START)
			continue;
		if (lw_grow((void **)&wishes.wishes, &wishes.room, wishes.count + 1,
			    sizeof(*wishes.wishes))) {
			lw_wishes_fini(&wishes);
			return -ENOMEM;
		}
		wishes.wishes[wishes.count++] = (struct lw_wish){
			.job_id = decision->job_id,
			.types = decision->choice.types,
			.waits_s = wish_waits_until(decision, snap, most_s),
		};
	}
	wish_merge_wishes(&wishes);
	*ret_wishes = wishes;
	return 0;
}
