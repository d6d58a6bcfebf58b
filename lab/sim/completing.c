/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes of leeway sim that take no new job yet, since one has just ended there. */
#include "lab/sim/completing.h"

#include "base/grow.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>
#include <string.h>

struct lw_completing_node {
	int64_t until_s;
	uint32_t node;
};

int lw_completing_init(struct lw_completing *completing, const struct lw_snapshot *snap,
		       int64_t after_s, uint32_t first_id)
{
	*completing = (struct lw_completing){ .after_s = after_s, .first_id = first_id };
	if (!after_s)
		return 0;
	completing->until_s = calloc((size_t)snap->node_count + 1, sizeof(*completing->until_s));
	if (!completing->until_s)
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->node_count; i++)
		completing->until_s[i] = LW_NO_TIME;
	return 0;
}

void lw_completing_fini(struct lw_completing *completing)
{
	free(completing->until_s);
	free(completing->queue);
	memset(completing, 0, sizeof(*completing));
}

/* All nodes are closed for the same time, so the last to close opens last. */
static int push(struct lw_completing *completing, uint32_t node, int64_t until_s)
{
	struct lw_completing_node *queue = completing->queue;

	if (completing->first && completing->count == completing->room) {
		completing->count -= completing->first;
		memmove(queue, queue + completing->first, completing->count * sizeof(*queue));
		completing->first = 0;
	}
	if (lw_grow((void **)&completing->queue, &completing->room, completing->count + 1,
		    sizeof(*queue)))
		return -ENOMEM;
	completing->queue[completing->count++] =
		(struct lw_completing_node){ .until_s = until_s, .node = node };
	return 0;
}

static void open_node(struct lw_completing *completing, struct lw_snapshot *snap, uint32_t node)
{
	if (completing->until_s[node] == LW_NO_TIME)
		return;
	(void)lw_snapshot_remove_running(snap, completing->first_id + node,
					 completing->until_s[node]);
	completing->until_s[node] = LW_NO_TIME;
}

static int close_node(struct lw_completing *completing, struct lw_snapshot *snap, uint32_t node)
{
	struct lw_running closed = { .job_id = completing->first_id + node,
				     .start_s = snap->now_s,
				     .end_s = snap->now_s + completing->after_s };
	struct lw_alloc rest = { .node = node, .res = snap->nodes[node].total };
	struct lw_error err;

	open_node(completing, snap, node);
	lw_res_sub(&rest.res, &snap->used[node]);
	if (push(completing, node, closed.end_s) ||
	    lw_snapshot_insert_running(snap, &closed, &rest, 1, &err))
		return -ENOMEM;
	completing->until_s[node] = closed.end_s;
	return 0;
}

int lw_completing_close(struct lw_completing *completing, struct lw_snapshot *snap,
			const uint32_t *nodes, uint32_t count)
{
	int rc = 0;

	for (uint32_t i = 0; i < count && !rc; i++)
		rc = close_node(completing, snap, nodes[i]);
	return rc;
}

int64_t lw_completing_next_s(const struct lw_completing *completing)
{
	return completing->first < completing->count
		       ? completing->queue[completing->first].until_s
		       : INT64_MAX;
}

void lw_completing_open(struct lw_completing *completing, struct lw_snapshot *snap)
{
	while (lw_completing_next_s(completing) <= snap->now_s) {
		const struct lw_completing_node *due = &completing->queue[completing->first++];

		if (completing->until_s[due->node] == due->until_s)
			open_node(completing, snap, due->node);
	}
}
