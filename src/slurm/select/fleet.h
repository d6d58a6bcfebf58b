/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the nodes have and what is free, kept between tests of starts. */
#ifndef LW_SLURM_FLEET_H
#define LW_SLURM_FLEET_H

#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"
#include "slurm/query/islands.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Slurm keeps this in many small records of each node, and going through them takes most of the
 * time of a choice. So all are read only now and then, and between readings jobs that begin and
 * end are counted. Weights are read each time, because Slurm sets them for each job: nodes that
 * must boot for it come last. Slurm tells no plugin that a node registered with other GPUs or
 * CPUs than before; this is noticed up to LW_FLEET_S later. That does no harm, because these
 * figures only decide what is tried first. All functions need Slurm's job and node locks for
 * writing.
 */

#define LW_FLEET_S 60

struct lw_fleet {
	uint32_t node_count;	 /* 0: nothing was read */
	struct lw_snapshot snap; /* only for the GPU types */
	struct lw_res *total, *used, *free; /* by node */
	struct lw_bitset known;		    /* nodes for which Slurm says what is in use */
	struct lw_bitset gpu_nodes;	    /* those of them with GPUs */
	struct lw_bitset dirty;	 /* nodes with GPUs that jobs took or released */
	uint16_t *linked;	 /* lw_node_linked(), or a mark that it must be called */
	struct lw_islands islands; /* of leeway.yaml */
	uint64_t *weights, *graded; /* as last read, and those of the grades */
	bool grades_made;
	struct lw_grades grades;
	int64_t read_s;	   /* when all was read */
};

/*
 * Make FLEET ready for NODE_COUNT nodes, and up to date at NOW_S. *ret_new: it was made anew,
 * and GPU types may have new numbers. -ENOMEM leaves it empty.
 */
int lw_fleet_prepare(struct lw_fleet *fleet, uint32_t node_count, int64_t now_s, bool *ret_new);
/* Free all it holds; safe on a zeroed one. */
void lw_fleet_fini(struct lw_fleet *fleet);

/* JOB, which has job_resrcs, has begun, or is about to end. */
void lw_fleet_began(struct lw_fleet *fleet, const job_record_t *job);
void lw_fleet_ends(struct lw_fleet *fleet, const job_record_t *job);

/* Something else changed: read all anew at the next use. */
void lw_fleet_forget(struct lw_fleet *fleet);

/*
 * Set CANDIDATES to the known nodes of NODES, without WITH_GPUS only to those without GPUs; note
 * their weights. Returns the first of them, or NULL.
 */
const node_record_t *lw_fleet_candidates(struct lw_fleet *fleet, bitstr_t *nodes, bool with_gpus,
					 struct lw_bitset *candidates);
/* The nodes by weight, or NULL: all weights are equal. */
const struct lw_grades *lw_fleet_grades(struct lw_fleet *fleet);
/* The most free GPUs of NODE in one island. */
uint16_t lw_fleet_linked(struct lw_fleet *fleet, uint32_t node);

#endif
