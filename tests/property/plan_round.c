/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one random moment and what is planned in it. */
#include "property/plan_round.h"

#include "planner/place/place.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"

#include <errno.h>
#include <stdlib.h>

int round_begin(struct round *round, uint64_t seed)
{
	*round = (struct round){ .prng = { seed } };
	lw_plan_init(&round->plan);
	random_params(&round->prng, &round->params);
	if (random_snapshot(&round->prng, &random_usual, &round->snap) ||
	    lw_policy_create(&round->params, NULL, &round->policy))
		return -1;
	return lw_policy_cycle(round->policy, &round->snap, &round->plan);
}

int round_end(struct round *round, int rc, struct lw_strbuf *why)
{
	if (rc) {
		lw_snapshot_print(&round->snap, why);
		lw_policy_params_print(&round->params, why);
		lw_plan_print(&round->plan, &round->snap, why);
	}
	lw_plan_fini(&round->plan);
	lw_policy_destroy(round->policy);
	lw_snapshot_fini(&round->snap);
	return rc;
}

static int usable_nodes(const struct lw_snapshot *snap, uint32_t set, struct lw_bitset *ret_nodes)
{
	if (lw_bitset_copy(ret_nodes, &snap->sets[set].nodes))
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->node_count; i++) {
		if (!snap->nodes[i].usable)
			lw_bitset_clear(ret_nodes, i);
	}
	return 0;
}

bool round_fits(const struct lw_snapshot *snap, const struct lw_waiting *job,
		const struct lw_res *free_res)
{
	struct lw_res *total = calloc((size_t)snap->node_count + 1, sizeof(*total));
	struct lw_room room = { .free = free_res, .total = total };
	struct lw_bitset nodes = { 0 };
	struct lw_placer *placer = NULL;
	const struct lw_alloc *allocs;
	uint32_t count;
	bool found = false;

	for (uint32_t i = 0; total && i < snap->node_count; i++)
		total[i] = snap->nodes[i].total;
	if (total && !usable_nodes(snap, job->set, &nodes) &&
	    !lw_placer_create(snap->node_count, &placer)) {
		room.candidates = &nodes;
		found = !lw_place(placer, &room, &job->request, &allocs, &count);
	}
	lw_placer_destroy(placer);
	lw_bitset_fini(&nodes);
	free(total);
	return found;
}
