/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a plan keeps from starts that it did not make. */

/* Part of the select plugin, which commands load too. */

#include "planner/model/gate.h"

#include "base/grow.h"
#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum verdict {
	UNKNOWN,
	LETS,
	REFUSES,
};

static void gate_free_sets(struct lw_gate *gate)
{
	lw_bitset_fini(&gate->wanted);
	lw_bitset_fini(&gate->freed);
	lw_bitset_fini(&gate->drained);
	lw_bitset_fini(&gate->starting);
	lw_bitset_fini(&gate->claimed);
	lw_bitset_fini(&gate->refused);
}

void lw_gate_fini(struct lw_gate *gate)
{
	free(gate->claim_of);
	free(gate->claims);
	free(gate->verdicts);
	free(gate->held);
	gate_free_sets(gate);
	lw_snapshot_fini(&gate->types);
	memset(gate, 0, sizeof(*gate));
}

static int gate_size(struct lw_gate *gate, uint32_t node_count)
{
	if (lw_grow((void **)&gate->claim_of, &gate->node_room, node_count + 1,
		    sizeof(*gate->claim_of)))
		return -ENOMEM;
	if (gate->wanted.bits == node_count && gate->wanted.words)
		return 0;
	gate_free_sets(gate);
	if (lw_bitset_init(&gate->wanted, node_count) ||
	    lw_bitset_init(&gate->freed, node_count) ||
	    lw_bitset_init(&gate->drained, node_count) ||
	    lw_bitset_init(&gate->starting, node_count) ||
	    lw_bitset_init(&gate->claimed, node_count) ||
	    lw_bitset_init(&gate->refused, node_count))
		return -ENOMEM;
	return 0;
}

int lw_gate_reset(struct lw_gate *gate, uint32_t node_count)
{
	if (gate_size(gate, node_count)) {
		lw_gate_fini(gate);
		return -ENOMEM;
	}
	lw_snapshot_fini(&gate->types);
	lw_snapshot_init(&gate->types, 0);
	lw_bitset_clear_all(&gate->wanted);
	lw_bitset_clear_all(&gate->freed);
	lw_bitset_clear_all(&gate->drained);
	lw_bitset_clear_all(&gate->starting);
	lw_bitset_clear_all(&gate->claimed);
	memset(gate->claim_of, 0, node_count * sizeof(*gate->claim_of));
	gate->node_count = node_count;
	gate->claim_count = gate->held_count = 0;
	gate->made_s = 0;
	gate->tier = 0;
	return 0;
}

uint32_t lw_gate_places(const struct lw_gate *gate)
{
	return gate->node_count - gate->types.node_count;
}

static struct lw_gate_claim *gate_claim_at(const struct lw_gate *gate, uint32_t node)
{
	if (node >= gate->node_count || !gate->claim_of[node])
		return NULL;
	return &gate->claims[gate->claim_of[node] - 1];
}

static bool gate_claim_equal(const struct lw_gate_claim *a, const struct lw_gate_claim *b)
{
	return a->job_id == b->job_id && a->tier == b->tier && a->due_s == b->due_s &&
	       lw_res_equal(&a->spare, &b->spare);
}

/* The number of CLAIM + 1. The last ones are looked at: like nodes come one after the other. */
static uint32_t gate_claim_number(struct lw_gate *gate, const struct lw_gate_claim *claim)
{
	uint32_t count = gate->claim_count, seen = count < 8 ? count : 8;

	for (uint32_t i = 1; i <= seen; i++)
		if (gate_claim_equal(&gate->claims[count - i], claim))
			return count - i + 1;
	if (lw_grow((void **)&gate->claims, &gate->claim_room, count + 1,
		    sizeof(*gate->claims)) ||
	    lw_grow((void **)&gate->verdicts, &gate->verdict_room, count + 1,
		    sizeof(*gate->verdicts)))
		return 0;
	gate->verdicts[count] = UNKNOWN;
	gate->claims[gate->claim_count++] = *claim;
	return gate->claim_count;
}

/* Of two on a node: what harms neither of them. */
static struct lw_gate_claim gate_claim_merge(const struct lw_gate_claim *a,
					     const struct lw_gate_claim *b)
{
	struct lw_gate_claim both = *a;

	if (a->job_id != b->job_id)
		both.job_id = 0;
	if (both.tier < b->tier)
		both.tier = b->tier;
	if (both.due_s > b->due_s)
		both.due_s = b->due_s;
	lw_res_min(&both.spare, &b->spare);
	return both;
}

int lw_gate_keep(struct lw_gate *gate, uint32_t node, const struct lw_gate_claim *claim)
{
	const struct lw_gate_claim *before = gate_claim_at(gate, node);
	struct lw_gate_claim both = before ? gate_claim_merge(before, claim) : *claim;
	uint32_t number;

	if (node >= gate->node_count)
		return 0;
	number = gate_claim_number(gate, &both);
	if (!number)
		return -ENOMEM;
	gate->claim_of[node] = number;
	lw_bitset_set(&gate->claimed, node);
	return 0;
}

