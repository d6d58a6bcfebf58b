/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a snapshot as lw-snapshot(5) text. */
#include "planner/text/text.h"

#include "planner/text/text_amounts.h"
#include "planner/text/text_fields.h"
#include "planner/text/text_names.h"

#include <inttypes.h>

/* How many nodes from FIRST on are alike and numbered on: one line says it all. */
static uint32_t text_print_alike_nodes(const struct lw_snapshot *snap, uint32_t first)
{
	const struct lw_node *a = &snap->nodes[first], *b;
	uint32_t i;

	for (i = first + 1; i < snap->node_count; i++) {
		b = &snap->nodes[i];
		if (b->usable != a->usable || b->weight != a->weight || b->linked != a->linked ||
		    !lw_res_equal(&b->total, &a->total) ||
		    b->total.gpu_parts != a->total.gpu_parts ||
		    !lw_text_name_follows(b[-1].name, b->name))
			break;
	}
	return i - first;
}

static void print_nodes(const struct lw_snapshot *snap, struct lw_strbuf *out)
{
	const struct lw_node *node;
	uint32_t count;

	for (uint32_t i = 0; i < snap->node_count; i += count) {
		node = &snap->nodes[i];
		count = text_print_alike_nodes(snap, i);
		lw_strbuf_add(out, "node %" PRIu32, i);
		if (count > 1)
			lw_strbuf_add(out, "-%" PRIu32, i + count - 1);
		lw_strbuf_add(out, " ");
		lw_text_add_name_run(out, node->name, node[count - 1].name, count);
		lw_text_add_amounts(out, ' ', ' ', &node->total, snap);
		if (node->total.gpu_parts)
			lw_strbuf_add(out, " gpu-parts=%" PRIu16, node->total.gpu_parts);
		if (node->weight != 1)
			lw_strbuf_add(out, " weight=%" PRIu32, node->weight);
		if (node->linked)
			lw_strbuf_add(out, " linked=%" PRIu16, node->linked);
		if (!node->usable)
			lw_strbuf_add(out, " down");
		lw_strbuf_add(out, "\n");
	}
}

static void text_print_add_range(struct lw_strbuf *out, char separator, uint32_t first,
				 uint32_t last)
{
	lw_strbuf_add(out, "%c%" PRIu32, separator, first);
	if (last > first)
		lw_strbuf_add(out, "-%" PRIu32, last);
}

/* The rest of a line that ends in nodes: " 0-3,7". */
static void text_print_end_in_nodes(const struct lw_bitset *nodes, struct lw_strbuf *out)
{
	uint32_t first = lw_bitset_next(nodes, 0), last;
	char separator = ' ';

	while (first < nodes->bits) {
		last = first;
		while (lw_bitset_test(nodes, last + 1))
			last++;
		text_print_add_range(out, separator, first, last);
		separator = ',';
		first = lw_bitset_next(nodes, last + 1);
	}
	lw_strbuf_add(out, "\n");
}

/* " 0-3,7": the nodes directly in DOMAIN. */
static void text_print_add_domain_nodes(struct lw_strbuf *out, const struct lw_domains *domains,
					uint32_t domain)
{
	char separator = ' ';

	for (uint32_t first = 0, last; first < domains->of_count; first = last + 1) {
		last = first;
		if (domains->of[first] != domain)
			continue;
		while (lw_domain_of(domains, last + 1) == domain)
			last++;
		text_print_add_range(out, separator, first, last);
		separator = ',';
	}
}

static void print_domains(const struct lw_domains *domains, struct lw_strbuf *out)
{
	if (domains->strict)
		lw_strbuf_add(out, "topology block\n");
	for (uint32_t i = 0; i < domains->count; i++) {
		const struct lw_domain *domain = &domains->items[i];

		lw_strbuf_add(out, "domain %" PRIu32 " ", i);
		lw_text_add_name(out, domain->name);
		if (domain->parent != LW_NO_DOMAIN)
			lw_strbuf_add(out, " in=%" PRIu32, domain->parent);
		text_print_add_domain_nodes(out, domains, i);
		lw_strbuf_add(out, "\n");
	}
}

static void print_resv_windows(const struct lw_snapshot *snap, struct lw_strbuf *out)
{
	for (uint32_t i = 0; i < snap->resv_window_count; i++) {
		lw_strbuf_add(out, "closed %" PRIu32, i);
		lw_text_add_fields(out, &lw_text_resv_window, &snap->resv_windows[i], snap);
		text_print_end_in_nodes(&snap->resv_windows[i].nodes, out);
	}
}

