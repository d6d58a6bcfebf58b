/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: conservative backfilling: every job has a reservation. */
#ifndef LW_PLANNER_CONSERVE_H
#define LW_PLANNER_CONSERVE_H

#include "planner/time/profile.h"
#include "planner/time/preempt_view.h"
#include "planner/cycle/cycle.h"

/* Memory that is used again. All zero is empty. */
struct lw_conserve {
	struct lw_profile profile;
	struct lw_preempt_views views; /* of those that others do not stand in the way of */
	uint32_t *order;      /* of the records */
	int64_t *class_from_s; /* by class: none of it can start earlier */
	int64_t *class_view_s; /* the same, by its view */
	bool keeps; /* the turns of those with a planned start, who count on who is preempted */
	uint32_t tries;	 /* starts of preemptors that were tried in vain */
	uint32_t passes; /* the same of jobs that only yield */
	bool *given;     /* by running job: preempted, and what it held is free */
	uint32_t order_room, class_room, view_room, given_room;
};

void lw_conserve_fini(struct lw_conserve *conserve);

/*
 * The steps, for planner/policies/estimate.h as well. Begin anew: the running jobs, and
 * conserve->order, the order of turns. 0 or -ENOMEM.
 */
int lw_conserve_begin(struct lw_cycle *cycle, struct lw_conserve *conserve);
/*
 * The earliest room for the record behind all that was taken, and does not yield to it. 0, or
 * -ENOSPC: never; or -ENOMEM.
 */
int lw_conserve_find(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
		     struct lw_profile_fit *ret_fit);
/* Take it for as long as the record's limit. 0 or -ENOMEM. */
int lw_conserve_take(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
		     const struct lw_profile_fit *fit);

#endif
