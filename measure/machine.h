/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the machine that a trace is simulated on. */
#ifndef LW_MEASURE_MACHINE_H
#define LW_MEASURE_MACHINE_H

#include "base/strbuf.h"
#include "measure/nodes.h"
#include "planner/model/snapshot.h"

/*
 * Either one pool of processors, any number of which a job may take, as schedulers are
 * compared in the literature; or equal nodes, over which jobs are spread. On nodes with
 * GPUs a processor of the trace is a GPU, otherwise a CPU.
 */
struct lw_machine {
	uint32_t pool;  /* processors, if there are no nodes */
	uint32_t nodes; /* 0: a pool */
	uint32_t gpus_per_node;
	uint32_t gpus_per_island; /* as by NVLink; 0: nothing is known of islands */
	uint32_t cpus_per_node; /* at least 1 when there are nodes */
	uint32_t mem_mib_per_node; /* 0: memory does not count */
	/* nodes of several types: those above are the sum, and the most that any type has */
	struct lw_nodes types[LW_NODES_TYPES_MAX];
	uint32_t type_count; /* 0: all are alike; the first says of which type their GPUs are */
	uint32_t racks; /* switches or blocks of equally many nodes, but the last; 0: no domains */
	bool blocks;	/* they are blocks: strict (planner/model/domain.h) */
	/* how its Slurm lags behind what happens (lab/sim/engine.h); the first only with nodes */
	int64_t completing_s, plan_delay_s;
	bool main_loop; /* Slurm's own starts jobs, too, in order */
	int64_t main_delay_s;
	bool ungated; /* and these do not heed the plan, as without our select plugin */
};

/* Make MACHINE's nodes those of COUNT TYPES. */
void lw_machine_set_types(struct lw_machine *machine, const struct lw_nodes *types,
			  uint32_t count);

/* How many of its nodes have as much as EACH; its count is not used. */
uint32_t lw_machine_fitting(const struct lw_machine *machine, const struct lw_nodes *each);

/* Add it in words: "16 nodes of 4 GPUs and 64 CPUs". */
void lw_machine_describe(const struct lw_machine *machine, struct lw_strbuf *sb);

/* Processors of the whole machine. */
uint32_t lw_machine_procs(const struct lw_machine *machine);

/* Of a machine with racks: has each of them a node? */
bool lw_machine_fills_racks(const struct lw_machine *machine);

/*
 * Make *RET_SNAP, which the caller finishes, of the empty machine with one set of all
 * nodes. -ENOMEM leaves nothing to finish.
 */
int lw_machine_build(const struct lw_machine *machine, struct lw_snapshot *ret_snap);

/*
 * What a job of PROCS processors asks for: as few nodes as hold them, equal amounts on
 * each, and of a GPU node's CPUs the share of its GPUs. False: more than the machine has.
 */
bool lw_machine_request(const struct lw_machine *machine, uint32_t procs,
			struct lw_request *ret_request);

/* The processors that such a request holds: at least as many as the job asked for. */
uint32_t lw_machine_width(const struct lw_machine *machine, const struct lw_request *request);

#endif
