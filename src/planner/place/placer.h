/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of placement share; outside it only an lw_choose_f includes this. */
#ifndef LW_PLANNER_PLACER_H
#define LW_PLANNER_PLACER_H

#include "planner/place/place.h"

/* A node that serves. */
struct lw_candidate {
	uint64_t key; /* best fit first: lw_index_key() */
	uint32_t node;
	uint32_t near;	    /* of equal nodes, those in fewer domains first: lower is better */
	uint32_t grade;	    /* by weight: lower grades come before all else */
	bool split;	    /* the GPUs would come from several islands of the node */
	struct lw_res give; /* the most that it could give */
	uint32_t cpus, gpus; /* what counts of that: GPUs of the wanted type, whole tasks */
};

/* By domain: scratch of one choice. */
struct lw_nearness {
	uint32_t *direct; /* candidates directly in it */
	uint32_t *held;	  /* the same, with all domains below it */
	uint32_t *quota;  /* how many of its nodes the job gets */
	uint32_t loose;	  /* candidates in no domain, and how many of them the job gets */
	uint32_t loose_quota;
	uint32_t leaves; /* domains and loose nodes that the choice touches */
};

struct lw_placer {
	uint32_t node_count;
	uint32_t domain_room; /* the arrays of near are made for so many domains */
	struct lw_candidate *candidates;
	struct lw_candidate *near_candidates; /* those of one domain */
	struct lw_bitset light;		      /* the candidates up to a grade */
	struct lw_nearness near;
	struct lw_alloc *allocs;      /* the answer */
	struct lw_alloc *best_allocs; /* the best answer over GPU types so far */
};

/*
 * The domains of ROOM; NULL if it has none, the placer is not made for so many, or they are
 * strict and do not bind REQ.
 */
const struct lw_domains *lw_placer_domains(const struct lw_placer *placer,
					   const struct lw_room *room,
					   const struct lw_request *req);

/*
 * Choose WANT of the COUNT candidates, which are in order of fit: in the smallest domain that
 * holds so many, and in as few domains below it as possible. The answer is in placer->allocs.
 * -ENOSPC: strict domains forbid it.
 */
int lw_place_near(struct lw_placer *placer, const struct lw_domains *domains, uint32_t count,
		  uint32_t want);

/* Choose among the candidates until REQ has its totals. */
int lw_place_totals(struct lw_placer *placer, const struct lw_room *room,
		    const struct lw_request *req, int type, uint32_t count,
		    uint32_t *ret_count);

/* Can NODE serve REQ with GPUs of TYPE, and with which amounts? */
bool lw_place_candidate(const struct lw_room *room, const struct lw_request *req, int type,
			uint32_t node, struct lw_candidate *ret_cand);

/* Is REQ for one node without totals, and does more than best fit count? */
bool lw_place_weighs(const struct lw_room *room, const struct lw_domains *domains,
		     const struct lw_request *req);
/*
 * The one node that does the least damage, of the first COUNT candidates in order of fit, or, if
 * the room has an index, of all nodes. False: none was found, though nodes with more free GPUs
 * than the measure covers may serve.
 */
bool lw_place_single(struct lw_placer *placer, const struct lw_room *room,
		     const struct lw_request *req, int type, uint32_t count);

/*
 * How many GPUs GIVE on NODE makes useless to the sizes of the mix: now, or, if the room has
 * release_dists, over the stay of the job. Comparable only within one room.
 */
int64_t lw_place_damage(const struct lw_room *room, int type, uint32_t node,
			const struct lw_res *give);

/* Does the room know islands of GPUs? */
static inline bool lw_place_has_islands(const struct lw_room *room)
{
	return room->linked || room->linked_f;
}

/* Would GPUS GPUs of NODE come from several of its islands? */
static inline bool lw_place_splits(const struct lw_room *room, uint32_t node, uint32_t gpus)
{
	uint16_t linked;

	if (gpus < 2 || !lw_place_has_islands(room))
		return false;
	linked = room->linked ? room->linked[node] : room->linked_f(node);
	return linked && gpus > linked;
}

/* Do islands matter to REQ: does it want several nodes, and several GPUs on each? */
bool lw_place_minds_islands(const struct lw_room *room, const struct lw_request *req, int type);
/* Set split of the first COUNT candidates. */
void lw_place_mark_islands(struct lw_placer *placer, const struct lw_room *room,
			   const struct lw_request *req, uint32_t count);
/* Is any of the COUNT nodes of the answer split? */
bool lw_place_is_split(const struct lw_placer *placer, const struct lw_room *room,
		       const struct lw_request *req, uint32_t count);
/*
 * Try again for an answer of *RET_COUNT nodes, with those of the COUNT candidates that are not
 * split. True with a new answer if that is no more spread. Else the old answer and the order of
 * the candidates are lost.
 */
bool lw_place_in_islands(struct lw_placer *placer, const struct lw_room *room,
			 const struct lw_request *req, int type, uint32_t count,
			 uint32_t *ret_count);

/* Sort the first COUNT candidates by fit. */
void lw_place_sort(struct lw_placer *placer, uint32_t count);
/* Choose among the first COUNT candidates, in that order, whatever their islands. -ENOSPC. */
int lw_place_among(struct lw_placer *placer, const struct lw_room *room,
		   const struct lw_request *req, int type, uint32_t count, uint32_t *ret_count);

/* Count the candidates by domain. */
void lw_near_count(struct lw_placer *placer, const struct lw_domains *domains, uint32_t count);

/* The highest domain allowed for a job of WANT nodes; UINT32_MAX: any, or none. */
uint32_t lw_near_ceiling(const struct lw_domains *domains, uint32_t want);

/* A job with only a total of GPUs needs at least one on each node. */
static inline uint32_t lw_gpu_floor(const struct lw_request *req)
{
	return req->gpus_per_node ? req->gpus_per_node : req->gpus_total ? 1 : 0;
}

/* What a node gives of CPUS and GPUS of TYPE, without the parts of the GPUs. */
void lw_place_amounts(struct lw_res *res, const struct lw_request *req, int type, uint32_t cpus,
		      uint32_t gpus);
/* Reduce *cpus and *gpus, which a node could give, to whole tasks, but not below the floor. */
void lw_place_whole_tasks(const struct lw_request *req, int type, uint32_t *cpus, uint32_t *gpus);
/* Add to *res the parts of its GPUs, which a node of size TOTAL gives as whole GPUs. */
void lw_place_whole_parts(struct lw_res *res, const struct lw_res *total);

#endif
