/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one moment of a cluster: nodes, running jobs and the queue. */
#include "policy/snapshot.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_snapshot_init(struct lw_snapshot *snap, int64_t now_s)
{
	memset(snap, 0, sizeof(*snap));
	snap->now_s = now_s;
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
	free(snap->nodes);
	free(snap->sets);
	free(snap->running);
	free(snap->allocs);
	free(snap->waiting);
	lw_snapshot_init(snap, 0);
}

void lw_snapshot_next(struct lw_snapshot *snap, int64_t now_s)
{
	snap->now_s = now_s;
	snap->running_count = 0;
	snap->alloc_count = 0;
	snap->waiting_count = 0;
}

int lw_snapshot_gpu_type(struct lw_snapshot *snap, const char *name)
{
	char *copy;

	for (uint32_t i = 0; i < snap->gpu_type_count; i++) {
		if (!strcmp(snap->gpu_types[i], name))
			return (int)i;
	}
	if (snap->gpu_type_count == LW_GPU_TYPES_MAX)
		return -ENOSPC;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	snap->gpu_types[snap->gpu_type_count++] = copy;
	return (int)snap->gpu_type_count - 1;
}

int lw_snapshot_add_node(struct lw_snapshot *snap, const char *name, const struct lw_res *total,
			 bool usable, struct lw_error *err)
{
	struct lw_node *node;
	char *copy;

	if (snap->set_count)
		return lw_error_set(err, -EINVAL, "node %s: nodes must come before sets", name);
	if (lw_grow((void **)&snap->nodes, &snap->node_room, snap->node_count + 1,
		    sizeof(*snap->nodes)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	copy = strdup(name);
	if (!copy)
		return lw_error_set(err, -ENOMEM, "out of memory");
	node = &snap->nodes[snap->node_count++];
	node->name = copy;
	node->total = *total;
	node->usable = usable;
	return 0;
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

int lw_snapshot_add_running(struct lw_snapshot *snap, const struct lw_running *job,
			    const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	struct lw_running *copy;

	for (uint32_t i = 0; i < count; i++) {
		if (allocs[i].node >= snap->node_count)
			return lw_error_set(err, -EINVAL, "running %u: no node %u", job->job_id,
					    allocs[i].node);
	}
	if (lw_grow((void **)&snap->running, &snap->running_room, snap->running_count + 1,
		    sizeof(*snap->running)) ||
	    lw_grow((void **)&snap->allocs, &snap->alloc_room, snap->alloc_count + count,
		    sizeof(*snap->allocs)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	copy = &snap->running[snap->running_count++];
	*copy = *job;
	copy->first_alloc = snap->alloc_count;
	copy->alloc_count = count;
	if (count)
		memcpy(snap->allocs + snap->alloc_count, allocs, count * sizeof(*allocs));
	snap->alloc_count += count;
	return 0;
}

/* Each field a planner relies on, so that it never has to ask again. */
static int check_waiting(const struct lw_snapshot *snap, const struct lw_waiting *job,
			 struct lw_error *err)
{
	const struct lw_request *req = &job->request;

	if (job->set >= snap->set_count)
		return lw_error_set(err, -EINVAL, "waiting %u: no set %u", job->job_id, job->set);
	if (job->limit_s < 1)
		return lw_error_set(err, -EINVAL, "waiting %u: limit below one second",
				    job->job_id);
	if (req->nodes_min < 1 || req->nodes_max < req->nodes_min)
		return lw_error_set(err, -EINVAL, "waiting %u: nodes %u-%u", job->job_id,
				    req->nodes_min, req->nodes_max);
	if (req->gpu_type < LW_GPU_ANY || req->gpu_type >= (int)snap->gpu_type_count)
		return lw_error_set(err, -EINVAL, "waiting %u: no GPU type %d", job->job_id,
				    req->gpu_type);
	if (job->tasks < 1)
		return lw_error_set(err, -EINVAL, "waiting %u: no tasks", job->job_id);
	return 0;
}

int lw_snapshot_add_waiting(struct lw_snapshot *snap, const struct lw_waiting *job,
			    struct lw_error *err)
{
	int rc = check_waiting(snap, job, err);

	if (rc)
		return rc;
	if (lw_grow((void **)&snap->waiting, &snap->waiting_room, snap->waiting_count + 1,
		    sizeof(*snap->waiting)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	snap->waiting[snap->waiting_count++] = *job;
	return 0;
}
