/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: nodes and GPUs: which are free, and which jobs are on the others. */
#include "cli/live/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "cli/chart/chart.h"

/* ---- GPUs by type ---- */

#define TYPES_MAX 12

struct type {
	const char *name;
	uint64_t nodes, all, used, free, stranded, off;
};

/* Types beyond the last are counted with it. */
static struct type *find_type(struct type *types, uint32_t *count, const char *name)
{
	for (uint32_t t = 0; t < *count; t++)
		if (strcmp(types[t].name, name) == 0)
			return &types[t];
	if (*count == TYPES_MAX) {
		types[TYPES_MAX - 1].name = "others";
		return &types[TYPES_MAX - 1];
	}
	types[*count].name = name;
	return &types[(*count)++];
}

static void count_gpus(struct type *type, const struct lw_live_node *node)
{
	uint32_t used = node->gpus_used < node->gpus ? node->gpus_used : node->gpus;
	uint32_t others = node->gpus - used;

	type->nodes++;
	type->all += node->gpus;
	type->used += used;
	if (!node->usable)
		type->off += others;
	else if (node->cpus_used >= node->cpus)
		type->stranded += others;
	else
		type->free += others;
}

static void add_type(const struct type *type, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<tr>");
	lw_live_cell(sb, "td", type->name);
	lw_strbuf_add(sb,
		      "<td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64
		      "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td></tr>\n",
		      type->nodes, type->all, type->used, type->free, type->stranded, type->off);
}

static void show_gpus(const struct live *live, struct lw_strbuf *sb)
{
	struct type types[TYPES_MAX] = { { 0 } };
	uint32_t count = 0;

	for (uint32_t i = 0; i < live->node_count; i++)
		if (live->nodes[i].gpus)
			count_gpus(find_type(types, &count, live->nodes[i].type),
				   &live->nodes[i]);
	if (!count)
		return;
	lw_live_heading(sb, "GPUs");
	lw_page_table(sb);
	lw_strbuf_add(sb,
		      "<thead><tr><th>type</th><th>nodes</th><th>GPUs</th><th>held by jobs</th>"
		      "<th>idle, free for jobs</th><th>idle, but no CPU is free beside</th>"
		      "<th>idle, node takes no jobs</th></tr></thead>\n");
	for (uint32_t t = 0; t < count; t++)
		add_type(&types[t], sb);
	lw_page_table_end(sb);
}

/* ---- the map ---- */

/* 0 to 4 quarters of its GPUs, else of its CPUs, are held. */
static unsigned quarters_of(const struct lw_live_node *node)
{
	uint64_t all = node->gpus ? node->gpus : node->cpus;
	uint64_t used = node->gpus ? node->gpus_used : node->cpus_used;

	return !all ? 0 : used >= all ? 4 : (unsigned)((used * 4 + all - 1) / all);
}

static void add_tooltip(const struct lw_live_node *node, struct lw_strbuf *sb)
{
	lw_chart_add_text(sb, node->name);
	lw_strbuf_add(sb, ": ");
	lw_chart_add_text(sb, node->state);
	lw_strbuf_add(sb, ", %" PRIu32 " of %" PRIu32 " CPUs", node->cpus_used, node->cpus);
	if (node->gpus)
		lw_strbuf_add(sb, ", %" PRIu32 " of %" PRIu32 " GPUs", node->gpus_used,
			      node->gpus);
}

static void show_map(const struct live *live, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<p><span class=\"lw-node lw-q0\"></span> free "
			  "<span class=\"lw-node lw-q2\"></span> in part "
			  "<span class=\"lw-node lw-q4\"></span> all its GPUs, or CPUs, are held "
			  "<span class=\"lw-node lw-off\"></span> takes no jobs</p>\n"
			  "<div class=\"lw-map\">\n");
	for (uint32_t i = 0; i < live->node_count && i < LIVE_NODE_CELLS; i++) {
		const struct lw_live_node *node = &live->nodes[i];

		lw_strbuf_add(sb, "<span class=\"lw-node lw-q%u%s\" title=\"", quarters_of(node),
			      node->usable ? "" : " lw-off");
		add_tooltip(node, sb);
		lw_strbuf_add(sb, "\"></span>\n");
	}
	lw_strbuf_add(sb, "</div>\n");
	if (live->node_count > LIVE_NODE_CELLS)
		lw_strbuf_add(sb, "<p>%" PRIu32 " more nodes are left out.</p>\n",
			      live->node_count - LIVE_NODE_CELLS);
}

/* ---- nodes that are alike, in one row ---- */

struct group {
	uint32_t rank; /* with room for jobs, out of order, full */
	uint32_t first, last, count;
};

