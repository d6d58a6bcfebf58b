/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the types of GPUs and the numbers of nodes that were chosen for waiting jobs. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/apply/wish.h"

#include "base/grow.h"
#include "base/search.h"

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

/* ---- numbers of nodes ---- */

static int wish_compare_sizes(const void *left, const void *right)
{
	const struct lw_wish_size *a = left, *b = right;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static void wish_widen_size(struct lw_wish_size *size, uint32_t least, uint32_t most)
{
	if (size->least > least)
		size->least = least;
	if (size->most < most)
		size->most = most;
}

/* One for each job. */
static void wish_merge_sizes(struct lw_wish_sizes *sizes)
{
	uint32_t kept = 0;

	if (sizes->count)
		qsort(sizes->items, sizes->count, sizeof(*sizes->items), wish_compare_sizes);
	for (uint32_t i = 0; i < sizes->count; i++) {
		const struct lw_wish_size *size = &sizes->items[i];

		if (kept && sizes->items[kept - 1].job_id == size->job_id)
			wish_widen_size(&sizes->items[kept - 1], size->least, size->most);
		else
			sizes->items[kept++] = *size;
	}
	sizes->count = kept;
}

/* In another partition a job may have no sizes: there it gets what it asks for. */
static void wish_add_unsized(const struct lw_reading *reading, struct lw_wish_sizes *sizes)
{
	for (uint32_t i = 0; sizes->count && i < reading->snap.waiting_count; i++) {
		const struct lw_ticket *ticket = &reading->tickets[i];
		const struct lw_request *req = &reading->snap.waiting[i].request;
		uint32_t at;

		if (ticket->sized)
			continue;
		LW_SEARCH(at, sizes->count, sizes->items[at].job_id < ticket->job_id);
		if (at < sizes->count && sizes->items[at].job_id == ticket->job_id)
			wish_widen_size(&sizes->items[at], req->nodes_min, req->nodes_max);
	}
}

int lw_wish_sizes(const struct lw_reading *reading, int64_t most_s,
		  struct lw_wish_sizes *ret_sizes)
{
	struct lw_wish_sizes sizes = { .until_s = reading->snap.now_s + most_s };

	for (uint32_t i = 0; i < reading->snap.waiting_count; i++) {
		const struct lw_request *req = &reading->snap.waiting[i].request;

		if (!reading->tickets[i].sized)
			continue;
		if (lw_grow((void **)&sizes.items, &sizes.room, sizes.count + 1,
			    sizeof(*sizes.items))) {
			lw_wish_sizes_fini(&sizes);
			return -ENOMEM;
		}
		sizes.items[sizes.count++] = (struct lw_wish_size){
			.job_id = reading->tickets[i].job_id,
			.least = req->nodes_min,
			.most = req->nodes_max,
		};
	}
	wish_merge_sizes(&sizes);
	wish_add_unsized(reading, &sizes);
	*ret_sizes = sizes;
	return 0;
}
