/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one walk through the queue: start, reserve, fill in behind. */
#ifndef LW_POLICY_BACKFILL_H
#define LW_POLICY_BACKFILL_H

#include "policy/place.h"
#include "policy/policy.h"
#include "policy/shadow.h"

/* A promised start and what it keeps free. */
struct lw_reservation {
	int64_t shadow_s;   /* when there will be room, by hard limits */
	int64_t horizon_s;  /* a start that ends by then may use its room meanwhile */
	uint32_t first_held; /* its run of walk->held */
	uint32_t held_count;
	uint32_t set;  /* the node set of its job */
	bool guarding; /* what guarded[] of its nodes says at the moment */
};

/* The state of a walk; its arrays live in the policy and are used again. */
struct lw_walk {
	const struct lw_policy_params *params;
	const struct lw_snapshot *snap;
	struct lw_plan *plan;
	struct lw_placer *placer;
	uint8_t *class_failed;	     /* by class: 0, or 1 + why none of it has room */
	struct lw_releases releases;
	struct lw_bitset *usable;    /* by set: its nodes that are up */
	uint32_t usable_count;	     /* sets made */
	struct lw_res *free;	     /* by node: free now, after the starts so far */
	struct lw_index *index;	     /* the nodes in order of free */
	struct lw_res *total;	     /* by node */
	struct lw_res *spare;	     /* by reserved node: free beside the reservation, then */
	struct lw_res *future;	     /* scratch of the shadow search */
	uint32_t *holder;	     /* by node: reservation + 1 that holds it, or 0 */
	uint32_t *held;		     /* nodes of the reservations, one run each */
	uint32_t held_count;
	uint8_t *guarded;	     /* by node: scratch, holder's horizon is too early */
	uint32_t *first_variant;     /* by waiting record: the first record of its job */
	uint8_t *job_started;	     /* by first record */
	struct lw_reservation *reservations;
	uint32_t reservation_count, reservation_room;
	bool queue_blocked;	     /* FCFS: somebody waits for room */
};

/*
 * Walk the whole queue once, EASY's two steps in one pass: start in order while there
 * is room; reserve for the first job that has none; let later jobs start where they
 * do not touch the reservation or end before it. WALK's arrays are sized and free,
 * index, total, usable, first_variant filled; the rest is zero. 0 or -ENOMEM.
 */
int lw_backfill_walk(struct lw_walk *walk);

#endif