static uint64_t hash_of(const struct lw_live_node *node)
{
	uint64_t hash = lw_hash_mix_bytes(LW_HASH_BEGIN, node->state, strlen(node->state));

	hash = lw_hash_mix_bytes(hash, node->type, strlen(node->type));
	hash = lw_hash_mix(hash, node->cpus);
	hash = lw_hash_mix(hash, node->cpus_used);
	hash = lw_hash_mix(hash, node->gpus);
	hash = lw_hash_mix(hash, node->gpus_used);
	hash = lw_hash_mix(hash, node->job_count);
	for (uint32_t i = 0; i < node->job_count && i < LIVE_NODE_JOBS; i++)
		hash = lw_hash_mix(hash, node->jobs[i]);
	return hash;
}

static uint32_t rank_of(const struct lw_live_node *node)
{
	return !node->usable ? 1 : quarters_of(node) < 4 ? 0 : 2;
}

static int by_rank(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* For free(), what people look for first; NULL: out of memory. */
static struct group *group_nodes(const struct live *live, uint32_t *ret_count)
{
	struct group *groups = calloc((size_t)live->node_count + 1, sizeof(*groups));
	struct lw_lookup places = { 0 };
	uint32_t count = 0, at;
	int rc = groups ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < live->node_count; i++) {
		uint64_t hash = hash_of(&live->nodes[i]);

		if (!lw_lookup_get(&places, hash, &at)) {
			at = count++;
			rc = lw_lookup_put(&places, hash, at);
			groups[at].first = i;
			groups[at].rank = rank_of(&live->nodes[i]);
		}
		groups[at].last = i;
		groups[at].count++;
	}
	lw_lookup_fini(&places);
	if (rc) {
		free(groups);
		return NULL;
	}
	qsort(groups, count, sizeof(*groups), by_rank);
	*ret_count = count;
	return groups;
}

static void add_names(const struct live *live, const struct group *group, struct lw_strbuf *sb)
{
	lw_chart_add_text(sb, live->nodes[group->first].name);
	if (group->count > 1) {
		lw_strbuf_add(sb, group->count == 2 ? ", " : " … ");
		lw_chart_add_text(sb, live->nodes[group->last].name);
	}
	if (group->count > 2)
		lw_strbuf_add(sb, " (%" PRIu32 ")", group->count);
}

static void add_jobs(const struct live *live, const struct lw_live_node *node,
		     struct lw_strbuf *sb)
{
	for (uint32_t i = 0; i < node->job_count && i < LIVE_NODE_JOBS; i++) {
		const struct lw_live_job *job = &live->jobs[node->jobs[i]];

		lw_strbuf_add(sb, i ? ", " : "");
		lw_chart_add_text(sb, job->id);
		if (live->users) {
			lw_strbuf_add(sb, " ");
			lw_chart_add_text(sb, job->user);
		}
	}
	if (node->job_count > LIVE_NODE_JOBS)
		lw_strbuf_add(sb, " and %" PRIu32 " more", node->job_count - LIVE_NODE_JOBS);
}

static void add_group(const struct live *live, const struct group *group, struct lw_strbuf *sb)
{
	const struct lw_live_node *node = &live->nodes[group->first];

	lw_strbuf_add(sb, "<tr><td>");
	add_names(live, group, sb);
	lw_strbuf_add(sb, "</td>");
	lw_live_cell(sb, "td", node->state);
	lw_strbuf_add(sb, "<td>%" PRIu32 " of %" PRIu32 "</td>", node->cpus_used, node->cpus);
	if (node->gpus) {
		lw_strbuf_add(sb, "<td>%" PRIu32 " of %" PRIu32 " ", node->gpus_used, node->gpus);
		lw_chart_add_text(sb, node->type);
		lw_strbuf_add(sb, "</td><td>");
	} else {
		lw_strbuf_add(sb, "<td></td><td>");
	}
	add_jobs(live, node, sb);
	lw_strbuf_add(sb, "</td></tr>\n");
}

static void show_table(const struct live *live, struct lw_strbuf *sb)
{
	uint32_t count = 0, left_out = 0;
	struct group *groups = group_nodes(live, &count);

	if (!groups) {
		sb->error = -ENOMEM;
		return;
	}
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead><tr><th>nodes that are alike</th><th>state</th>"
			  "<th>CPUs held</th><th>GPUs held</th><th>by jobs</th></tr></thead>\n");
	for (uint32_t g = 0; g < count && g < LIVE_NODE_ROWS; g++)
		add_group(live, &groups[g], sb);
	lw_page_table_end(sb);
	for (uint32_t g = LIVE_NODE_ROWS; g < count; g++)
		left_out += groups[g].count;
	if (left_out)
		lw_strbuf_add(sb, "<p>%" PRIu32 " more nodes are left out of the table.</p>\n",
			      left_out);
	free(groups);
}

void lw_live_show_nodes(const struct live *live, struct lw_strbuf *sb)
{
	show_gpus(live, sb);
	lw_live_heading(sb, "Nodes");
	if (!live->node_count) {
		lw_strbuf_add(sb, "<p>Slurm shows no node.</p>\n");
	} else if (!live->node_names) {
		lw_strbuf_add(sb, "<p>This cluster keeps its nodes private (PrivateData).</p>\n");
	} else {
		lw_live_show_suspects(live, sb);
		show_map(live, sb);
		show_table(live, sb);
	}
}
