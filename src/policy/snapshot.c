/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one moment of a cluster: nodes, running jobs and the queue. */
#include "policy/snapshot.h"

#include "base/grow.h"

#include <errno.h>
#include <inttypes.h>
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
	for (uint32_t i = 0; i < snap->closure_count; i++)
		lw_bitset_fini(&snap->closures[i].nodes);
	free(snap->nodes);
	free(snap->sets);
	free(snap->closures);
	free(snap->bundles);
	free(snap->needs);
	free(snap->running);
	free(snap->allocs);
	free(snap->waiting);
	free(snap->used);
	free(snap->holes);
	lw_queue_fini(&snap->queue);
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

int lw_snapshot_add_closure(struct lw_snapshot *snap, const struct lw_bitset *nodes,
			    int64_t from_s, int64_t until_s, struct lw_error *err)
{
	struct lw_closure *closure;

	if (snap->closure_count == LW_CLOSURES_MAX)
		return lw_error_set(err, -ENOSPC, "more than %d closures", LW_CLOSURES_MAX);
	if (nodes->bits != snap->node_count || until_s <= from_s)
		return lw_error_set(err, -EINVAL, "closure %u: wrong nodes or times",
				    snap->closure_count);
	if (lw_grow((void **)&snap->closures, &snap->closure_room, snap->closure_count + 1,
		    sizeof(*snap->closures)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	closure = &snap->closures[snap->closure_count];
	*closure = (struct lw_closure){ .from_s = from_s, .until_s = until_s };
	if (lw_bitset_copy(&closure->nodes, nodes))
		return lw_error_set(err, -ENOMEM, "out of memory");
	snap->closure_count++;
	return 0;
}

static int check_request(const struct lw_snapshot *snap, const char *what, uint32_t number,
			 uint32_t set, const struct lw_request *req, struct lw_error *err)
{
	if (set >= snap->set_count)
		return lw_error_set(err, -EINVAL, "%s %u: no set %u", what, number, set);
	if (req->cap > LW_CAPS_MAX)
		return lw_error_set(err, -EINVAL, "%s %u: no cap %u", what, number, req->cap);
	if (req->nodes_min < 1 || req->nodes_max < req->nodes_min)
		return lw_error_set(err, -EINVAL, "%s %u: nodes %u-%u", what, number,
				    req->nodes_min, req->nodes_max);
	if (req->gpu_type < LW_GPU_ANY || req->gpu_type >= (int)snap->gpu_type_count)
		return lw_error_set(err, -EINVAL, "%s %u: no GPU type %d", what, number,
				    req->gpu_type);
	if (lw_request_beside(req) &&
	    (req->gpu_type == LW_GPU_ANY || req->gpus_beside[req->gpu_type] ||
	     (!req->gpus_per_node && !req->gpus_total)))
		return lw_error_set(err, -EINVAL, "%s %u: GPUs beside what type?", what, number);
	return 0;
}

static bool same_needs(const struct lw_snapshot *snap, const struct lw_bundle *bundle,
		       const struct lw_need *needs, uint32_t count)
{
	const struct lw_need *own = &snap->needs[bundle->first_need];

	if (bundle->need_count != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (own[i].set != needs[i].set ||
		    !lw_request_equal(&own[i].request, &needs[i].request))
			return false;
	}
	return true;
}

int lw_snapshot_add_bundle(struct lw_snapshot *snap, const struct lw_need *needs,
			   uint32_t count, uint32_t *ret_bundle, struct lw_error *err)
{
	int rc = count ? 0 : lw_error_set(err, -EINVAL, "a bundle of nothing");

	for (uint32_t i = 0; !rc && i < count; i++)
		rc = check_request(snap, "need", snap->bundle_count + 1, needs[i].set,
				   &needs[i].request, err);
	for (uint32_t i = 0; !rc && i < snap->bundle_count; i++) {
		if (same_needs(snap, &snap->bundles[i], needs, count)) {
			*ret_bundle = i + 1;
			return 0;
		}
	}
	if (rc)
		return rc;
	if (lw_grow((void **)&snap->bundles, &snap->bundle_room, snap->bundle_count + 1,
		    sizeof(*snap->bundles)) ||
	    lw_grow((void **)&snap->needs, &snap->need_room, snap->need_count + count,
		    sizeof(*snap->needs)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	snap->bundles[snap->bundle_count++] =
		(struct lw_bundle){ .first_need = snap->need_count, .need_count = count };
	memcpy(&snap->needs[snap->need_count], needs, count * sizeof(*needs));
	snap->need_count += count;
	*ret_bundle = snap->bundle_count;
	return 0;
}

static int check_terms(const struct lw_snapshot *snap, const struct lw_waiting *job,
		       struct lw_error *err)
{
	const struct lw_terms *terms = &job->terms;

	if (terms->bundle > snap->bundle_count)
		return lw_error_set(err, -EINVAL, "waiting %u: no needs %u", job->job_id,
				    terms->bundle);
	if (snap->closure_count < LW_CLOSURES_MAX && terms->closed >> snap->closure_count)
		return lw_error_set(err, -EINVAL, "waiting %u: there are only %u closures",
				    job->job_id, snap->closure_count);
	return 0;
}

static int check_allocs(const struct lw_snapshot *snap, const struct lw_running *job,
			const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	for (uint32_t i = 0; i < count; i++) {
		if (allocs[i].node >= snap->node_count)
			return lw_error_set(err, -EINVAL, "running %u: no node %u", job->job_id,
					    allocs[i].node);
	}
	if (job->kind >= LW_KINDS_MAX)
		return lw_error_set(err, -EINVAL, "running %u: kind %u is above %d", job->job_id,
				    job->kind, LW_KINDS_MAX - 1);
	if (job->expect_s < 0)
		return lw_error_set(err, -EINVAL, "running %u: expected to run less than 0 s",
				    job->job_id);
	return 0;
}

/* Removed jobs leave their allocs behind; move the living together when half are dead. */
static void pack_allocs(struct lw_snapshot *snap)
{
	uint32_t to = 0;

	if (snap->dead_allocs < 1024 || snap->dead_allocs * 2 < snap->alloc_count)
		return;
	/* in order of place, which is not the order of the jobs: mark by a copy */
	struct lw_alloc *packed = malloc(snap->alloc_room * sizeof(*packed));

	if (!packed)
		return; /* only a waste of memory */
	for (uint32_t i = 0; i < snap->running_count; i++) {
		struct lw_running *job = &snap->running[i];

		memcpy(packed + to, snap->allocs + job->first_alloc,
		       job->alloc_count * sizeof(*packed));
		job->first_alloc = to;
		to += job->alloc_count;
	}
	free(snap->allocs);
	snap->allocs = packed;
	snap->alloc_count = to;
	snap->dead_allocs = 0;
}

static int compare_ends(const struct lw_running *a, const struct lw_running *b)
{
	if (a->end_s != b->end_s)
		return a->end_s < b->end_s ? -1 : 1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

/* Put a copy of JOB at POS of running. */
static int put_running(struct lw_snapshot *snap, uint32_t pos, const struct lw_running *job,
		       const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	struct lw_running *copy;

	if (lw_grow((void **)&snap->running, &snap->running_room, snap->running_count + 1,
		    sizeof(*snap->running)) ||
	    lw_grow((void **)&snap->allocs, &snap->alloc_room, snap->alloc_count + count,
		    sizeof(*snap->allocs)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	copy = &snap->running[pos];
	memmove(copy + 1, copy, (snap->running_count - pos) * sizeof(*copy));
	snap->running_count++;
	*copy = *job;
	copy->first_alloc = snap->alloc_count;
	copy->alloc_count = count;
	for (uint32_t i = 0; i < count; i++) {
		snap->allocs[snap->alloc_count++] = allocs[i];
		lw_res_add(&snap->used[allocs[i].node], &allocs[i].res);
	}
	return 0;
}

int lw_snapshot_add_running(struct lw_snapshot *snap, const struct lw_running *job,
			    const struct lw_alloc *allocs, uint32_t count, struct lw_error *err)
{
	uint32_t last = snap->running_count;
	int rc = check_allocs(snap, job, allocs, count, err);

	if (rc)
		return rc;
	if (last && compare_ends(&snap->running[last - 1], job) > 0)
		snap->running_sorted = false;
	return put_running(snap, last, job, allocs, count, err);
}

/* The first running job that does not end before (END_S, JOB_ID). */
static uint32_t running_pos(const struct lw_snapshot *snap, const struct lw_running *job)
{
	uint32_t low = 0, high = snap->running_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (compare_ends(&snap->running[mid], job) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int lw_snapshot_insert_running(struct lw_snapshot *snap, const struct lw_running *job,
			       const struct lw_alloc *allocs, uint32_t count,
			       struct lw_error *err)
{
	int rc = check_allocs(snap, job, allocs, count, err);

	if (rc)
		return rc;
	return put_running(snap, running_pos(snap, job), job, allocs, count, err);
}

const struct lw_running *lw_snapshot_find_running(const struct lw_snapshot *snap,
						  uint32_t job_id, int64_t end_s)
{
	struct lw_running key = { .job_id = job_id, .end_s = end_s };
	uint32_t pos = running_pos(snap, &key);
	const struct lw_running *job = &snap->running[pos];

	if (pos == snap->running_count || job->job_id != job_id || job->end_s != end_s)
		return NULL;
	return job;
}

int lw_snapshot_remove_running(struct lw_snapshot *snap, uint32_t job_id, int64_t end_s)
{
	const struct lw_running *found = lw_snapshot_find_running(snap, job_id, end_s);
	struct lw_running *job;
	uint32_t pos;

	if (!found)
		return -ENOENT;
	pos = (uint32_t)(found - snap->running);
	job = &snap->running[pos];
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + i];

		lw_res_sub(&snap->used[alloc->node], &alloc->res);
	}
	snap->dead_allocs += job->alloc_count;
	snap->running_count--;
	memmove(job, job + 1, (snap->running_count - pos) * sizeof(*job));
	pack_allocs(snap);
	return 0;
}

/* Each field a planner relies on, so that it never has to ask again. */
static int check_waiting(const struct lw_snapshot *snap, const struct lw_waiting *job,
			 struct lw_error *err)
{
	int rc = check_request(snap, "waiting", job->job_id, job->set, &job->request, err);

	if (!rc)
		rc = check_terms(snap, job, err);
	if (rc)
		return rc;
	if (job->limit_s < 1)
		return lw_error_set(err, -EINVAL, "waiting %u: limit below one second",
				    job->job_id);
	if (job->tasks < 1)
		return lw_error_set(err, -EINVAL, "waiting %u: no tasks", job->job_id);
	if (job->terms.kind >= LW_KINDS_MAX)
		return lw_error_set(err, -EINVAL, "waiting %u: kind %u is above %d", job->job_id,
				    job->terms.kind, LW_KINDS_MAX - 1);
	if (job->expect_s < 0 || job->expect_s > job->limit_s)
		return lw_error_set(err, -EINVAL, "waiting %u: expected beyond its limit",
				    job->job_id);
	if (job->rank_s < 0 || job->rank_s > lw_waiting_expect_s(job))
		return lw_error_set(err, -EINVAL, "waiting %u: rank beyond what is expected",
				    job->job_id);
	if (job->tail_ms < 0 || job->tail_ms / 1000 > LW_TAIL_S)
		return lw_error_set(err, -EINVAL, "waiting %u: tail of %" PRId64 " ms",
				    job->job_id, job->tail_ms);
	return 0;
}

int lw_snapshot_add_waiting(struct lw_snapshot *snap, const struct lw_waiting *job,
			    struct lw_error *err)
{
	int rc = check_waiting(snap, job, err);
	uint32_t index;

	if (rc)
		return rc;
	if (lw_grow((void **)&snap->waiting, &snap->waiting_room, snap->waiting_count + 1,
		    sizeof(*snap->waiting)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	index = snap->hole_count ? snap->holes[snap->hole_count - 1] : snap->waiting_count;
	snap->waiting[index] = *job;
	if (lw_queue_add(&snap->queue, snap->waiting, index))
		return lw_error_set(err, -ENOMEM, "out of memory");
	if (job->variant)
		snap->variant_count++;
	if (snap->hole_count)
		snap->hole_count--;
	else
		snap->waiting_count++;
	return 0;
}

void lw_snapshot_expect(struct lw_snapshot *snap, uint32_t class_number, int64_t expect_s,
			int64_t tail_ms)
{
	struct lw_class *class = &snap->queue.classes[class_number];

	class->expect_s = expect_s;
	class->tail_ms = tail_ms;
}

void lw_snapshot_expect_jobs(struct lw_snapshot *snap, uint32_t class_number, int64_t expect_s,
			     int64_t tail_ms)
{
	const struct lw_class *class = &snap->queue.classes[class_number];

	lw_snapshot_expect(snap, class_number, expect_s, tail_ms);
	for (uint32_t i = 0; i < class->member_count; i++) {
		snap->waiting[class->members[i]].expect_s = expect_s;
		snap->waiting[class->members[i]].tail_ms = tail_ms;
	}
}

void lw_snapshot_rank(struct lw_snapshot *snap, uint32_t class_number, int64_t rank_s)
{
	snap->queue.classes[class_number].rank_s = rank_s;
}

void lw_snapshot_rank_jobs(struct lw_snapshot *snap, uint32_t class_number, int64_t rank_s)
{
	const struct lw_class *class = &snap->queue.classes[class_number];

	lw_snapshot_rank(snap, class_number, rank_s);
	for (uint32_t i = 0; i < class->member_count; i++)
		snap->waiting[class->members[i]].rank_s = rank_s;
}

void lw_snapshot_expect_stays(struct lw_snapshot *snap, uint32_t class_number, uint64_t stays)
{
	struct lw_class *class = &snap->queue.classes[class_number];

	class->stays = stays;
	for (uint32_t i = 0; i < class->member_count; i++)
		snap->waiting[class->members[i]].stays = stays;
}

void lw_snapshot_expect_running(struct lw_snapshot *snap, uint32_t index, int64_t expect_s)
{
	snap->running[index].expect_s = expect_s;
}

int lw_snapshot_remove_waiting(struct lw_snapshot *snap, uint32_t index)
{
	if (lw_grow((void **)&snap->holes, &snap->hole_room, snap->hole_count + 1,
		    sizeof(*snap->holes)))
		return -ENOMEM;
	if (snap->waiting[index].variant)
		snap->variant_count--;
	lw_queue_remove(&snap->queue, snap->waiting, index);
	snap->holes[snap->hole_count++] = index;
	return 0;
}
