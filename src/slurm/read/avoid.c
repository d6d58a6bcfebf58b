/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that lost a node is planned without that node, if others would do. */
#include "slurm/read/avoid.h"

#include "planner/place/place.h"
#include "slurm/keep/failures.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>

/* Would NODES, all empty, hold REQ? -ENOSPC, -ENOMEM. */
static int avoid_try(const struct lw_snapshot *snap, const struct lw_bitset *nodes,
		     const struct lw_request *req)
{
	struct lw_res *total = calloc((size_t)snap->node_count + 1, sizeof(*total));
	struct lw_room room = { .free = total,
				.total = total,
				.candidates = nodes,
				.gpu_types = snap->gpu_type_count };
	struct lw_placer *placer = NULL;
	const struct lw_alloc *allocs;
	uint32_t count;
	int rc = total ? lw_placer_create(snap->node_count, &placer) : -ENOMEM;

	for (uint32_t i = 0; !rc && i < snap->node_count; i++)
		total[i] = snap->nodes[i].total;
	if (!rc)
		rc = lw_place(placer, &room, req, &allocs, &count);
	lw_placer_destroy(placer);
	free(total);
	return rc;
}

/* When slurmctld has just begun, nodes are neither up nor down until they have answered. */
static bool avoid_is_out(uint32_t number)
{
	const node_record_t *node = node_record_table_ptr[number];

	return !node || IS_NODE_DOWN(node) || IS_NODE_DRAIN(node) || IS_NODE_FAIL(node);
}

/* Of NODES, only the nodes that are not out of order and did not fail under the job. */
static void avoid_cut(const struct lw_failure *failure, struct lw_bitset *nodes)
{
	uint32_t node;

	for (uint32_t i = 0; i < failure->node_count; i++)
		if (failure->nodes[i].number < nodes->bits)
			lw_bitset_clear(nodes, failure->nodes[i].number);
	lw_bitset_foreach(nodes, node) if (node < (uint32_t)node_record_count &&
					   avoid_is_out(node)) lw_bitset_clear(nodes, node);
}

/* Of its records none may need a failed node: the job is tested as a whole. */
static void avoid_settle(struct lw_failure *failure, bool avoids)
{
	failure->avoids = avoids && (failure->avoids || !failure->asked);
	failure->asked = true;
}

int lw_avoid_failed(struct lw_reader *reader, const job_record_t *job, struct lw_waiting *waiting)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	struct lw_failure *failure =
		lw_failures_find(reader->context->failures, lw_slurm_job_id(job));
	struct lw_bitset nodes = { 0 };
	int rc = -ENOSPC;

	if (!failure || !failure->node_count)
		return 0;
	if (!job->details->req_node_bitmap) {
		if (lw_bitset_copy(&nodes, &snap->sets[waiting->set].nodes))
			return lw_error_set(reader->err, -ENOMEM, "out of memory");
		avoid_cut(failure, &nodes);
		rc = avoid_try(snap, &nodes, &waiting->request);
	}
	avoid_settle(failure, !rc);
	if (!rc)
		rc = lw_nodeset_exactly(reader->sets, &nodes, &waiting->set, reader->err);
	else if (rc == -ENOMEM)
		lw_error_set(reader->err, rc, "out of memory");
	lw_bitset_fini(&nodes);
	return rc == -ENOSPC ? 0 : rc;
}
