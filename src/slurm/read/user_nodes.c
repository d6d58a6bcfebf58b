/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes that users, or MCS labels, keep from each other, as reservation windows of the
 * snapshot. */
#include "slurm/read/user_nodes.h"

#include "base/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static bool user_nodes_wants_to_be_alone(const job_record_t *job)
{
	return (job->details && lw_slurm_is_for_one_user(job->details->whole_node)) ||
	       (job->part_ptr && (job->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER));
}

/* A number for a label; 0: there is none. */
static uint32_t user_nodes_number_of(const char *label)
{
	return label ? (uint32_t)lw_hash_mix_bytes(LW_HASH_BEGIN, label, strlen(label)) | 1 : 0;
}

/* The label that JOB wants its nodes to have for themselves. */
static uint32_t user_nodes_label_of(job_record_t *job)
{
	return slurm_mcs_get_select(job) == 1 ? user_nodes_number_of(job->mcs_label) : 0;
}

int lw_user_nodes_note(struct lw_user_nodes *owners, job_record_t *job)
{
	if (!IS_JOB_PENDING(job))
		return 0;
	owners->anywhere |= job->details && lw_slurm_is_for_one_user(job->details->whole_node);
	owners->labelled |= user_nodes_label_of(job) != 0;
	if (owners->waits.count && owners->last_user == job->user_id)
		return 0;
	owners->last_user = job->user_id;
	return lw_lookup_put(&owners->waits, job->user_id, 0);
}

static int user_nodes_note_part(void *x, void *arg)
{
	const part_record_t *part = x;
	bitstr_t *alone = arg;

	if ((part->flags & PART_FLAG_EXCLUSIVE_USER) && part->node_bitmap)
		bit_or(alone, part->node_bitmap);
	return 0;
}

/* The nodes that a job may want to itself. */
static bitstr_t *user_nodes_wanted_alone(const struct lw_user_nodes *owners)
{
	bitstr_t *alone = bit_alloc(node_record_count);

	if (owners->anywhere)
		bit_set_all(alone);
	else
		list_for_each(part_list, user_nodes_note_part, alone);
	return alone;
}

static void user_nodes_note_running(const struct lw_snapshot *snap, const struct lw_running *job,
				    const struct uses *uses)
{
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		uint32_t node = snap->allocs[job->first_alloc + i].node;
		struct use *use = &uses->items[node];

		if (node >= (uint32_t)node_record_count)
			continue;
		if (!use->until_s)
			use->owner.id = job->user_id;
		else if (use->owner.id != job->user_id)
			use->owner.several = true;
		if (use->until_s < job->end_s)
			use->until_s = job->end_s;
	}
}

/* Does it matter which user or label is there? */
static bool user_nodes_matters(const struct lw_user_nodes *owners, bitstr_t *alone, uint32_t node,
			       struct use *use)
{
	const node_record_t *record = node_record_table_ptr[node];
	uint32_t ignored;

	if (!use->until_s || !record)
		return false;
	use->owner.owns = record->owner != NO_VAL;
	use->owner.several |= !lw_lookup_get(&owners->waits, use->owner.id, &ignored);
	if (use->owner.several)
		use->owner.id = 0;
	return use->owner.owns || bit_test(alone, node);
}

/* The same by labels, of which a node has one at a time. */
static bool user_nodes_matters_by_label(const struct lw_user_nodes *owners, uint32_t node,
					struct use *use)
{
	const node_record_t *record = node_record_table_ptr[node];
	uint32_t label = record ? user_nodes_number_of(record->mcs_label) : 0;

	use->owner = (struct lw_owner){ .id = label, .owns = label != 0, .by_label = true };
	return use->until_s && record && (label || owners->labelled);
}

static int user_nodes_by_owner_then_end(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->owner.owns != y->owner.owns)
		return x->owner.owns ? -1 : 1;
	if (x->owner.several != y->owner.several)
		return x->owner.several ? -1 : 1;
	if (x->owner.id != y->owner.id)
		return x->owner.id < y->owner.id ? -1 : 1;
	if (x->until_s != y->until_s)
		return x->until_s < y->until_s ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The uses that matter, in order. */
static void user_nodes_users_keep(const struct lw_user_nodes *owners, bool by_label,
				  const struct uses *all, struct uses *ret_uses)
{
	bitstr_t *alone = by_label ? NULL : user_nodes_wanted_alone(owners);

	ret_uses->count = 0;
	for (uint32_t node = 0; node < (uint32_t)node_record_count; node++) {
		struct use use = all->items[node];

		use.node = node;
		if (by_label ? user_nodes_matters_by_label(owners, node, &use)
			     : user_nodes_matters(owners, alone, node, &use))
			ret_uses->items[ret_uses->count++] = use;
	}
	FREE_NULL_BITMAP(alone);
	qsort(ret_uses->items, ret_uses->count, sizeof(*ret_uses->items),
	      user_nodes_by_owner_then_end);
}

