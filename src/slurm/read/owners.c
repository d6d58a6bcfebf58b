/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes that users keep from each other, as closures of the snapshot. */
#include "slurm/read/owners.h"

#include <errno.h>
#include <stdlib.h>

/* A node with jobs. */
struct use {
	struct lw_owner owner;
	uint32_t node;
	int64_t until_s; /* 0: there are none */
};

struct uses {
	struct use *items;
	uint32_t count;
};

static bool wants_to_be_alone(const job_record_t *job)
{
	return (job->details && lw_slurm_is_for_one_user(job->details->whole_node)) ||
	       (job->part_ptr && (job->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER));
}

int lw_owners_note(struct lw_owners *owners, const job_record_t *job)
{
	if (!IS_JOB_PENDING(job))
		return 0;
	owners->anywhere |= job->details &&
			    lw_slurm_is_for_one_user(job->details->whole_node);
	if (owners->waits.count && owners->last_user == job->user_id)
		return 0;
	owners->last_user = job->user_id;
	return lw_lookup_put(&owners->waits, job->user_id, 0);
}

static int note_part(void *x, void *arg)
{
	const part_record_t *part = x;
	bitstr_t *alone = arg;

	if ((part->flags & PART_FLAG_EXCLUSIVE_USER) && part->node_bitmap)
		bit_or(alone, part->node_bitmap);
	return 0;
}

/* The nodes that somebody may want for himself. */
static bitstr_t *wanted_alone(const struct lw_owners *owners)
{
	bitstr_t *alone = bit_alloc(node_record_count);

	if (owners->anywhere)
		bit_set_all(alone);
	else
		list_for_each(part_list, note_part, alone);
	return alone;
}

static void note_running(const struct lw_snapshot *snap, const struct lw_running *job,
			 struct uses *uses)
{
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		uint32_t node = snap->allocs[job->first_alloc + i].node;
		struct use *use = &uses->items[node];

		if (node >= (uint32_t)node_record_count)
			continue;
		if (!use->until_s)
			use->owner.user_id = job->user_id;
		else if (use->owner.user_id != job->user_id)
			use->owner.several = true;
		if (use->until_s < job->end_s)
			use->until_s = job->end_s;
	}
}

/* Does it matter who is there? */
static bool matters(const struct lw_owners *owners, bitstr_t *alone, uint32_t node,
		    struct use *use)
{
	const node_record_t *record = node_record_table_ptr[node];
	uint32_t ignored;

	if (!use->until_s || !record)
		return false;
	use->owner.owns = record->owner != NO_VAL;
	use->owner.several |= !lw_lookup_get(&owners->waits, use->owner.user_id, &ignored);
	if (use->owner.several)
		use->owner.user_id = 0;
	return use->owner.owns || bit_test(alone, node);
}

static int by_owner_then_end(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->owner.owns != y->owner.owns)
		return x->owner.owns ? -1 : 1;
	if (x->owner.several != y->owner.several)
		return x->owner.several ? -1 : 1;
	if (x->owner.user_id != y->owner.user_id)
		return x->owner.user_id < y->owner.user_id ? -1 : 1;
	if (x->until_s != y->until_s)
		return x->until_s < y->until_s ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Those that matter, in order. */
static void keep(const struct lw_owners *owners, struct uses *uses)
{
	bitstr_t *alone = wanted_alone(owners);
	uint32_t kept = 0;

	for (uint32_t node = 0; node < (uint32_t)node_record_count; node++) {
		struct use use = uses->items[node];

		use.node = node;
		if (matters(owners, alone, node, &use))
			uses->items[kept++] = use;
	}
	bit_free(alone);
	uses->count = kept;
	qsort(uses->items, kept, sizeof(*uses->items), by_owner_then_end);
}

