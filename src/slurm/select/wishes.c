/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the last plan chose for waiting jobs: types of GPUs, and numbers of nodes. */

/* Loaded by commands too, and unit-tested: refers to nothing of Slurm. */

#include "slurm/select/wishes.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_wishes_fini(struct lw_wishes *wishes)
{
	free(wishes->wishes);
	memset(wishes, 0, sizeof(*wishes));
}

int lw_wishes_copy(struct lw_wishes *ret, const struct lw_wishes *wishes)
{
	struct lw_wish *items = NULL;

	if (wishes->count) {
		items = malloc(wishes->count * sizeof(*items));
		if (!items)
			return -ENOMEM;
		memcpy(items, wishes->wishes, wishes->count * sizeof(*items));
	}
	free(ret->wishes);
	*ret = *wishes;
	ret->wishes = items;
	ret->room = ret->count;
	return 0;
}

static const struct lw_wish *wishes_find_wish(const struct lw_wishes *wishes, uint32_t job_id)
{
	uint32_t at;

	LW_SEARCH(at, wishes->count, wishes->wishes[at].job_id < job_id);
	return at < wishes->count && wishes->wishes[at].job_id == job_id ? &wishes->wishes[at]
									 : NULL;
}

/* TYPES by SNAP's numbers, without types that SNAP does not know. */
static uint32_t wishes_translate(const struct lw_wishes *wishes, uint32_t types,
				 const struct lw_snapshot *snap)
{
	uint32_t theirs = 0;

	for (uint32_t type = 0; type < wishes->name_count; type++)
		for (uint32_t i = 0; (types >> type & 1) && i < snap->gpu_type_count; i++)
			if (!strcmp(wishes->names[type], snap->gpu_types[i]))
				theirs |= UINT32_C(1) << i;
	return theirs;
}

uint32_t lw_wishes_waits(const struct lw_wishes *wishes, uint32_t job_id, int64_t now_s,
			 const struct lw_snapshot *snap)
{
	const struct lw_wish *wish = wishes_find_wish(wishes, job_id);

	return wish && wish->waits_s > now_s ? wishes_translate(wishes, wish->types, snap) : 0;
}

uint32_t lw_wishes_tries(const struct lw_wishes *wishes, uint32_t job_id,
			 const struct lw_snapshot *snap, uint32_t tries[LW_WISH_TRIES_MAX])
{
	const struct lw_wish *wish = wishes_find_wish(wishes, job_id);
	uint32_t count = 0, types = wish ? wishes_translate(wishes, wish->types, snap) : 0;

	if (types)
		tries[count++] = types;
	for (uint32_t i = 0; !wish && i < wishes->order_count; i++) {
		types = wishes_translate(wishes, UINT32_C(1) << wishes->order[i], snap);
		if (types)
			tries[count++] = types;
	}
	tries[count++] = 0;
	return count;
}

/* ---- numbers of nodes ---- */

void lw_wish_sizes_fini(struct lw_wish_sizes *sizes)
{
	free(sizes->items);
	memset(sizes, 0, sizeof(*sizes));
}

int lw_wish_sizes_copy(struct lw_wish_sizes *ret, const struct lw_wish_sizes *sizes)
{
	struct lw_wish_size *items = NULL;

	if (sizes->count) {
		items = malloc(sizes->count * sizeof(*items));
		if (!items)
			return -ENOMEM;
		memcpy(items, sizes->items, sizes->count * sizeof(*items));
	}
	free(ret->items);
	*ret = *sizes;
	ret->items = items;
	ret->room = ret->count;
	return 0;
}

static uint32_t wishes_within(uint32_t nodes, uint32_t least, uint32_t most)
{
	if (nodes < least)
		return least;
	return nodes > most ? most : nodes;
}

bool lw_wish_sizes_hold(const struct lw_wish_sizes *sizes, uint32_t job_id, int64_t now_s,
			uint32_t *least, uint32_t *wanted, uint32_t *most)
{
	const struct lw_wish_size *size;
	uint32_t at;

	LW_SEARCH(at, sizes->count, sizes->items[at].job_id < job_id);
	if (at >= sizes->count || sizes->items[at].job_id != job_id || now_s >= sizes->until_s)
		return false;
	size = &sizes->items[at];
	if (*most < size->least || *least > size->most)
		return false;
	*least = wishes_within(*least, size->least, size->most);
	*most = wishes_within(*most, size->least, size->most);
	*wanted = wishes_within(*wanted, *least, *most);
	return true;
}
