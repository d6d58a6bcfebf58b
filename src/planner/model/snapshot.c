/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one moment of a cluster: nodes, running jobs and the queue. */
#include "planner/model/snapshot.h"

#include "base/grow.h"
#include "planner/model/snapshot_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_snapshot_init(struct lw_snapshot *snap, int64_t now_s)
{
	memset(snap, 0, sizeof(*snap));
	snap->now_s = now_s;
	snap->running_sorted = true;
	lw_domains_init(&snap->domains);
}

void lw_snapshot_fini(struct lw_snapshot *snap)
{
	for (uint32_t i = 0; i < snap->node_count; i++)
		free(snap->nodes[i].name);
	for (uint32_t i = 0; i < snap->set_count; i++) {
		free(snap->sets[i].name);
		lw_bitset_fini(&snap->sets[i].nodes);
	}
	for (uint32_t i = 0; i < snap->gpu_type_count; i++)
		free(snap->gpu_types[i]);
	lw_domains_fini(&snap->domains);
	for (uint32_t i = 0; i < snap->resv_window_count; i++)
		lw_bitset_fini(&snap->resv_windows[i].nodes);
	free(snap->nodes);
	free(snap->sets);
	free(snap->resv_windows);
	free(snap->coallocations);
	free(snap->needs);
	lw_lookup_fini(&snap->coallocation_index);
	free(snap->running);
	free(snap->allocs);
	free(snap->waiting);
	free(snap->used);
	free(snap->holes);
	lw_queue_fini(&snap->queue);
	lw_kept_fini(&snap->kept);
	lw_snapshot_init(snap, 0);
}

void lw_snapshot_next(struct lw_snapshot *snap, int64_t now_s)
{
	snap->now_s = now_s;
	snap->running_count = 0;
	snap->alloc_count = 0;
	snap->waiting_count = 0;
	snap->hole_count = 0;
	snap->variant_count = 0;
	snap->dead_allocs = 0;
	snap->running_sorted = true;
	lw_queue_clear(&snap->queue);
	lw_kept_clear(&snap->kept);
	if (snap->node_count)
		memset(snap->used, 0, snap->node_count * sizeof(*snap->used));
}

int lw_snapshot_find_gpu_type(const struct lw_snapshot *snap, const char *name)
{
	for (uint32_t i = 0; i < snap->gpu_type_count; i++) {
		if (!strcmp(snap->gpu_types[i], name))
			return (int)i;
	}
	return -ENOENT;
}

int lw_snapshot_gpu_type(struct lw_snapshot *snap, const char *name)
{
	int index = lw_snapshot_find_gpu_type(snap, name);
	char *copy;

	if (index >= 0)
		return index;
	if (snap->gpu_type_count == LW_GPU_TYPES_MAX)
		return -ENOSPC;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	snap->gpu_types[snap->gpu_type_count++] = copy;
	return (int)snap->gpu_type_count - 1;
}

int lw_snapshot_some_gpu_type(struct lw_snapshot *snap, const char *name)
{
	if (lw_snapshot_find_gpu_type(snap, name) < 0 &&
	    snap->gpu_type_count >= LW_GPU_TYPES_MAX - 1)
		name = LW_GPU_OTHERS;
	return lw_snapshot_gpu_type(snap, name);
}

void lw_snapshot_drop_gpu_types(struct lw_snapshot *snap, uint32_t count)
{
	while (snap->gpu_type_count > count) {
		free(snap->gpu_types[--snap->gpu_type_count]);
		snap->gpu_types[snap->gpu_type_count] = NULL;
		snap->gpu_draw[snap->gpu_type_count] = (struct lw_gpu_draw){ 0 };
	}
}