bool lw_gate_holds(const struct lw_gate *gate, const struct lw_gate_start *start)
{
	uint32_t at;

	if (!start->by_turn)
		return false;
	LW_SEARCH(at, gate->held_count, gate->held[at] < start->job_id);
	return at < gate->held_count && gate->held[at] == start->job_id;
}

/* Whatever START takes, it does CLAIM no harm. */
static bool gate_does_no_harm(const struct lw_gate_claim *claim,
			      const struct lw_gate_start *start)
{
	return start->end_s <= claim->due_s || start->tier > claim->tier ||
	       (claim->job_id && claim->job_id == start->job_id);
}

/* Does START leave what came free to the next plan? */
static bool gate_heeds_turn(const struct lw_gate *gate, const struct lw_gate_start *start)
{
	return start->by_turn && start->tier <= gate->tier;
}

/* Does START leave nodes that drain for another job to the next plan? */
static bool gate_heeds_drain(const struct lw_gate *gate, const struct lw_gate_start *start)
{
	return gate_heeds_turn(gate, start) && start->end_s > gate->drained_s &&
	       start->job_id != gate->drained_for;
}

static bool gate_is_turn_of_others(const struct lw_gate *gate, const struct lw_gate_start *start,
				   uint32_t node)
{
	return gate_heeds_turn(gate, start) && lw_bitset_test(&gate->freed, node) &&
	       lw_bitset_test(&gate->wanted, node);
}

static bool gate_is_refused(struct lw_gate *gate, const struct lw_gate_start *start,
			    uint32_t node)
{
	uint32_t number = gate->claim_of[node] - 1;
	const struct lw_gate_claim *claim = &gate->claims[number];

	if (gate->verdicts[number] == UNKNOWN)
		gate->verdicts[number] =
			gate_does_no_harm(claim, start) ||
					lw_res_within(&start->least, &claim->spare)
				? LETS
				: REFUSES;
	return gate->verdicts[number] == REFUSES;
}

/* By words: a cluster may have ten thousand nodes, and Slurm's locks are held. */
const struct lw_bitset *lw_gate_refused(struct lw_gate *gate, const struct lw_gate_start *start)
{
	bool by_turn = gate_heeds_turn(gate, start), by_drain = gate_heeds_drain(gate, start);

	if (gate->claim_count)
		memset(gate->verdicts, UNKNOWN, gate->claim_count);
	for (uint32_t word = 0; word * 64 < gate->node_count; word++) {
		uint64_t left = gate->claimed.words[word];
		uint64_t refused = gate->starting.words[word];

		if (by_turn)
			refused |= gate->freed.words[word] & gate->wanted.words[word];
		if (by_drain)
			refused |= gate->drained.words[word];
		for (; left; left &= left - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(left);

			if (gate_is_refused(gate, start, word * 64 + bit))
				refused |= UINT64_C(1) << bit;
		}
		gate->refused.words[word] = refused;
	}
	return &gate->refused;
}

bool lw_gate_breaks(const struct lw_gate *gate, const struct lw_gate_start *start, uint32_t node,
		    const struct lw_res *held)
{
	const struct lw_gate_claim *claim = gate_claim_at(gate, node);

	return claim && !gate_does_no_harm(claim, start) && !lw_res_within(held, &claim->spare);
}

bool lw_gate_harms(const struct lw_gate *gate, const struct lw_gate_start *start, uint32_t node,
		   const struct lw_res *held)
{
	return gate_is_turn_of_others(gate, start, node) ||
	       (gate_heeds_drain(gate, start) && lw_bitset_test(&gate->drained, node)) ||
	       lw_bitset_test(&gate->starting, node) || lw_gate_breaks(gate, start, node, held);
}

/* Another amount is spare on NODE from now on. */
static void gate_change_spare(struct lw_gate *gate, uint32_t node,
			      const struct lw_gate_claim *claim)
{
	uint32_t number = gate_claim_number(gate, claim);

	if (number)
		gate->claim_of[node] = number;
	else
		gate->claims[gate->claim_of[node] - 1].spare = (struct lw_res){ 0 };
}

void lw_gate_began(struct lw_gate *gate, const struct lw_gate_start *start, uint32_t node,
		   const struct lw_res *held)
{
	const struct lw_gate_claim *claim = gate_claim_at(gate, node);
	struct lw_gate_claim changed;

	if (!claim || start->end_s <= claim->due_s)
		return;
	changed = *claim;
	lw_res_sub(&changed.spare, held);
	/* where nothing is spare, claims must not become more with each start */
	if (!lw_res_equal(&changed.spare, &claim->spare))
		gate_change_spare(gate, node, &changed);
}

void lw_gate_ended(struct lw_gate *gate, uint32_t node)
{
	lw_bitset_set(&gate->freed, node);
}

void lw_gate_applied(struct lw_gate *gate)
{
	if (gate->node_count)
		lw_bitset_clear_all(&gate->starting);
}

void lw_gate_started(struct lw_gate *gate, uint32_t job_id)
{
	for (uint32_t i = 0; i < gate->claim_count; i++)
		if (gate->claims[i].job_id == job_id)
			gate->claims[i].due_s = INT64_MAX;
}