static void print_needs(const struct lw_snapshot *snap, struct lw_strbuf *out)
{
	for (uint32_t b = 0; b < snap->coallocation_count; b++) {
		const struct lw_coallocation *coallocation = &snap->coallocations[b];

		for (uint32_t i = 0; i < coallocation->need_count; i++) {
			const struct lw_need *need = &snap->needs[coallocation->first_need + i];

			lw_strbuf_add(out, "need %" PRIu32, b + 1);
			lw_text_add_fields(out, &lw_text_need, need, snap);
			lw_strbuf_add(out, "\n");
		}
	}
}

/* The nodes of ALLOCS[COUNT], which ascend: " on=0-3,7". */
static void text_print_add_alloc_ranges(struct lw_strbuf *out, const struct lw_alloc *allocs,
					uint32_t count)
{
	uint32_t first = 0, last;

	lw_strbuf_add(out, " on");
	while (first < count) {
		last = first;
		while (last + 1 < count && allocs[last + 1].node == allocs[last].node + 1)
			last++;
		text_print_add_range(out, first ? ',' : '=', allocs[first].node,
				     allocs[last].node);
		first = last + 1;
	}
}

static void text_print_end_in_allocs(const struct lw_snapshot *snap,
				     const struct lw_alloc *allocs, uint32_t count,
				     struct lw_strbuf *out)
{
	uint32_t end;

	for (uint32_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count; end++) {
			if (allocs[end].node <= allocs[end - 1].node ||
			    !lw_res_equal(&allocs[end].res, &allocs[i].res))
				break;
		}
		text_print_add_alloc_ranges(out, allocs + i, end - i);
		lw_text_add_amounts(out, ':', ',', &allocs[i].res, snap);
	}
	lw_strbuf_add(out, "\n");
}

static void print_running(const struct lw_snapshot *snap, const struct lw_running *job,
			  struct lw_strbuf *out)
{
	lw_strbuf_add(out, "run %" PRIu32, job->job_id);
	lw_text_add_fields(out, &lw_text_running, job, snap);
	text_print_end_in_allocs(snap, lw_running_allocs(snap, job), job->alloc_count, out);
}

static void text_print_print_kept(const struct lw_snapshot *snap, const struct lw_kept_job *job,
				  struct lw_strbuf *out)
{
	lw_strbuf_add(out, "keep %" PRIu32, job->job_id);
	if (job->variant)
		lw_strbuf_add(out, " variant=%" PRIu32, job->variant);
	text_print_end_in_allocs(snap, lw_kept_allocs(&snap->kept, job), job->alloc_count, out);
}

void lw_snapshot_print(const struct lw_snapshot *snap, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "lw-snapshot 1\nnow %" PRId64 "\n", snap->now_s);
	for (uint32_t i = 0; i < snap->gpu_type_count; i++) {
		lw_strbuf_add(out, "gpu-type %" PRIu32 " ", i);
		lw_text_add_name(out, snap->gpu_types[i]);
		if (snap->gpu_draw[i].busy_w)
			lw_strbuf_add(out, " idle-w=%" PRIu32 " busy-w=%" PRIu32,
				      snap->gpu_draw[i].idle_w, snap->gpu_draw[i].busy_w);
		lw_strbuf_add(out, "\n");
	}
	print_nodes(snap, out);
	print_domains(&snap->domains, out);
	for (uint32_t i = 0; i < snap->mix.count; i++) {
		lw_strbuf_add(out, "mix");
		lw_text_add_fields(out, &lw_text_size, &snap->mix.sizes[i], snap);
		lw_strbuf_add(out, "\n");
	}
	for (uint32_t i = 0; i < snap->set_count; i++) {
		lw_strbuf_add(out, "set %" PRIu32 " ", i);
		lw_text_add_name(out, snap->sets[i].name);
		text_print_end_in_nodes(&snap->sets[i].nodes, out);
	}
	print_resv_windows(snap, out);
	print_needs(snap, out);
	for (uint32_t i = 0; i < snap->running_count; i++)
		print_running(snap, &snap->running[i], out);
	for (uint32_t i = 0; i < snap->queue.count; i++) {
		const struct lw_waiting *job = &snap->waiting[snap->queue.order[i]];

		lw_strbuf_add(out, "wait %" PRIu32, job->job_id);
		lw_text_add_fields(out, &lw_text_waiting, job, snap);
		lw_strbuf_add(out, "\n");
	}
	for (uint32_t i = 0; i < snap->kept.job_count; i++)
		text_print_print_kept(snap, &snap->kept.jobs[i], out);
}
