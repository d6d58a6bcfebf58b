/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a model of where Slurm's own cons_tres puts a job, to compare with. */

/*
 * As Slurm 24.11 chooses nodes of equal weight that could serve:
 *
 *   no topology  runs of neighbours in the node table: the run that gives it the fewest CPUs
 *                and is enough, else the run with the most; in it the first nodes, or for one
 *                node the one that gives the fewest CPUs. All nodes give a job equally many
 *                that says how many it wants of each, so the run has the fewest nodes;
 *   tree         the leaf with the fewest nodes that is enough, else one under the tightest
 *                switch above that is, else the one with the most; in it the first nodes;
 *   block        the same with blocks, of equally tight ones the last, and nothing when that
 *                spreads the job further than it must on an empty machine.
 *
 * Free GPUs play no part.
 */
#include "lab/sim/stock/place_stock.h"

#include "planner/place/placer.h"

#include <errno.h>
#include <string.h>

struct picking {
	struct lw_placer *placer;
	const struct lw_domains *domains; /* or NULL */
	uint32_t count;                   /* candidates, in order of node */
	uint32_t want;                    /* nodes still to find */
	uint32_t taken;
};

/* Candidate INDEX, once. */
static void stock_take(struct picking *picking, uint32_t index)
{
	struct lw_candidate *cand = &picking->placer->candidates[index];

	if (!picking->want || cand->near)
		return;
	cand->near = 1;
	picking->placer->allocs[picking->taken++] =
		(struct lw_alloc){ .node = cand->node, .res = cand->give };
	picking->want--;
}

/* The end of the run of neighbours that begins at candidate FIRST, and the CPUs that it gives. */
static uint32_t run_end(const struct picking *picking, uint32_t first, uint64_t *ret_cpus)
{
	const struct lw_candidate *cand = picking->placer->candidates;
	uint32_t end = first;

	for (*ret_cpus = 0; end < picking->count; end++) {
		if (cand[end].near || (end > first && cand[end].node != cand[end - 1].node + 1))
			break;
		*ret_cpus += cand[end].give.cpus;
	}
	return end;
}

static void take_one_of_run(struct picking *picking, uint32_t first, uint32_t end)
{
	const struct lw_candidate *cand = picking->placer->candidates;
	uint32_t best = first;

	for (uint32_t i = first; i < end; i++) {
		if (cand[i].give.cpus < cand[best].give.cpus)
			best = i;
	}
	stock_take(picking, best);
}

static void take_runs(struct picking *picking)
{
	while (picking->want) {
		uint32_t best = picking->count, best_end = 0;
		uint64_t best_cpus = 0, cpus;
		bool best_fits = false;

		for (uint32_t first = 0, end; first < picking->count; first = end) {
			end = run_end(picking, first, &cpus);
			bool fits = end - first >= picking->want;

			if (end == first) {
				end++;
				continue;
			}
			if (best < picking->count && fits == best_fits &&
			    (fits ? cpus >= best_cpus : cpus <= best_cpus))
				continue;
			if (best < picking->count && best_fits && !fits)
				continue;
			best = first;
			best_end = end;
			best_cpus = cpus;
			best_fits = fits;
		}
		if (picking->want == 1)
			take_one_of_run(picking, best, best_end);
		for (uint32_t i = best; i < best_end; i++)
			stock_take(picking, i);
	}
}

/* Is leaf A a better choice than B? Both have candidates left. */
static bool is_better(const struct picking *picking, uint32_t a, uint32_t b)
{
	const struct lw_domain *items = picking->domains->items;
	const uint32_t *held = picking->placer->near.held;
	uint32_t want = picking->want;

	for (;;) {
		bool a_fits = held[a] >= want, b_fits = held[b] >= want;

		if (a_fits != b_fits)
			return a_fits;
		if (a_fits && held[a] != held[b])
			return held[a] < held[b];
		if (a_fits)
			return picking->domains->strict;
		if (items[a].parent == items[b].parent || items[a].parent == LW_NO_DOMAIN ||
		    items[b].parent == LW_NO_DOMAIN)
			return held[a] > held[b];
		a = items[a].parent;
		b = items[b].parent;
	}
}

/* The best leaf at or below TOP that was not used; LW_NO_DOMAIN: none is left. */
static uint32_t best_leaf(const struct picking *picking, uint32_t top)
{
	const struct lw_nearness *near = &picking->placer->near;
	uint32_t best = LW_NO_DOMAIN;

	for (uint32_t d = 0; d < picking->domains->count; d++) {
		if (!near->direct[d] || near->quota[d] ||
		    (top != LW_NO_DOMAIN && !lw_domain_within(picking->domains, d, top)))
			continue;
		if (best == LW_NO_DOMAIN || is_better(picking, d, best))
			best = d;
	}
	return best;
}

/* In strict domains all nodes must come from the tightest that may hold so many. */
static uint32_t top_domain(const struct picking *picking, uint32_t ceiling)
{
	const struct lw_domains *domains = picking->domains;
	const uint32_t *held = picking->placer->near.held;
	uint32_t best = LW_NO_DOMAIN;

	for (uint32_t d = 0; ceiling != UINT32_MAX && d < domains->count; d++) {
		if (domains->items[d].height != ceiling || held[d] < picking->want)
			continue;
		if (best == LW_NO_DOMAIN || held[d] <= held[best])
			best = d;
	}
	return best;
}

static int take_leaves(struct picking *picking)
{
	const struct lw_domains *domains = picking->domains;
	uint32_t ceiling = lw_near_ceiling(domains, picking->want), used = 0;
	uint32_t leaf_nodes = lw_domains_largest(domains, 0), wanted = picking->want, top, leaf;

	lw_near_count(picking->placer, domains, picking->count);
	top = top_domain(picking, ceiling);
	if (ceiling != UINT32_MAX && top == LW_NO_DOMAIN)
		return -ENOSPC;
	while (picking->want && (leaf = best_leaf(picking, top)) != LW_NO_DOMAIN) {
		picking->placer->near.quota[leaf] = 1;
		used++;
		for (uint32_t i = 0; i < picking->count; i++) {
			if (lw_domain_of(domains, picking->placer->candidates[i].node) == leaf)
				stock_take(picking, i);
		}
	}
	if (picking->want)
		return -ENOSPC;
	if (domains->strict && leaf_nodes && used > (wanted + leaf_nodes - 1) / leaf_nodes)
		return -ENOSPC;
	return 0;
}

int lw_place_as_stock(struct lw_placer *placer, const struct lw_room *room,
		      const struct lw_request *req, uint32_t count, uint32_t *ret_count)
{
	const struct lw_domains *domains = lw_placer_domains(placer, room, req);
	struct picking picking = { .placer = placer,
				   .domains = domains,
				   .count = count,
				   .want = count < req->nodes_max ? count : req->nodes_max };

	if (domains && domains->strict)
		picking.want = req->nodes_min;
	*ret_count = picking.want;
	if (domains)
		return take_leaves(&picking);
	take_runs(&picking);
	return 0;
}
