/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how wide a job, or a set of nodes, is. */
#ifndef LW_PLANNER_WIDTH_H
#define LW_PLANNER_WIDTH_H

#include "planner/model/snapshot.h"

/* Converts GPUs and memory to CPUs with the same share of the cluster. */
struct lw_scale {
	double cpus_per_gpu;
	double cpus_per_mib;
	double cpus_per_node;
	double cpus; /* of the whole cluster */
	double jobs; /* running and waiting */
};

void lw_scale_init(struct lw_scale *scale, const struct lw_snapshot *snap);

/* What a job asks for, or what there is, on all nodes together. */
struct lw_demand {
	double cpus, gpus, mib;
};

struct lw_demand lw_demand_of(const struct lw_scale *scale, const struct lw_request *req);

/*
 * How wide a job is, in CPUs: its CPUs, or as many as its share of the cluster's GPUs or
 * memory would be, whichever is most (dominant share: Ghodsi et al., "Dominant resource
 * fairness", NSDI 2011). At least 1.
 */
double lw_width(const struct lw_scale *scale, const struct lw_request *req);
/* The width of the usable nodes of a set. */
double lw_width_of_set(const struct lw_scale *scale, const struct lw_snapshot *snap, uint32_t set);

#endif
