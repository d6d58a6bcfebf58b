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
	struct lw_preempt_views views; /* for preemptors, and for jobs that yield to them */
	uint32_t *order;      /* records in order of turns */
	int64_t *class_from_s; /* by class: no job of it can start earlier */
	int64_t *class_view_s; /* the same, by its view */
	bool keeps; /* turns of jobs with a planned start, which rely on planned preemptions */
	uint32_t tries;	 /* tried starts of preemptors that found no room */
	uint32_t passes; /* the same for jobs that only yield */
	bool *given;     /* by running job: preempted, and its room is given back */
	uint32_t order_room, class_room, view_room, given_room;
};

void lw_conserve_fini(struct lw_conserve *conserve);

/*
 * The steps, which planner/policies/estimate.h uses too. Begin anew with the running jobs, and
 * with the order of turns in conserve->order. 0 or -ENOMEM.
 */
int lw_conserve_begin(struct lw_cycle *cycle, struct lw_conserve *conserve);
/*
 * The earliest room for the record beside all that is taken and does not yield to it. 0,
 * -ENOSPC: never, or -ENOMEM.
 */
int lw_conserve_find(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
		     struct lw_profile_fit *ret_fit);
/* Take it for the record's time limit. 0 or -ENOMEM. */
int lw_conserve_take(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
		     const struct lw_profile_fit *fit);

#endif
