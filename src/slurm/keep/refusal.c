/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: planned starts that Slurm refused, so that no job waits for them. */
#include "slurm/keep/refusal.h"

#include "base/grow.h"
#include "base/lookup.h"
#include "slurm/keep/planned.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct refusal {
	uint32_t job_id, variant;
	uint32_t times;
	uint32_t times_for_room;
	uint64_t last;	/* cycle in which it was refused */
	uint64_t until; /* the first cycle in which it is tried again */
	bool for_room;	/* the last time */
	uint32_t limited_nodes; /* by a limit, on so many nodes; 0: for another reason */
};

struct lw_refusals {
	struct refusal *entries; /* in the order of their first refusal */
	uint32_t count, room;
	struct lw_lookup index; /* where each is: a limit may keep a whole queue */
};

static struct refusal *refusal_find(const struct lw_refusals *refusals, uint32_t job_id,
				    uint32_t variant)
{
	uint32_t i;

	if (!lw_lookup_get(&refusals->index, lw_planned_key(job_id, variant), &i))
		return NULL;
	return &refusals->entries[i];
}

int lw_refusals_create(struct lw_refusals **ret_refusals)
{
	*ret_refusals = calloc(1, sizeof(**ret_refusals));
	return *ret_refusals ? 0 : -ENOMEM;
}

void lw_refusals_destroy(struct lw_refusals *refusals)
{
	if (!refusals)
		return;
	lw_lookup_fini(&refusals->index);
	free(refusals->entries);
	free(refusals);
}

bool lw_refusals_add(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		     uint64_t cycle, bool for_room)
{
	struct refusal *entry = refusal_find(refusals, job_id, variant);
	uint64_t pause;

	if (!entry) {
		if (lw_grow((void **)&refusals->entries, &refusals->room, refusals->count + 1,
			    sizeof(*refusals->entries)) ||
		    lw_lookup_put(&refusals->index, lw_planned_key(job_id, variant),
				  refusals->count))
			return false;
		entry = &refusals->entries[refusals->count++];
		memset(entry, 0, sizeof(*entry));
		entry->job_id = job_id;
		entry->variant = variant;
	} else if (entry->last == cycle) {
		return false;
	}
	entry->last = cycle;
	entry->limited_nodes = 0;
	pause = entry->times < 3 ? UINT64_C(1) << entry->times : LW_REFUSAL_CYCLES_MAX;
	entry->until = cycle + 1 + pause;
	entry->times_for_room += for_room;
	entry->for_room = for_room;
	return ++entry->times == 1;
}

bool lw_refusals_holds(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		       uint64_t cycle)
{
	const struct refusal *entry = refusal_find(refusals, job_id, variant);

	return entry && cycle < entry->until;
}

bool lw_refusals_want_room(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant)
{
	const struct refusal *entry = refusal_find(refusals, job_id, variant);

	return entry && entry->for_room;
}

bool lw_refusals_stuck(const struct lw_refusals *refusals, uint32_t job_id, uint32_t variant)
{
	const struct refusal *entry = refusal_find(refusals, job_id, variant);

	return entry && entry->times_for_room >= LW_REFUSALS_STUCK;
}

void lw_refusals_by_limit(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
			  uint32_t nodes)
{
	struct refusal *entry = refusal_find(refusals, job_id, variant);

	if (entry)
		entry->limited_nodes = nodes;
}

uint32_t lw_refusals_limited(const struct lw_refusals *refusals, uint32_t job_id,
			     uint32_t variant)
{
	const struct refusal *entry = refusal_find(refusals, job_id, variant);

	return entry ? entry->limited_nodes : 0;
}

void lw_refusals_lift(struct lw_refusals *refusals, uint32_t job_id, uint32_t variant,
		      uint64_t cycle)
{
	struct refusal *entry = refusal_find(refusals, job_id, variant);

	if (entry)
		entry->until = cycle;
}

void lw_refusals_expire(struct lw_refusals *refusals, uint64_t cycle)
{
	uint32_t kept = 0;

	lw_lookup_fini(&refusals->index);
	for (uint32_t i = 0; i < refusals->count; i++) {
		const struct refusal *entry = &refusals->entries[i];
		uint64_t key = lw_planned_key(entry->job_id, entry->variant);
		uint64_t keep = entry->times_for_room >= LW_REFUSALS_STUCK
					? LW_REFUSAL_STUCK_CYCLES
					: LW_REFUSAL_CYCLES_MAX;

		if (entry->until + keep > cycle && !lw_lookup_put(&refusals->index, key, kept))
			refusals->entries[kept++] = refusals->entries[i];
	}
	refusals->count = kept;
}
