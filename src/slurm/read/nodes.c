/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's nodes, and what keeps new jobs from some of them for a while. */
#include "slurm/read/caps.h"
#include "slurm/read/nodes.h"

#include "slurm/keep/suspects.h"
#include "slurm/query/amounts.h"
#include "slurm/query/islands.h"
#include "slurm/query/request.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>

/* Set in the weight of a node that comes after others; no site's own weights are that high. */
#define NODES_SUSPECT      (UINT32_C(1) << 31)
#define NODES_POWERED_DOWN (UINT32_C(1) << 30)
/* A node that has been idle for SuspendTime and this much longer will not be powered down. */
#define KEPT_UP_S 600
/* A silent node is blocked for this long: by then most such nodes are back, or down. */
#define SILENT_S 300

/*
 * As under stock, nodes that are powered down come after others, whatever their weight. Last of
 * all come nodes that failed under two jobs (recover.mode).
 */
static uint32_t nodes_weight_of(const struct lw_reader *reader, const node_record_t *node)
{
	uint32_t weight = node->config_ptr->weight;

	if (bit_test(power_down_node_bitmap, node->index))
		weight |= NODES_POWERED_DOWN;
	if (lw_suspects_has(reader->context->suspects, node->name))
		weight |= NODES_SUSPECT;
	return weight;
}

/*
 * Is NODE out of use only for a while? That is so if it is being powered down, after which it
 * may be used like other idle nodes, or if it is silent: most silent nodes answer again before
 * Slurm marks them down.
 */
static bool nodes_comes_back(const node_record_t *node, int index)
{
	return !bit_test(avail_node_bitmap, index) && !IS_NODE_DOWN(node) &&
	       !IS_NODE_FUTURE(node) && !IS_NODE_DRAIN(node) && !IS_NODE_FAIL(node) &&
	       (IS_NODE_POWERING_DOWN(node) || IS_NODE_POWER_DOWN(node) ||
		IS_NODE_NO_RESPOND(node));
}

static int nodes_read_node(struct lw_reader *reader, int index)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	const node_record_t *node = node_record_table_ptr[index];
	uint16_t ours = lw_islands_of(reader->context->islands, (uint32_t)index);
	struct lw_res total = { 0 };
	char gone[32];
	bool usable;
	int rc;

	if (!node || !node->name) { /* node i of the snapshot is Slurm's node i */
		snprintf(gone, sizeof(gone), "deleted-%d", index);
		return lw_snapshot_add_node(snap, gone, &total, false, reader->err);
	}
	lw_node_total(snap, node, &total);
	lw_caps_total(&reader->reading->caps, node, &total);
	usable = bit_test(avail_node_bitmap, index) || bit_test(rs_node_bitmap, index) ||
		 nodes_comes_back(node, index);
	rc = lw_snapshot_add_node(snap, node->name, &total, usable, reader->err);
	if (rc)
		return rc;
	lw_snapshot_weigh(snap, (uint32_t)index, nodes_weight_of(reader, node));
	lw_snapshot_set_linked(snap, (uint32_t)index, lw_node_linked(node, ours));
	return 0;
}

/* Domains of another number of nodes are out of date: they are left out until read again. */
static int nodes_copy_domains(struct lw_reader *reader)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	const struct lw_domains *domains = reader->context->domains;

	if (domains->of_count != reader->reading->slurm_nodes)
		return 0;
	if (lw_domains_copy(&snap->domains, domains))
		return lw_error_set(reader->err, -ENOMEM, "out of memory");
	return 0;
}

int lw_read_nodes(struct lw_reader *reader)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	int rc = lw_caps_read(&reader->reading->caps);

	if (rc)
		return lw_error_set(reader->err, rc, "out of memory");
	for (int i = 0; i < node_record_count && !rc; i++) {
		rc = lw_session_yield_step(reader->context->session, (uint32_t)i);
		if (!rc)
			rc = nodes_read_node(reader, i);
	}
	reader->reading->slurm_nodes = snap->node_count;
	/* licences are nodes of the snapshot, too: after Slurm's, and in no domain */
	if (!rc)
		rc = lw_licences_read(&reader->licences, snap, reader->err);
	if (!rc)
		rc = nodes_copy_domains(reader);
	if (!rc) {
		reader->used = calloc((size_t)snap->node_count + 1, sizeof(*reader->used));
		if (!reader->used)
			rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	}
	return rc;
}

