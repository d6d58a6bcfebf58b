/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the memory of a planner, made ready for a cycle; only policy.c includes it. */
#ifndef LW_PLANNER_WALK_BEGIN_H
#define LW_PLANNER_WALK_BEGIN_H

#include "planner/policies/conserve.h"
#include "planner/cycle/outlook.h"

struct lw_policy {
	struct lw_policy_params params;
	const struct lw_log *log;
	struct lw_walk walk;
	uint32_t node_room;    /* nodes the arrays of the walk are made for */
	uint32_t preempted_room, failed_room, hope_room, started_room, next_room, taken_room;
	uint32_t backlog_room;
	double *backlog; /* the walk's, where it is needed */
	struct lw_fragment fragment; /* likewise */
	struct lw_grades grades; /* likewise */
	struct lw_drains drains; /* likewise */
	struct lw_conserve conserve;
	struct lw_outlook outlook;
	uint32_t variant_room, as_room, by_job_room;
	uint32_t *first_variant, *started_as; /* the walk's, while jobs have variants */
	uint32_t *by_job;      /* scratch: waiting records in order of job */
};

/*
 * Make policy->walk ready to plan SNAP into PLAN, both borrowed: what is free, the sets, all that
 * is by node or class. -ENOMEM.
 */
int lw_walk_begin(struct lw_policy *policy, const struct lw_snapshot *snap, struct lw_plan *plan);
/* After the walk, which ended with RC: make walk->taken all 0 again. */
void lw_walk_done(struct lw_policy *policy, int rc);
/* Free all memory of the walk; POLICY itself stays. */
void lw_walk_fini(struct lw_policy *policy);

#endif
