/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one moment of a cluster: nodes, running jobs and the queue. */
#ifndef LW_PLANNER_SNAPSHOT_H
#define LW_PLANNER_SNAPSHOT_H

#include "base/bitset.h"
#include "base/error.h"
#include "planner/model/domain.h"
#include "planner/model/grade.h"
#include "planner/model/job.h"
#include "planner/model/kept.h"
#include "planner/model/mix.h"
#include "planner/model/queue.h"
#include "planner/model/resource.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The input of a planning cycle. Only lw_snapshot_add_*() and planner/model/snapshot_step.h add
 * jobs and nodes: the adapter in slurmctld, the simulator and the text reader all build it the
 * same way, and its invariants (planner/model/snapshot_check.h) are checked in one place. The
 * predictor sets its values after that; a simulator also sets the time, promises and planned
 * starts. A policy only reads the snapshot.
 *
 * Times are seconds since the epoch (or since the start of a trace).
 */

#define LW_NO_NODE UINT32_MAX

/* Watts of a GPU with its share of the other draw of its node; both 0: not known. */
#define LW_GPU_DRAW_MAX_W 1000000

struct lw_gpu_draw {
	uint32_t idle_w, busy_w;
};

struct lw_node {
	char *name;
	struct lw_res total;
	bool usable; /* up and not draining: may take new jobs */
	uint32_t weight; /* nodes with a lower weight are used first; 1 by default */
	/* the most free GPUs in one NVLink or NUMA island at that moment; 0: not known */
	uint16_t linked;
};

/* What one job holds, or would hold, on one node. */
struct lw_alloc {
	uint32_t node;
	struct lw_res res;
	uint32_t need; /* in a plan: 0 for its own request, else 1 + which co-allocated need */
};

/* Nodes that some waiting jobs may use, such as a partition reduced by features. */
struct lw_node_set {
	char *name;
	struct lw_bitset nodes;
};

/* Nodes that are closed to some jobs for a time: an advance reservation. */
struct lw_resv_window {
	struct lw_bitset nodes;
	int64_t from_s, until_s;
};

/* What a job needs at the same time: the other components of a het job, licences. */
struct lw_coallocation {
	uint32_t first_need; /* its run of snapshot->needs */
	uint32_t need_count;
};

struct lw_snapshot {
	int64_t now_s;
	struct lw_node *nodes;
	struct lw_domains domains; /* which nodes are near each other; may be none */
	struct lw_mix mix; /* sizes of recent jobs; may be empty */
	struct lw_node_set *sets;
	struct lw_resv_window *resv_windows;
	struct lw_coallocation *coallocations; /* number 1 is the first */
	struct lw_lookup coallocation_index;   /* by hash of its needs */
	struct lw_need *needs;
	struct lw_running *running;
	struct lw_alloc *allocs;
	struct lw_waiting *waiting;
	struct lw_queue queue; /* the order of waiting, the head first, and its classes */
	struct lw_kept kept;   /* room for accepted jobs of waiting */
	struct lw_res *used;   /* by node: what the running jobs hold */
	bool running_sorted;   /* running is in order of (end_s, job_id) */
	char *gpu_types[LW_GPU_TYPES_MAX];
	struct lw_gpu_draw gpu_draw[LW_GPU_TYPES_MAX];
	uint32_t node_count, set_count, running_count, alloc_count, waiting_count;
	uint32_t gpu_type_count;
	uint32_t resv_window_count, coallocation_count, need_count;
	uint32_t resv_window_room, coallocation_room, need_room;
	uint32_t node_room, used_room, set_room, running_room, alloc_room, waiting_room;
	uint32_t *holes; /* indices of removed waiting jobs, to be used again */
	uint32_t hole_count, hole_room;
	uint32_t variant_count; /* waiting records that are not their job's first */
	uint32_t dead_allocs; /* allocs of removed running jobs */
};

/* Make an empty snapshot of the moment NOW_S. */
void lw_snapshot_init(struct lw_snapshot *snap, int64_t now_s);
/* Free all it holds; safe on a zeroed one. */
void lw_snapshot_fini(struct lw_snapshot *snap);
/* Forget running and waiting jobs but keep the rest, for the next look at a cluster. */
void lw_snapshot_next(struct lw_snapshot *snap, int64_t now_s);

/*
 * The index of a GPU type, added when it is new. -ENOSPC beyond LW_GPU_TYPES_MAX,
 * -ENOMEM.
 */
int lw_snapshot_gpu_type(struct lw_snapshot *snap, const char *name);
/*
 * The same, but if only one type number is left, the type gets NAME and all further types share
 * it, so that their nodes count as having GPUs. -ENOMEM.
 */
