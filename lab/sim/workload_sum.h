/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a workload asks of a machine, in a few figures. */
#ifndef LW_LAB_SIM_WORKLOAD_SUM_H
#define LW_LAB_SIM_WORKLOAD_SUM_H

#include "config/recipes.h"
#include "measure/workload.h"

#include <stdint.h>
#include <stdio.h>

/* What a workload asks of a machine. */
struct lw_workload_summary {
	uint32_t jobs;
	uint32_t users;
	uint32_t arrays;
	uint32_t array_jobs;
	uint32_t cancelled;
	uint32_t over_limit; /* run longer than their limit */
	uint32_t kinds[LW_WORKLOAD_KINDS];
	int64_t span_s; /* first to last submission */
	double load;    /* offered: work / (nodes x span) */
	double work_s;  /* node-seconds by dominant share, before cancellations */
	int64_t run_median_s;
	double run_mean_s;
	double nodes_mean;
	uint32_t nodes_max;
	double gpus_mean;
	uint32_t gpus_max; /* of one job */
};

/*
 * The share of one node a job takes on each of its nodes: the larger of its GPU share
 * and its CPU share (dominant share: Ghodsi et al., Dominant resource fairness, NSDI
 * 2011). A node without GPUs counts by CPUs alone.
 */
double lw_workload_node_share(const struct lw_workload_job *job, uint32_t gpus_per_node,
			      uint32_t cpus_per_node);
/* The time a job holds its nodes if it is not cancelled. */
int64_t lw_workload_held_s(const struct lw_workload_job *job);

/*
 * Sum WORKLOAD up for a machine of that shape. By RECIPES a job's work is that on an equal share
 * of the machine's GPU types; NULL: it runs everywhere alike. -ENOMEM.
 */
int lw_workload_sum(const struct lw_workload *workload, const struct lw_recipes *recipes,
		    uint32_t nodes, uint32_t gpus_per_node, uint32_t cpus_per_node,
		    struct lw_workload_summary *ret_summary);
/* Print a summary for people, a few lines. */
void lw_workload_print_summary(const struct lw_workload_summary *summary, FILE *out);

#endif