/* Until when NODE, which takes no new job now, is assumed to be blocked. */
static int64_t nodes_blocked_until_s(const node_record_t *node, int64_t now_s)
{
	int64_t until_s = now_s + LW_COMPLETING_S;

	if (IS_NODE_POWERING_DOWN(node))
		until_s = (int64_t)node->power_save_req_time + node->suspend_timeout;
	else if (IS_NODE_NO_RESPOND(node) && !IS_NODE_POWERING_UP(node))
		until_s = now_s + SILENT_S;
	return until_s > now_s ? until_s : now_s + 1;
}

/* By node, when its last job ends; 0: it has none. The caller frees it. NULL: out of memory. */
static int64_t *nodes_last_ends_s(const struct lw_snapshot *snap)
{
	int64_t *ends_s = calloc((size_t)snap->node_count + 1, sizeof(*ends_s));

	for (uint32_t i = 0; ends_s && i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		for (uint32_t a = 0; a < job->alloc_count; a++) {
			int64_t *end_s = &ends_s[snap->allocs[job->first_alloc + a].node];

			if (job->end_s > *end_s)
				*end_s = job->end_s;
		}
	}
	return ends_s;
}

/*
 * UP are the nodes that are powered up, as many as may be at a time. When will one of them first
 * have been idle for long enough to be powered down, so that another one can be powered up?
 */
static int64_t nodes_place_for_another_s(const struct lw_snapshot *snap, bitstr_t *up)
{
	int64_t first_s = snap->now_s + LW_YEAR_S, *ends_s = nodes_last_ends_s(snap);

	for (bitoff_t i = 0; ends_s && (i = bit_ffs_from_bit(up, i)) >= 0; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		int64_t down_s;

		if (!node || i >= snap->node_count || node->suspend_time == INFINITE ||
		    node->suspend_time == NO_VAL)
			continue;
		down_s = (ends_s[i] ? ends_s[i] : node->last_busy) + node->suspend_time;
		/* a node that should have been down long ago is kept up (SuspendExcNodes) */
		if (down_s < first_s && down_s > snap->now_s - KEPT_UP_S)
			first_s = down_s;
	}
	free(ends_s);
	return first_s > snap->now_s ? first_s : snap->now_s + LW_COMPLETING_S;
}

/*
 * Until when node INDEX takes no new job; 0: it takes jobs now. Until NO_MORE_S no node is powered
 * up; 0: there is no such limit.
 */
static int64_t nodes_blocked_s(const struct lw_reader *reader, uint32_t index, int64_t no_more_s)
{
	const node_record_t *node = node_record_table_ptr[index];

	if (!node)
		return 0;
	if (bit_test(cg_node_bitmap, index) || bit_test(rs_node_bitmap, index) ||
	    nodes_comes_back(node, (int)index))
		return nodes_blocked_until_s(node, reader->context->now_s);
	return bit_test(power_down_node_bitmap, index) ? no_more_s : 0;
}

int lw_block_nodes(struct lw_reader *reader)
{
	struct lw_snapshot *snap = &reader->reading->snap;
	struct lw_running blocker = { .start_s = reader->context->now_s };
	bitstr_t *up = lw_slurm_most_powered_up();
	int64_t no_more_s = up ? nodes_place_for_another_s(snap, up) : 0;
	int rc = lw_licences_block(&reader->licences, snap, reader->err);

	for (uint32_t i = 0; i < reader->reading->slurm_nodes && !rc; i++) {
		struct lw_alloc rest = { .node = i, .res = snap->nodes[i].total };

		blocker.end_s = nodes_blocked_s(reader, i, no_more_s);
		if (!blocker.end_s)
			continue;
		lw_res_sub(&rest.res, &reader->used[i]);
		rc = lw_snapshot_add_running(snap, &blocker, &rest, 1, reader->err);
	}
	return rc;
}