#define LW_GPU_OTHERS "other-types"
int lw_snapshot_some_gpu_type(struct lw_snapshot *snap, const char *name);
/* The index of a known type; -ENOENT. */
int lw_snapshot_find_gpu_type(const struct lw_snapshot *snap, const char *name);
/* Forget the types from number COUNT on, which nothing may refer to. */
void lw_snapshot_drop_gpu_types(struct lw_snapshot *snap, uint32_t count);

/* The adders copy what they are given. All: 0, -ENOMEM, or -EINVAL with ERR. */

/* Nodes come before domains, sets, running and waiting jobs. A name must be new (not checked). */
int lw_snapshot_add_node(struct lw_snapshot *snap, const char *name, const struct lw_res *total,
			 bool usable, struct lw_error *err);
void lw_snapshot_weigh(struct lw_snapshot *snap, uint32_t node, uint32_t weight);
/* Make GRADES, zeroed or made before, of the weights of all nodes. -ENOMEM: there are none. */
int lw_snapshot_grades(const struct lw_snapshot *snap, struct lw_grades *grades);
/*
 * Set the draw of a GPU of TYPE, and NODE_W of a node without its GPUs, which the node's GPUs
 * share equally. Add nodes before.
 */
void lw_snapshot_set_draw(struct lw_snapshot *snap, uint32_t type, double idle_w, double busy_w,
			  double node_w);
/* Set how many of the free GPUs of node INDEX are in one island. */
void lw_snapshot_set_linked(struct lw_snapshot *snap, uint32_t index, uint16_t linked);
/* lw_domains_add() for this snapshot; add nodes before. */
int lw_snapshot_add_domain(struct lw_snapshot *snap, const char *name, uint32_t parent,
			   const struct lw_bitset *nodes, struct lw_error *err);
/* Add a size to the mix, unchanged. */
int lw_snapshot_add_size(struct lw_snapshot *snap, const struct lw_mix_size *size,
			 struct lw_error *err);
/*
 * Change the GPU types of MIX to the numbers of SNAP; NAMES[COUNT] are the types by the old
 * numbers. Sizes of types that SNAP does not have are dropped.
 */
void lw_snapshot_renumber(const struct lw_snapshot *snap, struct lw_mix *mix, char *const *names,
			  uint32_t count);
/* NODES must be of node_count bits. The new set's index is set_count - 1. */
int lw_snapshot_add_set(struct lw_snapshot *snap, const char *name,
			const struct lw_bitset *nodes, struct lw_error *err);
/*
 * NODES, of node_count bits, are closed FROM_S .. UNTIL_S to jobs with this reservation window
 * in their constraints, by its index. -ENOSPC beyond LW_RESV_WINDOWS_MAX.
 */
int lw_snapshot_add_resv_window(struct lw_snapshot *snap, const struct lw_bitset *nodes,
				int64_t from_s, int64_t until_s, struct lw_error *err);
/*
 * The number of the co-allocation of NEEDS[COUNT]; an equal one is reused. Each need is met on
 * nodes of its own.
 */
int lw_snapshot_add_coallocation(struct lw_snapshot *snap, const struct lw_need *needs,
				 uint32_t count, uint32_t *ret_coallocation,
				 struct lw_error *err);
/* The running job that a job with CONSTRAINTS waits for, or NULL. */
const struct lw_running *lw_snapshot_awaited(const struct lw_snapshot *snap,
					     const struct lw_constraints *constraints);
/* The earliest start: by earliest_s, and by the hard end of the job that it waits for. */
int64_t lw_snapshot_earliest_s(const struct lw_snapshot *snap,
			       const struct lw_constraints *constraints);

static inline const struct lw_alloc *lw_running_allocs(const struct lw_snapshot *snap,
						       const struct lw_running *job)
{
	return snap->allocs ? snap->allocs + job->first_alloc : NULL;
}

/* JOB's first_alloc and alloc_count are ignored; ALLOCS[COUNT] is what it holds. */
int lw_snapshot_add_running(struct lw_snapshot *snap, const struct lw_running *job,
			    const struct lw_alloc *allocs, uint32_t count, struct lw_error *err);
/*
 * The last plan kept ALLOCS[COUNT] for a waiting record from its planned_s on. A plan that finds
 * nothing better keeps them.
 */
int lw_snapshot_add_kept(struct lw_snapshot *snap, uint32_t job_id, uint32_t variant,
			 const struct lw_alloc *allocs, uint32_t count, struct lw_error *err);
/* Put JOB at the end of the queue. Its index stays until its removal. */
int lw_snapshot_add_waiting(struct lw_snapshot *snap, const struct lw_waiting *job,
			    struct lw_error *err);

#endif
