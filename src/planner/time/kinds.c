/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes are alike: of one size, closed at the same times, with the same free. */
#include "planner/time/kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A node is compared with so many of those before it that were not alike. */
#define SEEN 16

void lw_kinds_fini(struct lw_kinds *kinds)
{
	free(kinds->of);
	free(kinds->before);
	free(kinds->after);
	free(kinds->turn_of);
	lw_bitset_fini(&kinds->used);
	free(kinds->kinds);
	free(kinds->unused);
	memset(kinds, 0, sizeof(*kinds));
}

int lw_kinds_size(struct lw_kinds *kinds, uint32_t count)
{
	size_t room = (size_t)count + 1;

	lw_kinds_fini(kinds);
	kinds->of = calloc(room, sizeof(*kinds->of));
	kinds->before = calloc(room, sizeof(*kinds->before));
	kinds->after = calloc(room, sizeof(*kinds->after));
	kinds->turn_of = calloc(room, sizeof(*kinds->turn_of));
	kinds->kinds = calloc(room, sizeof(*kinds->kinds));
	kinds->unused = calloc(room, sizeof(*kinds->unused));
	if (lw_bitset_init(&kinds->used, count) || !kinds->of || !kinds->before ||
	    !kinds->after || !kinds->turn_of || !kinds->kinds || !kinds->unused)
		return -ENOMEM;
	kinds->node_count = count;
	return 0;
}

static uint32_t kinds_new(struct lw_kinds *kinds)
{
	uint32_t kind = kinds->unused[--kinds->unused_count];

	kinds->kinds[kind] = (struct lw_kind){ .first = LW_NO_NODE, .last = LW_NO_NODE };
	lw_bitset_set(&kinds->used, kind);
	return kind;
}

/* Nodes mostly come in order of their numbers. */
static void kinds_add(struct lw_kinds *kinds, uint32_t number, uint32_t node)
{
	struct lw_kind *kind = &kinds->kinds[number];
	uint32_t before = kind->last, after = LW_NO_NODE;

	while (before != LW_NO_NODE && before > node) {
		after = before;
		before = kinds->before[before];
	}
	kinds->before[node] = before;
	kinds->after[node] = after;
	*(before == LW_NO_NODE ? &kind->first : &kinds->after[before]) = node;
	*(after == LW_NO_NODE ? &kind->last : &kinds->before[after]) = node;
	kinds->of[node] = number;
	kind->nodes++;
}

static void kinds_remove(struct lw_kinds *kinds, uint32_t node)
{
	struct lw_kind *kind = &kinds->kinds[kinds->of[node]];
	uint32_t before = kinds->before[node], after = kinds->after[node];

	*(before == LW_NO_NODE ? &kind->first : &kinds->after[before]) = after;
	*(after == LW_NO_NODE ? &kind->last : &kinds->before[after]) = before;
	if (--kind->nodes)
		return;
	lw_bitset_clear(&kinds->used, kinds->of[node]);
	kinds->unused[kinds->unused_count++] = kinds->of[node];
}

/* To the byte: amounts that are equal but not the same may count differently later. */
static bool kinds_same(const struct lw_res *a, const struct lw_res *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static bool kinds_close_together(const struct lw_snapshot *snap, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < snap->resv_window_count; i++) {
		const struct lw_bitset *nodes = &snap->resv_windows[i].nodes;

		if (lw_bitset_test(nodes, a) != lw_bitset_test(nodes, b))
			return false;
	}
	return true;
}

/* The kind of a node before NODE that is like it, or a new one. */
static uint32_t kinds_of_new(struct lw_kinds *kinds, const struct lw_snapshot *snap,
			     uint32_t node, uint32_t seen[SEEN], uint32_t *count)
{
	uint32_t at = *count < SEEN ? *count : SEEN;

	while (at-- > 0) {
		uint32_t other = seen[at];

		if (kinds_same(&snap->nodes[node].total, &snap->nodes[other].total) &&
		    kinds_same(&snap->used[node], &snap->used[other]) &&
		    kinds_close_together(snap, node, other))
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
	lw_bitset_clear_all(&kinds->used);
	for (uint32_t i = 0; i < kinds->node_count; i++) {
		kinds->turn_of[i] = 0;
		kinds->unused[i] = kinds->node_count - 1 - i;
	}
	for (uint32_t node = 0; node < kinds->node_count; node++)
		kinds_add(kinds, kinds_of_new(kinds, snap, node, seen, &count), node);
}

void lw_kinds_turn(struct lw_kinds *kinds)
{
	kinds->turn++;
}

bool lw_kinds_change(struct lw_kinds *kinds, uint32_t node, const struct lw_res *res,
		     uint32_t *ret_from, uint32_t *ret_kind)
{
	uint32_t from = kinds->of[node];
	struct lw_kind *kind = &kinds->kinds[from];
	bool known;

	/* a node that is changed twice is not like one that is changed once */
	if (kinds->turn_of[node] == kinds->turn)
		kinds->turn++;
	kinds->turn_of[node] = kinds->turn;
	*ret_from = *ret_kind = from;
	known = kind->turn == kinds->turn && kinds_same(&kind->res, res);
	/* alone, it is of a kind of its own before and after */
	if (!known && kind->nodes == 1)
		return true;
	if (!known) {
		kind->turn = kinds->turn;
		kind->res = *res;
		kind->next = kinds_new(kinds);
	}
	*ret_kind = kind->next;
	kinds_remove(kinds, node);
	kinds_add(kinds, *ret_kind, node);
	return !known;
}
