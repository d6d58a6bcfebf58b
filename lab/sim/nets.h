/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: trained nets plugged into the planner: an order of the queue, and an inspector. */
#ifndef LW_LAB_SIM_NETS_H
#define LW_LAB_SIM_NETS_H

#include "lab/sim/net.h"
#include "planner/model/outside.h"
#include "planner/model/snapshot.h"

/* The planner asks the inspector again this long after it held a job, or at the next event. */
#define LW_INSPECT_AGAIN_S 600
/* For how long the inspector may hold a job back in all, unless something else is said. */
#define LW_INSPECT_CAP_S 21600

/* By what a run goes: both borrowed, or NULL. */
struct lw_nets {
	const struct lw_net *order; /* NULL: LW_ORDER_OUTSIDE leaves the queue as it is given */
	const struct lw_net *inspector; /* NULL: no job is held back */
	int64_t inspect_cap_s;
};

/* What nets look at in one run, beside the job. Zeroed is empty. */
struct lw_netrun {
	struct lw_nets nets;
	double free;  /* share of the cluster that no job holds: of its CPUs or GPUs, the less */
	double delay; /* the sum of lw_net_delay() over all jobs that wait */
	int64_t *held_s; /* by job id: when the inspector held it first; 0: never */
};

/* LARGEST is the largest job id that it will be asked of. 0 or -ENOMEM. */
int lw_netrun_init(struct lw_netrun *run, const struct lw_nets *nets, uint32_t largest);
void lw_netrun_fini(struct lw_netrun *run);

/* Plug RUN, which OUTSIDE borrows, into the planner. */
void lw_netrun_plug(struct lw_netrun *run, struct lw_outside *outside);
/* Read free and delay from SNAP, as the planner has it done at the start of each cycle. */
void lw_netrun_begin(void *run, const struct lw_snapshot *snap);

/*
 * The score of the order, the least first: the kernel of RLScheduler (Zhang et al., SC 2020)
 * without the ids of users and groups, which are unfair and mean nothing elsewhere.
 */
double lw_netrun_key(void *run, const struct lw_order_view *view);
/*
 * Does the inspector (SchedInspector: Zhang et al., HPDC 2022) hold the job back? Never a job
 * that was promised a start, and never for longer than inspect_cap_s after it was held first.
 */
bool lw_netrun_holds(void *run, const struct lw_order_view *view);
/* Note that job ID is held at NOW_S; returns when the inspector is asked again at the latest. */
int64_t lw_netrun_held(struct lw_netrun *run, uint32_t id, int64_t now_s);

#endif
