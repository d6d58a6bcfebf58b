/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a plan keeps from starts that it did not make. */
#ifndef LW_PLANNER_GATE_H
#define LW_PLANNER_GATE_H

#include "planner/model/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Slurm starts jobs beside the plan: at submission, in its main loop, for srun. The gate judges
 * such a start on one node by what the plan keeps there (doc/dev/planner.md, "The gate"):
 *
 *   - a claim: room that a job was promised, or that is kept for an accepted deadline;
 *   - the starts of the plan, until they are made;
 *   - the turn: what has come free since the plan goes to the jobs in the order of the next
 *     plan, if any job that waits may use the node;
 *   - nodes that drain for the first job of the queue: a start that lasts too long for it is left
 *     to the next plan.
 *
 * Amounts have the GPU types of gate->types. A judgement allocates nothing, and costs
 * O(claims + nodes with claims + nodes / 64).
 */

/* What is kept on a node. Nodes on which the same is kept share a claim. */
struct lw_gate_claim {
	uint32_t job_id; /* the job for which room is kept; 0: there are several */
	uint16_t tier;   /* its partition's, the highest of several: a higher one passes */
	int64_t due_s;   /* a start that ends by then may use the room */
	struct lw_res spare; /* a start that ends later may use this much */
};

/* All zero is a gate that lets everything through. */
struct lw_gate {
	int64_t made_s; /* the time of the plan's snapshot */
	uint16_t tier;  /* the highest of a waiting job: a higher one does not wait for its turn */
	uint32_t node_count; /* of the snapshot: licences are nodes of it */
	uint32_t *claim_of; /* by node: 1 + the number of its claim, or 0 */
	struct lw_gate_claim *claims;
	uint8_t *verdicts; /* by claim: scratch of a judgement */
	uint32_t claim_count, claim_room, verdict_room, node_room;
	uint32_t *held; /* jobs that the plan has wait although they have room; ids in order */
	uint32_t held_count, held_room;
	struct lw_bitset wanted; /* nodes that waiting jobs may use */
	struct lw_bitset freed;  /* nodes on which something came free since */
	struct lw_bitset drained; /* nodes that drain for a job ... */
	uint32_t drained_for;     /* ... which is this one ... */
	int64_t drained_s;        /* ... and a start that ends by then is short enough for it */
	struct lw_bitset starting; /* nodes of starts of the plan that are not made yet */
	struct lw_bitset claimed; /* nodes with a claim */
	struct lw_bitset refused; /* scratch of a judgement */
	/* its GPU types, and as nodes the last ones of the snapshot: the licences */
	struct lw_snapshot types;
};

/* A start that the plan did not make. */
struct lw_gate_start {
	uint32_t job_id;
	uint16_t tier;
	int64_t end_s;       /* by its hard limit */
	struct lw_res least; /* what it takes of each of its nodes at least */
	bool by_turn;        /* the plan is new enough for its turn to count */
};

void lw_gate_fini(struct lw_gate *gate);
/* Empty GATE for NODE_COUNT nodes, but keep its memory. -ENOMEM leaves it all zero. */
int lw_gate_reset(struct lw_gate *gate, uint32_t node_count);
/* The number of nodes that are no licences. */
uint32_t lw_gate_places(const struct lw_gate *gate);

/* Keep CLAIM on NODE, beside what is kept there. -ENOMEM. */
int lw_gate_keep(struct lw_gate *gate, uint32_t node, const struct lw_gate_claim *claim);

/* Does the plan have START's job wait on purpose? Then it starts nowhere. */
bool lw_gate_holds(const struct lw_gate *gate, const struct lw_gate_start *start);

/* The nodes of which START may not take its least amounts; GATE's, until it is asked again. */
const struct lw_bitset *lw_gate_refused(struct lw_gate *gate, const struct lw_gate_start *start);
/* Would START break a claim on NODE, if it took HELD? */
bool lw_gate_breaks(const struct lw_gate *gate, const struct lw_gate_start *start, uint32_t node,
		    const struct lw_res *held);
/* The same, or is NODE kept for the plan's own starts, or for the turn? */
bool lw_gate_harms(const struct lw_gate *gate, const struct lw_gate_start *start, uint32_t node,
		   const struct lw_res *held);

/* START has begun, and holds HELD of NODE. Without memory nothing is spare there any more. */
void lw_gate_began(struct lw_gate *gate, const struct lw_gate_start *start, uint32_t node,
		   const struct lw_res *held);
/* A job has given back what it held of NODE: the next plan says which job gets it. */
void lw_gate_ended(struct lw_gate *gate, uint32_t node);
/* The starts of the plan are made, or were refused. */
void lw_gate_applied(struct lw_gate *gate);
/* JOB_ID has started: nothing is kept for it alone any more. */
void lw_gate_started(struct lw_gate *gate, uint32_t job_id);

#endif
