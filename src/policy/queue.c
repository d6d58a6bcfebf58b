/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs of a snapshot, in order and in classes of equal requests. */
#include "policy/queue.h"

#include "base/grow.h"
#include "policy/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256u

void lw_queue_fini(struct lw_queue *queue)
{
	for (uint32_t i = 0; i < queue->class_count; i++)
		free(queue->classes[i].members);
	free(queue->classes);
	free(queue->slots);
	free(queue->order);
	free(queue->class_of);
	free(queue->seq);
	memset(queue, 0, sizeof(*queue));
}

void lw_queue_clear(struct lw_queue *queue)
{
	for (uint32_t i = 0; i < queue->class_count; i++)
		queue->classes[i].member_count = 0;
	queue->count = 0;
	queue->next_seq = 0;
}

/* Fowler, Noll, Vo (FNV-1a), over the values and not the padding between them. */
static uint32_t mix(uint32_t hash, uint64_t value)
{
	for (int i = 0; i < 8; i++) {
		hash = (hash ^ (uint32_t)(value & 0xff)) * 16777619u;
		value >>= 8;
	}
	return hash;
}

static uint32_t hash_of(const struct lw_waiting *job)
{
	const struct lw_request *req = &job->request;
	uint32_t hash = mix(2166136261u, job->set);

	hash = mix(hash, (uint64_t)job->limit_s);
	hash = mix(hash, (uint64_t)job->begin_s);
	hash = mix(hash, (uint64_t)req->nodes_min << 32 | req->nodes_max);
	hash = mix(hash, (uint64_t)req->cpus_per_node << 32 | req->mem_per_node_mib);
	hash = mix(hash, (uint64_t)req->mem_per_cpu_mib << 32 | req->mem_per_gpu_mib);
	hash = mix(hash, (uint64_t)req->gpus_per_node << 16 |
				 (uint64_t)(req->gpu_type + 1) << 1 | req->exclusive);
	return mix(hash, (uint64_t)req->cpus_total << 32 | req->gpus_total);
}

static bool same_request(const struct lw_request *a, const struct lw_request *b)
{
	return a->nodes_min == b->nodes_min && a->nodes_max == b->nodes_max &&
	       a->cpus_per_node == b->cpus_per_node &&
	       a->mem_per_node_mib == b->mem_per_node_mib &&
	       a->mem_per_cpu_mib == b->mem_per_cpu_mib &&
	       a->mem_per_gpu_mib == b->mem_per_gpu_mib &&
	       a->gpus_per_node == b->gpus_per_node && a->gpu_type == b->gpu_type &&
	       a->exclusive == b->exclusive && a->cpus_total == b->cpus_total &&
	       a->gpus_total == b->gpus_total;
}

static bool belongs(const struct lw_class *class, const struct lw_waiting *job)
{
	return class->set == job->set && class->limit_s == job->limit_s &&
	       class->begin_s == job->begin_s && same_request(&class->request, &job->request);
}

/* The slot of the job's class, or the empty one where it belongs; half are empty. */
static uint32_t *slot_of(const struct lw_queue *queue, const struct lw_waiting *job)
{
	uint32_t i = hash_of(job) & (queue->slot_count - 1);

	while (queue->slots[i] && !belongs(&queue->classes[queue->slots[i] - 1], job))
		i = (i + 1) & (queue->slot_count - 1);
	return &queue->slots[i];
}

static int grow_slots(struct lw_queue *queue)
{
	uint32_t count = queue->slot_count ? queue->slot_count * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(queue->slots);
	queue->slots = slots;
	queue->slot_count = count;
	for (uint32_t i = 0; i < queue->class_count; i++) {
		const struct lw_class *class = &queue->classes[i];
		struct lw_waiting job = { .set = class->set, .limit_s = class->limit_s,
					  .begin_s = class->begin_s,
					  .request = class->request };

		*slot_of(queue, &job) = i + 1;
	}
	return 0;
}

static int class_for(struct lw_queue *queue, const struct lw_waiting *job, uint32_t *ret_class)
{
	uint32_t *slot;

	if (queue->class_count * 2 >= queue->slot_count && grow_slots(queue))
		return -ENOMEM;
	slot = slot_of(queue, job);
	if (!*slot) {
		if (lw_grow((void **)&queue->classes, &queue->class_room,
			    queue->class_count + 1, sizeof(*queue->classes)))
			return -ENOMEM;
		queue->classes[queue->class_count++] = (struct lw_class){
			.set = job->set,
			.limit_s = job->limit_s,
			.begin_s = job->begin_s,
			.request = job->request,
		};
		*slot = queue->class_count;
	}
	*ret_class = *slot - 1;
	return 0;
}

static bool before(const struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t a,
		   uint32_t b)
{
	int64_t x_s = lw_waiting_expect_s(&jobs[a]), y_s = lw_waiting_expect_s(&jobs[b]);

	if (queue->shortest_first && x_s != y_s)
		return x_s < y_s;
	return queue->seq[a] < queue->seq[b];
}

/* The first member that is not before INDEX. */
static uint32_t member_pos(const struct lw_queue *queue, const struct lw_class *class,
			   const struct lw_waiting *jobs, uint32_t index)
{
	uint32_t low = 0, high = class->member_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (before(queue, jobs, class->members[mid], index))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static uint32_t order_pos(const struct lw_queue *queue, uint32_t index)
{
	uint32_t low = 0, high = queue->count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (queue->seq[queue->order[mid]] < queue->seq[index])
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int make_room(struct lw_queue *queue, uint32_t index)
{
	if (lw_grow((void **)&queue->order, &queue->order_room, queue->count + 1,
		    sizeof(*queue->order)) ||
	    lw_grow((void **)&queue->class_of, &queue->class_of_room, index + 1,
		    sizeof(*queue->class_of)) ||
	    lw_grow((void **)&queue->seq, &queue->seq_room, index + 1, sizeof(*queue->seq)))
		return -ENOMEM;
	return 0;
}

static int add_member(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index)
{
	struct lw_class *class = &queue->classes[queue->class_of[index]];
	uint32_t pos;

	if (lw_grow((void **)&class->members, &class->member_room, class->member_count + 1,
		    sizeof(*class->members)))
		return -ENOMEM;
	pos = member_pos(queue, class, jobs, index);
	memmove(class->members + pos + 1, class->members + pos,
		(class->member_count - pos) * sizeof(*class->members));
	class->members[pos] = index;
	class->member_count++;
	return 0;
}

int lw_queue_add(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index)
{
	if (make_room(queue, index) ||
	    class_for(queue, &jobs[index], &queue->class_of[index]))
		return -ENOMEM;
	queue->seq[index] = queue->next_seq;
	if (jobs[index].readiness == LW_READY && add_member(queue, jobs, index))
		return -ENOMEM;
	queue->next_seq++;
	queue->order[queue->count++] = index;
	return 0;
}

void lw_queue_remove(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index)
{
	struct lw_class *class = &queue->classes[queue->class_of[index]];
	uint32_t pos = order_pos(queue, index);

	queue->count--;
	memmove(queue->order + pos, queue->order + pos + 1,
		(queue->count - pos) * sizeof(*queue->order));
	if (jobs[index].readiness != LW_READY)
		return;
	pos = member_pos(queue, class, jobs, index);
	class->member_count--;
	memmove(class->members + pos, class->members + pos + 1,
		(class->member_count - pos) * sizeof(*class->members));
}
