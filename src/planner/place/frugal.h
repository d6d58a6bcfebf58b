/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: of GPU types on which a job ends alike, the one that takes less energy. */
#ifndef LW_PLANNER_FRUGAL_H
#define LW_PLANNER_FRUGAL_H

#include "planner/model/resource.h"

#include <stdbool.h>

/*
 * The energy of a job on a type is that of its busy GPUs, each with its share of its node, for
 * its expected run time. If it has to start on idle nodes, what these draw beside is added. So
 * nodes in use fill up, and others can stay powered down.
 *
 * Ends are alike if they differ by at most the slack, a share of the expected run time. A job
 * may wait for the thriftier type for that long in all, counted from its submission. A job with
 * a deadline takes the thriftiest type that is free at once if, by its time limit, it meets the
 * deadline there.
 */
struct lw_frugal {
	bool on;
	bool at_once; /* give only types that are free at once */
	int64_t now_s;
	double slack; /* as a share of the run time */
	/* by type: watts of one GPU with its share of its node, and how many a node has */
	uint32_t busy_w[LW_GPU_TYPES_MAX], idle_w[LW_GPU_TYPES_MAX], node_gpus[LW_GPU_TYPES_MAX];
	/* by type: free GPUs on nodes in use; and how many of these are left during a try */
	uint64_t beside[LW_GPU_TYPES_MAX], left[LW_GPU_TYPES_MAX];
};

struct lw_type_job;

/* Begin a try. */
void lw_frugal_begin(struct lw_frugal *frugal);
/* The job takes its GPUs of TYPE at once. */
void lw_frugal_take(struct lw_frugal *frugal, const struct lw_type_job *job, int type);
/* The energy in joules of a start at START_S. */
double lw_frugal_energy(const struct lw_frugal *frugal, const struct lw_type_job *job, int type,
			int64_t start_s);
/*
 * The type for JOB, which could start at START_S of each type (INT64_MAX: never). BEST is the
 * type on which it ends first.
 */
int lw_frugal_choose(const struct lw_frugal *frugal, const struct lw_type_job *job,
		     const int64_t *start_s, int best);

#endif