int lw_snapshot_add_node(struct lw_snapshot *snap, const char *name, const struct lw_res *total,
			 bool usable, struct lw_error *err)
{
	struct lw_node *node;
	char *copy;

	if (snap->set_count || snap->domains.count)
		return lw_error_set(err, -EINVAL,
				    "node %s: nodes must come before domains and sets", name);
	if (lw_grow((void **)&snap->nodes, &snap->node_room, snap->node_count + 1,
		    sizeof(*snap->nodes)) ||
	    lw_grow((void **)&snap->used, &snap->used_room, snap->node_count + 1,
		    sizeof(*snap->used)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	copy = strdup(name);
	if (!copy)
		return lw_error_set(err, -ENOMEM, "out of memory");
	snap->used[snap->node_count] = (struct lw_res){ 0 };
	node = &snap->nodes[snap->node_count++];
	node->name = copy;
	node->total = *total;
	node->usable = usable;
	node->weight = 1;
	node->linked = 0;
	return 0;
}

void lw_snapshot_set_linked(struct lw_snapshot *snap, uint32_t index, uint16_t linked)
{
	if (index < snap->node_count)
		snap->nodes[index].linked = linked;
}

void lw_snapshot_set_draw(struct lw_snapshot *snap, uint32_t type, double idle_w, double busy_w,
			  double node_w)
{
	uint64_t nodes = 0, gpus = 0;

	for (uint32_t i = 0; i < snap->node_count; i++) {
		nodes += snap->nodes[i].total.gpus[type] != 0;
		gpus += snap->nodes[i].total.gpus[type];
	}
	if (!gpus)
		return;
	node_w *= (double)nodes / (double)gpus;
	snap->gpu_draw[type] = (struct lw_gpu_draw){ (uint32_t)(idle_w + node_w + 0.5),
						     (uint32_t)(busy_w + node_w + 0.5) };
}

void lw_snapshot_weigh(struct lw_snapshot *snap, uint32_t node, uint32_t weight)
{
	if (node < snap->node_count)
		snap->nodes[node].weight = weight;
}

int lw_snapshot_grades(const struct lw_snapshot *snap, struct lw_grades *grades)
{
	uint64_t *weights = calloc((size_t)snap->node_count + 1, sizeof(*weights));
	int rc;

	lw_grades_fini(grades);
	if (!weights)
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->node_count; i++)
		weights[i] = snap->nodes[i].weight;
	rc = lw_grades_make(grades, weights, snap->node_count);
	free(weights);
	return rc;
}

int lw_snapshot_add_domain(struct lw_snapshot *snap, const char *name, uint32_t parent,
			   const struct lw_bitset *nodes, struct lw_error *err)
{
	if (nodes->bits != snap->node_count)
		return lw_error_set(err, -EINVAL, "domain %s: made for %u nodes, there are %u",
				    name, nodes->bits, snap->node_count);
	return lw_domains_add(&snap->domains, name, parent, nodes, err);
}

int lw_snapshot_add_size(struct lw_snapshot *snap, const struct lw_mix_size *size,
			 struct lw_error *err)
{
	if (!size->gpus || !size->nodes)
		return lw_error_set(err, -EINVAL, "mix: a size without %s",
				    size->gpus ? "nodes" : "GPUs");
	if (!size->weight || size->weight > LW_MIX_ONE)
		return lw_error_set(err, -EINVAL, "mix: weight %u is not 1 to %u", size->weight,
				    LW_MIX_ONE);
	if (size->gpu_type < LW_GPU_ANY || size->gpu_type >= (int)snap->gpu_type_count)
		return lw_error_set(err, -EINVAL, "mix: no GPU type %d", size->gpu_type);
	if (snap->mix.count == LW_MIX_MAX)
		return lw_error_set(err, -EINVAL, "mix: more than %d sizes", LW_MIX_MAX);
	snap->mix.sizes[snap->mix.count++] = *size;
	return 0;
}

void lw_snapshot_renumber(const struct lw_snapshot *snap, struct lw_mix *mix, char *const *names,
			  uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < mix->count; i++) {
		struct lw_mix_size size = mix->sizes[i];
		int type = size.gpu_type;

		if (type != LW_GPU_ANY)
			type = (uint32_t)type < count ? lw_snapshot_find_gpu_type(snap, names[type])
						      : -ENOENT;
		if (type < LW_GPU_ANY)
			continue;
		size.gpu_type = (int8_t)type;
		mix->sizes[kept++] = size;
	}
	mix->count = kept;
}

