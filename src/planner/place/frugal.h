/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: of GPU types on which a job ends alike, the one on which it takes less energy. */
#ifndef LW_PLANNER_FRUGAL_H
#define LW_PLANNER_FRUGAL_H

#include "planner/model/resource.h"

#include <stdbool.h>

/*
 * A job's energy on a type is that of its GPUs at work, each with its share of its node, for as
 * long as it is expected to run there. If it has to begin on nodes on which nothing runs yet, what
 * they draw beside is its own, too: so that nodes in use fill up, and others stay powered down.
 *
 * Ends are alike that are apart by a share of the expected run time, its slack. A job that would
 * wait for the thriftier type may do so for that long in all, counted from its submission. One with
 * a deadline takes the thriftiest type that it can have at once if by its limit it makes the
 * deadline there.
 */
struct lw_frugal {
	bool on;
	bool at_once; /* nobody is given a type that is not free at once */
	int64_t now_s;
	double slack; /* as a share of the run time */
	/* by type: watts of one GPU with its share of its node, and how many a node has */
	uint32_t busy_w[LW_GPU_TYPES_MAX], idle_w[LW_GPU_TYPES_MAX], node_gpus[LW_GPU_TYPES_MAX];
	/* by type: GPUs that are free on nodes in use; and of these, in a try, what is left */
	uint64_t beside[LW_GPU_TYPES_MAX], left[LW_GPU_TYPES_MAX];
};

struct lw_type_job;

/* A try begins. */
void lw_frugal_begin(struct lw_frugal *frugal);
/* The job takes its GPUs of TYPE, at once. */
void lw_frugal_take(struct lw_frugal *frugal, const struct lw_type_job *job, int type);
/* In joules, if it starts then. */
double lw_frugal_energy(const struct lw_frugal *frugal, const struct lw_type_job *job, int type,
			int64_t start_s);
/*
 * The type for JOB that could start at START_S on each, INT64_MAX: not at all. BEST is where it
 * ends first.
 */
int lw_frugal_choose(const struct lw_frugal *frugal, const struct lw_type_job *job,
		     const int64_t *start_s, int best);

#endif
