/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the GPUs that one step shares with other jobs: its own part, and its neighbours. */
/*
 * Each tenant takes care of itself: from the others' records it knows which came last, and no
 * step ever does anything to another job.
 */
#include "record/shared.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lw_shared_init(struct lw_shared *shared, const struct lw_shared_calls *calls,
		    const char *dir, const struct lw_log *log)
{
	if (calls)
		shared->calls = *calls;
	shared->dir = dir;
	shared->log = log;
	shared->owners.ask = shared->calls.owner;
	shared->owners.arg = shared->calls.arg;
}

/* A clock that was set back must not keep us from it. */
static bool shared_is_due(bool done, int64_t done_s, int64_t now_s)
{
	return !done || now_s < done_s || now_s - done_s >= LW_RECORD_SLOW_EVERY_S;
}

static void shared_look_around(struct lw_shared *shared, struct lw_record *record, int64_t now_s)
{
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		struct lw_neighbours *there = &shared->neighbours[g];

		lw_neighbours_look(there, shared->dir, &record->head, record->head.gpu[g].id);
		for (uint32_t i = 0; i < there->count; i++)
			lw_record_note_neighbour(record, g, there->one[i].job_id, now_s);
	}
	shared->looked = true;
	shared->looked_s = now_s;
}

void lw_shared_read(struct lw_shared *shared, const struct lw_sampler_ops *ops, void *state,
		    struct lw_record *record, int64_t now_s, struct lw_gpu_sample *own)
{
	struct lw_gpu_process list[LW_GPU_PROCESSES_MAX];
	struct lw_gpu_sample device[LW_RECORD_GPUS_MAX] = { { 0 } };

	shared->owners.job_id = record->head.job_id;
	ops->sample(state, now_s, device);
	if (shared_is_due(shared->looked, shared->looked_s, now_s))
		shared_look_around(shared, record, now_s);
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		int count = ops->processes ? ops->processes(state, g, list) : -ENOTSUP;

		lw_owners_split(&shared->owners, list, count, shared->neighbours[g].count,
				&device[g], &own[g]);
	}
}

bool lw_shared_knows(struct lw_shared *shared, int64_t now_s)
{
	int rc;

	if (shared->asked || !shared->calls.ask ||
	    !shared_is_due(shared->asked_s != 0, shared->asked_s, now_s))
		return shared->opted_in;
	shared->asked_s = now_s;
	rc = shared->calls.ask(shared->calls.arg, &shared->job);
	shared->asked = !rc || rc == -ENOENT;
	shared->opted_in = !rc && !shared->job.mark.left[0];
	return shared->opted_in;
}

static struct lw_guard_view shared_view_of(const struct lw_shared *shared,
					   const struct lw_record *record, uint32_t gpu,
					   const struct lw_gpu_sample *own)
{
	return (struct lw_guard_view){
		.has_memory = (own->has & 1u << LW_METRIC_DMEM) != 0,
		.used_mib = own->value[LW_METRIC_DMEM],
		.total_mib = record->head.gpu[gpu].mem_total_mib,
		.neighbours = shared->neighbours[gpu].count,
		.newest = lw_neighbours_is_newest(&shared->neighbours[gpu], &record->head),
	};
}

static enum lw_guard_act shared_judge_gpu(struct lw_shared *shared,
					  const struct lw_record *record, uint32_t gpu,
					  const struct lw_gpu_sample *own)
{
	struct lw_guard_view view = shared_view_of(shared, record, gpu, own);

	view.neighbours = 1;
	view.newest = true;
	if (!lw_guard_judge(&shared->job.mark, &view))
		return LW_GUARD_NOTHING;
	/* a tenant that came just now counts, too */
	lw_neighbours_look(&shared->neighbours[gpu], shared->dir, &record->head,
			   record->head.gpu[gpu].id);
	view = shared_view_of(shared, record, gpu, own);
	return lw_guard_judge(&shared->job.mark, &view);
}

enum lw_guard_act lw_shared_judge(struct lw_shared *shared, const struct lw_record *record,
				  int64_t now_s, const struct lw_gpu_sample *own,
				  uint32_t *ret_gpu)
{
	enum lw_guard_act worst = LW_GUARD_NOTHING;

	if (shared->left || !lw_shared_knows(shared, now_s))
		return LW_GUARD_NOTHING;
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		enum lw_guard_act act = shared_judge_gpu(shared, record, g, &own[g]);

		if (act > worst) {
			worst = act;
			*ret_gpu = g;
		}
	}
	return worst == LW_GUARD_WARN && shared->warned ? LW_GUARD_NOTHING : worst;
}

static void shared_note_event(struct lw_record *record, const char *word, int64_t now_s,
			      const struct lw_gpu_sample *own)
{
	struct lw_record_event event = { .at_s = now_s, .mem_mib = own->value[LW_METRIC_DMEM] };

	snprintf(event.word, sizeof(event.word), "%s", word);
	lw_record_note_event(record, &event);
}

static void shared_tell_user(const struct lw_shared *shared, const char *line)
{
	if (shared->calls.tell)
		shared->calls.tell(shared->calls.arg, line);
}

void lw_shared_say(struct lw_shared *shared, struct lw_record *record, const char *event,
		   const char *line, int64_t now_s, const struct lw_gpu_sample *own)
{
	shared_note_event(record, event, now_s, own);
	shared_tell_user(shared, line);
}

void lw_shared_warn(struct lw_shared *shared, struct lw_record *record, uint32_t gpu,
		    int64_t now_s, const struct lw_gpu_sample *own)
{
	const struct lw_sharemark *mark = &shared->job.mark;
	uint32_t total = record->head.gpu[gpu].mem_total_mib;
	char line[320];

	snprintf(line, sizeof(line),
		 "leeway: memory of the GPU that this job shares runs short: %" PRIu32
		 " of %" PRIu32 " MiB are in use, and this job came last. At %" PRIu64
		 " MiB it is ended%s",
		 own[gpu].value[LW_METRIC_DMEM], total, (uint64_t)total * mark->mem_hard / 1000,
		 shared->job.can_requeue ? ", and requeued to a whole GPU" : "");
	shared->warned = true;
	shared_note_event(record, "warned", now_s, &own[gpu]);
	shared_tell_user(shared, line);
}

void lw_shared_announce(struct lw_shared *shared, struct lw_record *record, uint32_t gpu,
			int64_t now_s, const struct lw_gpu_sample *own)
{
	uint32_t total = record->head.gpu[gpu].mem_total_mib;
	char line[320];

	if (shared->announced)
		return;
	shared->announced = true;
	snprintf(line, sizeof(line),
		 "leeway: this job is ended%s, since memory of the GPU that it shares ran out: "
		 "%" PRIu32 " of %" PRIu32 " MiB are in use, and it came last",
		 shared->job.can_requeue ? ", and requeued to a whole GPU" : "",
		 own[gpu].value[LW_METRIC_DMEM], total);
	shared_note_event(record, "left-memory", now_s, &own[gpu]);
	shared_tell_user(shared, line);
}

void lw_shared_leave(struct lw_shared *shared, uint32_t job_id)
{
	struct lw_sharemark mark = lw_sharemark_leaving(&shared->job.mark, "memory");
	int rc = shared->calls.leave ? shared->calls.leave(shared->calls.arg, &shared->job, &mark)
				     : -ENOSYS;

	shared->left = !rc;
	if (rc)
		lw_log_error(shared->log,
			     "job %" PRIu32 ": it could not be ended for memory of its GPU: %s",
			     job_id, strerror(-rc));
}
