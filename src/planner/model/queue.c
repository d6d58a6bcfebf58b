/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs of a snapshot, in order and in classes of equal requests. */
#include "planner/model/queue.h"

#include "base/grow.h"
#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256u

void lw_queue_fini(struct lw_queue *queue)
{
	for (uint32_t i = 0; i < queue->class_count; i++)
		free(queue->classes[i].members);
	free(queue->classes);
	free(queue->active);
	free(queue->slots);
	free(queue->order);
	free(queue->class_of);
	free(queue->seq);
	memset(queue, 0, sizeof(*queue));
}

void lw_queue_clear(struct lw_queue *queue)
{
	for (uint32_t i = 0; i < queue->active_count; i++) {
		queue->classes[queue->active[i]].member_count = 0;
		queue->classes[queue->active[i]].task_count = 0;
	}
	queue->active_count = 0;
	queue->count = 0;
	queue->next_seq = 0;
}

#define SAME(type, name, ...) &&class->name == job->name

static bool queue_belongs(const struct lw_class *class, const struct lw_waiting *job,
			  uint64_t hash)
{
	return class->hash == hash &&
	       lw_constraints_equal(&class->constraints, &job->constraints) &&
	       lw_request_equal(&class->request, &job->request)
#define LW_CLASS SAME
#include "planner/model/job.def"
		;
}

/* The slot of the class of JOB, or the empty one where it belongs; half are empty. */
static uint32_t *queue_slot_of(const struct lw_queue *queue, const struct lw_waiting *job,
			       uint64_t hash)
{
	uint64_t i = hash & (queue->slot_count - 1);

	while (queue->slots[i] && !queue_belongs(&queue->classes[queue->slots[i] - 1], job, hash))
		i = (i + 1) & (queue->slot_count - 1);
	return &queue->slots[i];
}

static int queue_grow_slots(struct lw_queue *queue)
{
	uint32_t count = queue->slot_count ? queue->slot_count * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(queue->slots);
	queue->slots = slots;
	queue->slot_count = count;
	for (uint32_t number = 0; number < queue->class_count; number++) {
		uint64_t i = queue->classes[number].hash & (count - 1);

		while (slots[i])
			i = (i + 1) & (count - 1);
		slots[i] = number + 1;
	}
	return 0;
}

static struct lw_class queue_class_of(const struct lw_waiting *job, uint64_t hash)
{
	return (struct lw_class){
#define LW_CLASS(type, name, ...) .name = job->name,
#include "planner/model/job.def"
		.constraints = job->constraints,
		.request = job->request,
		.hash = hash,
	};
}

static int queue_class_for(struct lw_queue *queue, const struct lw_waiting *job,
			   uint32_t *ret_class)
{
	uint64_t hash = lw_waiting_class_hash(job);
	uint32_t *slot;

	if (queue->class_count * 2 >= queue->slot_count && queue_grow_slots(queue))
		return -ENOMEM;
	slot = queue_slot_of(queue, job, hash);
	if (!*slot) {
		if (lw_grow((void **)&queue->classes, &queue->class_room,
			    queue->class_count + 1, sizeof(*queue->classes)))
			return -ENOMEM;
		queue->classes[queue->class_count++] = queue_class_of(job, hash);
		*slot = queue->class_count;
	}
	*ret_class = *slot - 1;
	return 0;
}

/* The place of job INDEX in a list that is in order of addition. */
static uint32_t queue_place_of(const struct lw_queue *queue, const uint32_t *list, uint32_t count,
			       uint32_t index)
{
	uint32_t at;

	LW_SEARCH(at, count, queue->seq[list[at]] < queue->seq[index]);
	return at;
}

static int queue_make_room(struct lw_queue *queue, uint32_t index)
{
	if (lw_grow((void **)&queue->order, &queue->order_room, queue->count + 1,
		    sizeof(*queue->order)) ||
	    lw_grow((void **)&queue->class_of, &queue->class_of_room, index + 1,
		    sizeof(*queue->class_of)) ||
	    lw_grow((void **)&queue->seq, &queue->seq_room, index + 1, sizeof(*queue->seq)))
		return -ENOMEM;
	return 0;
}

static void queue_put_in(uint32_t *list, uint32_t *count, uint32_t pos, uint32_t index)
{
	memmove(list + pos + 1, list + pos, (*count - pos) * sizeof(*list));
	list[pos] = index;
	(*count)++;
}

static int queue_add_member(struct lw_queue *queue, uint32_t index)
{
	uint32_t number = queue->class_of[index];
	struct lw_class *class = &queue->classes[number];

	if (lw_grow((void **)&class->members, &class->member_room, class->member_count + 1,
		    sizeof(*class->members)) ||
	    lw_grow((void **)&queue->active, &queue->active_room, queue->active_count + 1,
		    sizeof(*queue->active)))
		return -ENOMEM;
	if (!class->member_count) {
		class->active_pos = queue->active_count;
		queue->active[queue->active_count++] = number;
	}
	queue_put_in(class->members, &class->member_count,
		     queue_place_of(queue, class->members, class->member_count, index), index);
	return 0;
}

static void queue_cut_out(uint32_t *list, uint32_t *count, uint32_t pos)
{
	(*count)--;
	memmove(list + pos, list + pos + 1, (*count - pos) * sizeof(*list));
}

static void queue_remove_member(struct lw_queue *queue, uint32_t index)
{
	struct lw_class *class = &queue->classes[queue->class_of[index]];
	uint32_t last;

	queue_cut_out(class->members, &class->member_count,
		      queue_place_of(queue, class->members, class->member_count, index));
	if (class->member_count)
		return;
	last = queue->active[--queue->active_count];
	queue->active[class->active_pos] = last;
	queue->classes[last].active_pos = class->active_pos;
}

void lw_class_expect(struct lw_class *class, const struct lw_expectation *expected)
{
	class->expected = *expected;
	if (!expected->mean_s)
		class->expected.mean_s = class->limit_s;
}

int lw_queue_insert(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index,
		    uint64_t seq)
{
	const struct lw_waiting *job = &jobs[index];
	struct lw_class *class;

	if (queue_make_room(queue, index) || queue_class_for(queue, job, &queue->class_of[index]))
		return -ENOMEM;
	queue->seq[index] = seq;
	if (job->readiness == LW_READY && queue_add_member(queue, index))
		return -ENOMEM;
	class = &queue->classes[queue->class_of[index]];
	lw_class_expect(class, &job->expected);
	if (job->readiness == LW_READY)
		class->task_count += job->tasks;
	if (queue->next_seq <= seq)
		queue->next_seq = seq + 1;
	queue_put_in(queue->order, &queue->count,
		     queue_place_of(queue, queue->order, queue->count, index), index);
	return 0;
}

int lw_queue_add(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index)
{
	return lw_queue_insert(queue, jobs, index, queue->next_seq);
}

void lw_queue_remove(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index)
{
	queue_cut_out(queue->order, &queue->count,
		      queue_place_of(queue, queue->order, queue->count, index));
	if (jobs[index].readiness != LW_READY)
		return;
	queue->classes[queue->class_of[index]].task_count -= jobs[index].tasks;
	queue_remove_member(queue, index);
}