/* Where those end that are closed together with FIRST: of one owner, and for so long. */
static uint32_t end_of(const struct uses *uses, uint32_t first, int64_t grain_s)
{
	const struct use *use = &uses->items[first];
	uint32_t end = first + 1;

	while (end < uses->count && uses->items[end].owner.owns == use->owner.owns &&
	       uses->items[end].owner.several == use->owner.several &&
	       uses->items[end].owner.user_id == use->owner.user_id &&
	       uses->items[end].until_s - use->until_s < grain_s)
		end++;
	return end;
}

/* As little as there are places for, as long as that is to be had. */
static int64_t find_grain(const struct uses *uses, uint32_t places)
{
	int64_t grain_s = 1;
	uint32_t groups;

	do {
		groups = 0;
		for (uint32_t i = 0; i < uses->count; i = end_of(uses, i, grain_s))
			groups++;
		if (groups <= places)
			break;
		grain_s = grain_s < 60 ? 60 : grain_s * 2;
	} while (grain_s < INT64_MAX / 4);
	return grain_s;
}

static int close_nodes(const struct uses *uses, uint32_t first, uint32_t end,
		       struct lw_snapshot *snap, struct lw_error *err)
{
	int64_t until_s = 0;
	struct lw_bitset nodes;
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = first; i < end; i++) {
		lw_bitset_set(&nodes, uses->items[i].node);
		if (uses->items[i].until_s > until_s)
			until_s = uses->items[i].until_s;
	}
	rc = lw_snapshot_add_closure(snap, &nodes, snap->now_s, until_s, err);
	lw_bitset_fini(&nodes);
	return rc;
}

static int add_closures(const struct uses *uses, struct lw_owners *owners,
			struct lw_snapshot *snap, struct lw_error *err)
{
	int64_t grain_s = find_grain(uses, LW_CLOSURES_MAX - snap->closure_count);
	int rc = 0;

	for (uint32_t i = 0, end; !rc && i < uses->count; i = end) {
		struct lw_owner owner = uses->items[i].owner;

		end = end_of(uses, i, grain_s);
		if (snap->closure_count == LW_CLOSURES_MAX)
			break;
		/* more owners than places: the last one is for all of a sort that are left */
		while (snap->closure_count == LW_CLOSURES_MAX - 1 && end < uses->count &&
		       uses->items[end].owner.owns == owner.owns) {
			owner.several = true;
			end++;
		}
		owners->items[owners->count++] = owner;
		rc = close_nodes(uses, i, end, snap, err);
	}
	return rc;
}

static int read_uses(const struct lw_owners *owners, const struct lw_snapshot *snap,
		     struct uses *uses)
{
	uses->items = calloc((size_t)snap->node_count + 1, sizeof(*uses->items));
	if (!uses->items)
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		if (snap->running[i].job_id)
			note_running(snap, &snap->running[i], uses);
	}
	keep(owners, uses);
	return 0;
}

int lw_owners_read(struct lw_owners *owners, struct lw_snapshot *snap, struct lw_error *err)
{
	struct uses uses = { 0 };
	int rc = read_uses(owners, snap, &uses);

	owners->first = snap->closure_count;
	if (rc)
		lw_error_set(err, rc, "out of memory");
	else
		rc = add_closures(&uses, owners, snap, err);
	free(uses.items);
	return rc;
}

void lw_owners_fini(struct lw_owners *owners)
{
	lw_lookup_fini(&owners->waits);
}

static bool is_closed(const struct lw_owner *owner, const job_record_t *job, bool alone)
{
	return (alone || owner->owns) && (owner->several || owner->user_id != job->user_id);
}

uint64_t lw_owners_all(const struct lw_owners *owners)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < owners->count; i++)
		mask |= UINT64_C(1) << (owners->first + i);
	return mask;
}

uint64_t lw_owners_for(const struct lw_owners *owners, const job_record_t *job)
{
	bool alone = wants_to_be_alone(job);
	uint64_t mask = 0;

	for (uint32_t i = 0; i < owners->count; i++) {
		if (is_closed(&owners->items[i], job, alone))
			mask |= UINT64_C(1) << (owners->first + i);
	}
	return mask;
}