int lw_snapshot_add_set(struct lw_snapshot *snap, const char *name,
			const struct lw_bitset *nodes, struct lw_error *err)
{
	struct lw_node_set *set;

	if (nodes->bits != snap->node_count)
		return lw_error_set(err, -EINVAL, "set %s: made for %u nodes, there are %u", name,
				    nodes->bits, snap->node_count);
	if (lw_grow((void **)&snap->sets, &snap->set_room, snap->set_count + 1,
		    sizeof(*snap->sets)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	set = &snap->sets[snap->set_count];
	set->name = strdup(name);
	if (!set->name)
		return lw_error_set(err, -ENOMEM, "out of memory");
	if (lw_bitset_copy(&set->nodes, nodes)) {
		free(set->name);
		return lw_error_set(err, -ENOMEM, "out of memory");
	}
	snap->set_count++;
	return 0;
}

int lw_snapshot_add_resv_window(struct lw_snapshot *snap, const struct lw_bitset *nodes,
				int64_t from_s, int64_t until_s, struct lw_error *err)
{
	struct lw_resv_window *resv_window;

	if (snap->resv_window_count == LW_RESV_WINDOWS_MAX)
		return lw_error_set(err, -ENOSPC, "more than %d closures", LW_RESV_WINDOWS_MAX);
	if (nodes->bits != snap->node_count || until_s <= from_s)
		return lw_error_set(err, -EINVAL, "closure %u: wrong nodes or times",
				    snap->resv_window_count);
	if (lw_grow((void **)&snap->resv_windows, &snap->resv_window_room,
		    snap->resv_window_count + 1, sizeof(*snap->resv_windows)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	resv_window = &snap->resv_windows[snap->resv_window_count];
	*resv_window = (struct lw_resv_window){ .from_s = from_s, .until_s = until_s };
	if (lw_bitset_copy(&resv_window->nodes, nodes))
		return lw_error_set(err, -ENOMEM, "out of memory");
	snap->resv_window_count++;
	return 0;
}

static bool snapshot_same_needs(const struct lw_snapshot *snap,
				const struct lw_coallocation *coallocation,
				const struct lw_need *needs, uint32_t count)
{
	const struct lw_need *own = &snap->needs[coallocation->first_need];

	if (coallocation->need_count != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (own[i].set != needs[i].set ||
		    !lw_request_equal(&own[i].request, &needs[i].request))
			return false;
	}
	return true;
}

/*
 * One co-allocation a hash is known; another with the same hash gets a new number, which is
 * harmless.
 */
static bool snapshot_find_coallocation(const struct lw_snapshot *snap,
				       const struct lw_need *needs, uint32_t count,
				       uint32_t *ret_coallocation, uint64_t *ret_hash)
{
	uint32_t at;

	*ret_hash = count;
	for (uint32_t i = 0; i < count; i++)
		*ret_hash = lw_need_hash(*ret_hash, &needs[i]);
	if (!lw_lookup_get(&snap->coallocation_index, *ret_hash, &at) ||
	    !snapshot_same_needs(snap, &snap->coallocations[at], needs, count))
		return false;
	*ret_coallocation = at + 1;
	return true;
}

int lw_snapshot_add_coallocation(struct lw_snapshot *snap, const struct lw_need *needs,
				 uint32_t count, uint32_t *ret_coallocation, struct lw_error *err)
{
	int rc = count ? 0 : lw_error_set(err, -EINVAL, "a co-allocation of nothing");
	uint64_t hash;

	for (uint32_t i = 0; !rc && i < count; i++)
		rc = lw_snapshot_check_need(snap, snap->coallocation_count + 1, &needs[i], err);
	if (rc || snapshot_find_coallocation(snap, needs, count, ret_coallocation, &hash))
		return rc;
	if (lw_grow((void **)&snap->coallocations, &snap->coallocation_room,
		    snap->coallocation_count + 1, sizeof(*snap->coallocations)) ||
	    lw_grow((void **)&snap->needs, &snap->need_room, snap->need_count + count,
		    sizeof(*snap->needs)) ||
	    lw_lookup_put(&snap->coallocation_index, hash, snap->coallocation_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	snap->coallocations[snap->coallocation_count++] =
		(struct lw_coallocation){ .first_need = snap->need_count, .need_count = count };
	memcpy(&snap->needs[snap->need_count], needs, count * sizeof(*needs));
	snap->need_count += count;
	*ret_coallocation = snap->coallocation_count;
	return 0;
}
