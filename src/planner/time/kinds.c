/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes are alike: of one size, with the same free at all times. */
#include "planner/time/kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A node is compared with so many of those before it that were not alike. */
#define SEEN 16

void lw_kinds_fini(struct lw_kinds *kinds)
{
	free(kinds->of);
	free(kinds->turn_of);
	free(kinds->kinds);
	free(kinds->unused);
	memset(kinds, 0, sizeof(*kinds));
}

int lw_kinds_size(struct lw_kinds *kinds, uint32_t count)
{
	size_t room = (size_t)count + 1;

	lw_kinds_fini(kinds);
	kinds->of = calloc(room, sizeof(*kinds->of));
	kinds->turn_of = calloc(room, sizeof(*kinds->turn_of));
	kinds->kinds = calloc(room, sizeof(*kinds->kinds));
	kinds->unused = calloc(room, sizeof(*kinds->unused));
	if (!kinds->of || !kinds->turn_of || !kinds->kinds || !kinds->unused)
		return -ENOMEM;
	kinds->node_count = count;
	return 0;
}

/* A kind with one node. */
static uint32_t kinds_new(struct lw_kinds *kinds)
{
	uint32_t kind = kinds->unused[--kinds->unused_count];

	kinds->kinds[kind].nodes = 1;
	kinds->kinds[kind].turn = 0;
	return kind;
}

/* To the byte: amounts that are equal but not the same may count differently later. */
static bool kinds_same(const struct lw_res *a, const struct lw_res *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* The kind of a node before NODE that is like it, or a new one. */
static uint32_t kinds_of_new(struct lw_kinds *kinds, const struct lw_snapshot *snap,
			     uint32_t node, uint32_t seen[SEEN], uint32_t *count)
{
	uint32_t at = *count < SEEN ? *count : SEEN;

	while (at-- > 0) {
		uint32_t other = seen[at];

		if (!kinds_same(&snap->nodes[node].total, &snap->nodes[other].total) ||
		    !kinds_same(&snap->used[node], &snap->used[other]))
			continue;
		kinds->kinds[kinds->of[other]].nodes++;
		return kinds->of[other];
	}
	seen[(*count)++ % SEEN] = node;
	return kinds_new(kinds);
}

void lw_kinds_begin(struct lw_kinds *kinds, const struct lw_snapshot *snap)
{
	uint32_t seen[SEEN], count = 0;

	kinds->turn = 1;
	kinds->unused_count = kinds->node_count;
	for (uint32_t i = 0; i < kinds->node_count; i++) {
		kinds->kinds[i].nodes = 0;
		kinds->turn_of[i] = 0;
		kinds->unused[i] = kinds->node_count - 1 - i;
	}
	for (uint32_t node = 0; node < kinds->node_count; node++)
		kinds->of[node] = kinds_of_new(kinds, snap, node, seen, &count);
}

void lw_kinds_turn(struct lw_kinds *kinds)
{
	kinds->turn++;
}

void lw_kinds_change(struct lw_kinds *kinds, uint32_t node, const struct lw_res *res)
{
	struct lw_kind *kind = &kinds->kinds[kinds->of[node]];
	bool known;

	/* a node that is changed twice is not like one that is changed once */
	if (kinds->turn_of[node] == kinds->turn)
		kinds->turn++;
	kinds->turn_of[node] = kinds->turn;
	known = kind->turn == kinds->turn && kinds_same(&kind->res, res);
	/* alone, it is of a kind of its own before and after */
	if (!known && kind->nodes == 1)
		return;
	if (!--kind->nodes)
		kinds->unused[kinds->unused_count++] = kinds->of[node];
	if (!known) {
		kind->turn = kinds->turn;
		kind->res = *res;
		kind->next = kinds_new(kinds);
		kinds->of[node] = kind->next;
		return;
	}
	kinds->of[node] = kind->next;
	kinds->kinds[kind->next].nodes++;
}
