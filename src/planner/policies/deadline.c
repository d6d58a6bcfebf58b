/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: promises that are deadlines, with a slack that depends on the load. */
#include "planner/policies/deadline.h"

#include "base/grow.h"
#include "planner/cycle/relax.h"

#include <errno.h>
#include <stdlib.h>

void lw_backlog_fini(struct lw_backlog *backlog)
{
	free(backlog->width);
	free(backlog->words);
	*backlog = (struct lw_backlog){ 0 };
}

int lw_backlog_begin(struct lw_backlog *backlog, const struct lw_cycle *cycle)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	if (lw_grow((void **)&backlog->width, &backlog->room, cycle->snap->set_count,
		    sizeof(*backlog->width)) ||
	    lw_grow((void **)&backlog->words, &backlog->word_room,
		    cycle->snap->node_count / 64 + 1, sizeof(*backlog->words)))
		return -ENOMEM;
	for (uint32_t s = 0; s < cycle->snap->set_count; s++)
		backlog->width[s] = 0;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		/* nor does a follower wait for room: it gets that of another job */
		if (lw_cycle_is_ahead(cycle, class->begin_s) ||
		    lw_snapshot_awaited(cycle->snap, &class->constraints))
			continue;
		backlog->width[class->set] +=
			(double)class->task_count * lw_width(&cycle->scale, &class->request);
	}
	return 0;
}

double lw_backlog_all(const struct lw_backlog *backlog, const struct lw_cycle *cycle)
{
	double width = 0;

	for (uint32_t s = 0; s < cycle->snap->set_count; s++)
		width += backlog->width[s];
	return width;
}

void lw_backlog_started(struct lw_backlog *backlog, const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];

	backlog->width[job->set] -= lw_width(&cycle->scale, &job->request);
}

static double deadline_queued_for(const struct lw_backlog *backlog, const struct lw_cycle *cycle,
				  uint32_t set)
{
	const struct lw_bitset *nodes = &cycle->usable[set];
	uint32_t count = lw_bitset_words(nodes, backlog->words);
	double width = 0;

	/* heads share no nodes, so the test of all of them looks at few words */
	for (uint32_t other = 0; other < cycle->snap->set_count; other++) {
		if (other == set ||
		    lw_bitset_intersects_at(nodes, &cycle->usable[other], backlog->words, count))
			width += backlog->width[other];
	}
	return width;
}

int64_t lw_deadline_s(const struct lw_backlog *backlog, const struct lw_cycle *cycle,
		      uint32_t index, int64_t promise_s)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	const struct lw_policy_params *params = cycle->params;
	double slack = (double)lw_relax_slack(params, cycle->snap->queue.count, job->submit_s,
					      promise_s);
	double queued, whole, cap = (double)params->slack_cap_s;

	if (slack > 0 && params->backlog > 0) {
		queued = deadline_queued_for(backlog, cycle, job->set) -
			 lw_width(&cycle->scale, &job->request);
		whole = params->backlog *
			lw_width_of_set(&cycle->scale, cycle->snap, job->set);
		if (queued < whole)
			cap *= queued > 0 ? queued / whole : 0;
		if (slack > cap)
			slack = cap;
	}
	return promise_s + (int64_t)slack;
}
