/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is still to happen in a run of leeway sim, and when. */
#include "lab/sim/agenda.h"

#include "base/grow.h"
#include "base/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Two jobs of a trace may have one id. */
static bool ends_before(const struct lw_agenda_end *a, const struct lw_agenda_end *b)
{
	if (a->end_s != b->end_s)
		return a->end_s < b->end_s;
	return a->id != b->id ? a->id < b->id : a->job < b->job;
}

LW_HEAP(ends, struct lw_agenda_end, ends_before)

int lw_agenda_start(struct lw_agenda *agenda, uint32_t job)
{
	struct lw_agenda_end end = { .end_s = lw_sim_job_end_s(&agenda->jobs[job]),
				     .id = agenda->jobs[job].id,
				     .job = job };

	if (lw_grow((void **)&agenda->ends, &agenda->end_room, agenda->end_count + 1,
		    sizeof(*agenda->ends)))
		return -ENOMEM;
	ends_push(agenda->ends, &agenda->end_count, end);
	return 0;
}

void lw_agenda_stop(struct lw_agenda *agenda, uint32_t job)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < agenda->end_count; i++)
		if (agenda->ends[i].job != job)
			agenda->ends[kept++] = agenda->ends[i];
	agenda->end_count = kept;
	ends_make(agenda->ends, kept);
}

static int64_t cancel_s(const struct lw_sim_job *job)
{
	return job->submit_s + job->cancel_after_s;
}

struct cancel {
	int64_t at_s;
	uint32_t id, index;
};

static int by_cancel(const void *a, const void *b)
{
	const struct cancel *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* A list of its own, since few traces have any. */
static int list_cancels(struct lw_agenda *agenda)
{
	struct cancel *cancels = calloc((size_t)agenda->job_count + 1, sizeof(*cancels));
	uint32_t count = 0;

	agenda->cancels = calloc((size_t)agenda->job_count + 1, sizeof(*agenda->cancels));
	if (!cancels || !agenda->cancels) {
		free(cancels);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < agenda->job_count; i++) {
		const struct lw_sim_job *job = &agenda->jobs[i];

		if (job->cancel_after_s)
			cancels[count++] = (struct cancel){
				.at_s = cancel_s(job),
				.id = job->id,
				.index = i,
			};
	}
	qsort(cancels, count, sizeof(*cancels), by_cancel);
	for (uint32_t i = 0; i < count; i++)
		agenda->cancels[i] = cancels[i].index;
	agenda->cancel_count = count;
	free(cancels);
	return 0;
}

int lw_agenda_init(struct lw_agenda *agenda, const struct lw_sim_job *jobs, uint32_t job_count)
{
	*agenda = (struct lw_agenda){
		.jobs = jobs,
		.job_count = job_count,
		.wake_s = INT64_MAX,
		.open_s = INT64_MAX,
		.lease_s = INT64_MAX,
		.ripe_s = INT64_MAX,
		.plan_s = INT64_MAX,
		.main_s = INT64_MAX,
	};
	return list_cancels(agenda);
}

void lw_agenda_fini(struct lw_agenda *agenda)
{
	free(agenda->ends);
	free(agenda->cancels);
	memset(agenda, 0, sizeof(*agenda));
}

/* When the first of each kind happens, or INT64_MAX. */
static int64_t next_submit_s(const struct lw_agenda *agenda)
{
	return agenda->submitted < agenda->job_count ? agenda->jobs[agenda->submitted].submit_s
						     : INT64_MAX;
}

static int64_t next_end_s(const struct lw_agenda *agenda)
{
	return agenda->end_count ? agenda->ends[0].end_s : INT64_MAX;
}

static int64_t next_cancel_s(const struct lw_agenda *agenda)
{
	return agenda->cancelled < agenda->cancel_count
		       ? cancel_s(&agenda->jobs[agenda->cancels[agenda->cancelled]])
		       : INT64_MAX;
}

static int64_t earlier(int64_t a_s, int64_t b_s)
{
	return a_s < b_s ? a_s : b_s;
}

/* Without cancellations. */
static int64_t next_event_s(const struct lw_agenda *agenda)
{
	return earlier(
		earlier(earlier(next_submit_s(agenda), next_end_s(agenda)), agenda->ripe_s),
		earlier(agenda->lease_s, earlier(agenda->wake_s, agenda->open_s)));
}

bool lw_agenda_happens(const struct lw_agenda *agenda, int64_t now_s)
{
	return earlier(next_event_s(agenda), next_cancel_s(agenda)) <= now_s;
}

bool lw_agenda_next(const struct lw_agenda *agenda, int64_t *ret_s)
{
	int64_t next_s = earlier(next_event_s(agenda), earlier(agenda->plan_s, agenda->main_s));

	if (next_s == INT64_MAX && (!agenda->cancels_count || next_cancel_s(agenda) == next_s))
		return false;
	*ret_s = earlier(next_s, next_cancel_s(agenda));
	return true;
}

bool lw_agenda_end(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job)
{
	if (next_end_s(agenda) > now_s)
		return false;
	*ret_job = ends_pop(agenda->ends, &agenda->end_count).job;
	return true;
}

bool lw_agenda_cancel(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job)
{
	if (next_cancel_s(agenda) > now_s)
		return false;
	*ret_job = agenda->cancels[agenda->cancelled++];
	return true;
}

bool lw_agenda_submit(struct lw_agenda *agenda, int64_t now_s, uint32_t *ret_job)
{
	if (next_submit_s(agenda) > now_s)
		return false;
	*ret_job = agenda->submitted++;
	return true;
}
