/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who comes first: the orders of the queue, and of what is filled in behind heads. */
#ifndef LW_PLANNER_ORDER_H
#define LW_PLANNER_ORDER_H

#include "planner/policies/policy.h"

/*
 * Of a job that was submitted at s and has waited w, with limit r, expected run time e and
 * width n (times in seconds), first comes
 *
 *	fcfs	 the least s
 *	sjf	 the least e
 *	wfp3	 the greatest (w / r)^3 n		Tang, Lan, Desai, Buettner, "Fault-aware,
 *	unicep	 the greatest w / (log2(n) r)		utility-based job scheduling on Blue
 *						Gene/P systems", CLUSTER 2009
 *	f1	 the least log10(r) n + 870 log10(s)	Carastan-Santos, de Camargo, "Obtaining
 *						dynamic scheduling policies with simulation
 *						and machine learning", SC 2017
 *
 * unicep takes widths below 2 as 2, and f1 times below 1 as 1; the s of f1 is time since a
 * trace began, so that on the epoch's clock f1 goes nearly by log10(r) n alone. Ties go by
 * the order of the snapshot. All of them keep the jobs of one class in their order, for these
 * differ in s alone; which is why a planner may look at the first of each class only.
 */

/* Turns GPUs and memory into CPUs of like share of the cluster. */
struct lw_scale {
	double cpus_per_gpu;
	double cpus_per_mib;
	double cpus_per_node;
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
/* The same of the nodes of a set that are usable. */
double lw_width_of_set(const struct lw_scale *scale, const struct lw_snapshot *snap, uint32_t set);

/* What the order goes by: the least first. JOB must be of CLASS. */
double lw_order_key(enum lw_order order, const struct lw_scale *scale, int64_t now_s,
		    const struct lw_class *class, const struct lw_waiting *job);

/*
 * leeway's order of the jobs behind a promise: v / (1 + ageing w / max(600, v)) with
 * v = r n^-width, the least first, where r is RUN_S: e, or the rank of a scout. The shortest
 * expected run comes first (Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007), but who has waited
 * long against what it asks comes before that, and a wide job, which finds room less often,
 * has a little advantage.
 */
double lw_order_leeway(const struct lw_leeway_params *params, const struct lw_scale *scale,
		       int64_t now_s, const struct lw_class *class, const struct lw_waiting *job,
		       int64_t run_s);

#endif