/* Where those end that are closed together with FIRST: of one owner, and for so long. */
static uint32_t user_nodes_end_of(const struct uses *uses, uint32_t first, int64_t grain_s)
{
	const struct use *use = &uses->items[first];
	uint32_t end = first + 1;

	while (end < uses->count && uses->items[end].owner.owns == use->owner.owns &&
	       uses->items[end].owner.several == use->owner.several &&
	       uses->items[end].owner.id == use->owner.id &&
	       uses->items[end].until_s - use->until_s < grain_s)
		end++;
	return end;
}

/* As little as there are places for, as long as that is to be had. */
static int64_t user_nodes_find_grain(const struct uses *uses, uint32_t places)
{
	int64_t grain_s = 1;
	uint32_t groups;

	do {
		groups = 0;
		for (uint32_t i = 0; i < uses->count; i = user_nodes_end_of(uses, i, grain_s))
			groups++;
		if (groups <= places)
			break;
		grain_s = grain_s < 60 ? 60 : grain_s * 2;
	} while (grain_s < INT64_MAX / 4);
	return grain_s;
}

static int user_nodes_close_nodes(const struct uses *uses, uint32_t first, uint32_t end,
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
	rc = lw_snapshot_add_resv_window(snap, &nodes, snap->now_s, until_s, err);
	lw_bitset_fini(&nodes);
	return rc;
}

static int user_nodes_add_resv_windows(const struct uses *uses, struct lw_user_nodes *owners,
				       struct lw_snapshot *snap, struct lw_error *err)
{
	int64_t grain_s =
		user_nodes_find_grain(uses, LW_RESV_WINDOWS_MAX - snap->resv_window_count);
	int rc = 0;

	for (uint32_t i = 0, end; !rc && i < uses->count; i = end) {
		struct lw_owner owner = uses->items[i].owner;

		end = user_nodes_end_of(uses, i, grain_s);
		if (snap->resv_window_count == LW_RESV_WINDOWS_MAX)
			break;
		/* more owners than places: the last one is for all of a sort that are left */
		while (snap->resv_window_count == LW_RESV_WINDOWS_MAX - 1 && end < uses->count &&
		       uses->items[end].owner.owns == owner.owns) {
			owner.several = true;
			end++;
		}
		owners->items[owners->count++] = owner;
		rc = user_nodes_close_nodes(uses, i, end, snap, err);
	}
	return rc;
}

static int user_nodes_read_all(struct lw_user_nodes *owners, const struct uses *all,
			       struct uses *some, struct lw_snapshot *snap, struct lw_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		if (snap->running[i].job_id)
			user_nodes_note_running(snap, &snap->running[i], all);
	}
	for (int by_label = 0; by_label < 2 && !rc; by_label++) {
		user_nodes_users_keep(owners, by_label, all, some);
		rc = user_nodes_add_resv_windows(some, owners, snap, err);
	}
	return rc;
}

int lw_user_nodes_read(struct lw_user_nodes *owners, struct lw_snapshot *snap,
		       struct lw_error *err)
{
	size_t count = (size_t)snap->node_count + 1;
	struct uses all = { .items = calloc(count, sizeof(*all.items)) };
	struct uses some = { .items = calloc(count, sizeof(*some.items)) };
	int rc;

	owners->first = snap->resv_window_count;
	rc = all.items && some.items ? user_nodes_read_all(owners, &all, &some, snap, err)
				     : lw_error_set(err, -ENOMEM, "out of memory");
	free(all.items);
	free(some.items);
	return rc;
}

void lw_user_nodes_fini(struct lw_user_nodes *owners)
{
	lw_lookup_fini(&owners->waits);
}

uint64_t lw_user_nodes_all(const struct lw_user_nodes *owners)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < owners->count; i++)
		mask |= UINT64_C(1) << (owners->first + i);
	return mask;
}

uint64_t lw_user_nodes_for(const struct lw_user_nodes *owners, job_record_t *job)
{
	uint32_t ids[2] = { job->user_id, owners->count ? user_nodes_label_of(job) : 0 };
	bool alone[2] = { user_nodes_wants_to_be_alone(job), ids[1] != 0 };
	uint64_t mask = 0;

	for (uint32_t i = 0; i < owners->count; i++) {
		const struct lw_owner *owner = &owners->items[i];

		if ((alone[owner->by_label] || owner->owns) &&
		    (owner->several || owner->id != ids[owner->by_label]))
			mask |= UINT64_C(1) << (owners->first + i);
	}
	return mask;
}
