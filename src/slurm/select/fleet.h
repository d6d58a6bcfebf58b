/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the nodes have and what of it is free, kept between tests of starts. */
#ifndef LW_SLURM_FLEET_H
#define LW_SLURM_FLEET_H

#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"
#include "slurm/query/islands.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Slurm keeps this in many small records of each node, and going through them takes most of the
 * time of a choice. So all are read only now and then, and in between jobs that begin and end are
 * counted. Weights are read each time, since Slurm sets them for each job: nodes that have to boot
 * for it come last. Slurm tells no plugin when a node registers with other GPUs or CPUs than
 * before; that is seen up to LW_FLEET_S later. It does no harm: what is kept here only says what
 * is tried first. All functions need Slurm's job and node locks for writing.
 */

#define LW_FLEET_S 60

struct lw_fleet {
	uint32_t node_count;	 /* 0: nothing is there */
	struct lw_snapshot snap; /* only for the GPU types */
	struct lw_res *total, *used, *free; /* by node */
	struct lw_bitset known;		    /* nodes of which Slurm says what is in use */
	struct lw_bitset gpu_nodes;	    /* those of them that have GPUs */
	struct lw_bitset dirty;	 /* nodes whose GPUs changed hands */
	uint16_t *linked;	 /* lw_node_linked(), or that it is to be asked */
	struct lw_islands islands; /* of leeway.yaml */
	uint64_t *weights, *graded; /* as last seen; those that the grades are made of */
	bool grades_made;
	struct lw_grades grades;
	int64_t read_s;	   /* when all was read */
};

/*
 * Make FLEET ready for NODE_COUNT nodes, and up to date at NOW_S. *ret_new: it was made anew, and
 * GPU types may have other numbers than before. -ENOMEM leaves it empty.
 */
int lw_fleet_prepare(struct lw_fleet *fleet, uint32_t node_count, int64_t now_s, bool *ret_new);
/* Free all it holds; safe on a zeroed one. */
void lw_fleet_fini(struct lw_fleet *fleet);

/* JOB, whose job_resrcs are set, has begun, or is about to end. */
void lw_fleet_began(struct lw_fleet *fleet, const job_record_t *job);
void lw_fleet_ends(struct lw_fleet *fleet, const job_record_t *job);

/* Something else changed: read all anew when it is asked for next. */
void lw_fleet_forget(struct lw_fleet *fleet);

/*
 * Set CANDIDATES to those of NODES that are known, and unless WITH_GPUS only to those without
 * GPUs; note their weights. Returns the first of them, or NULL.
 */
const node_record_t *lw_fleet_candidates(struct lw_fleet *fleet, bitstr_t *nodes, bool with_gpus,
					 struct lw_bitset *candidates);
/* The nodes by weight, or NULL: all weigh the same. */
const struct lw_grades *lw_fleet_grades(struct lw_fleet *fleet);
/* How many free GPUs of NODE are in one island. */
uint16_t lw_fleet_linked(struct lw_fleet *fleet, uint32_t node);

#endif
