/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is right where jobs have constraints: who stands in whose way, and when. */
#ifndef LW_TESTS_ORACLE_TERMS_H
#define LW_TESTS_ORACLE_TERMS_H

#include "base/strbuf.h"
#include "planner/model/plan.h"

/*
 * A moment of a cycle is told by lw_decision.first_alloc: a decision was made after all starts
 * with a lower one.
 */
#define ORACLE_ALL INT64_MAX

/* The next start after moment AFTER, or NULL. */
const struct lw_decision *oracle_next_start(const struct lw_plan *plan, int64_t after);

/* Does a job of TERMS preempt one that runs as one of KIND with PRIORITY? */
bool oracle_preempts(const struct lw_constraints *constraints, uint32_t kind, uint32_t priority);

/*
 * Make the starts of PLAN one after the other. Each must have its nodes free then, or hold them
 * after the youngest of the jobs that it may preempt there are gone; and must be allowed by its
 * constraints. GONE, by running job, says when each was preempted, ORACLE_ALL for never. 0, or
 * WHY.
 */
int oracle_replay(const struct lw_snapshot *snap, const struct lw_plan *plan, int64_t *gone,
		  struct lw_strbuf *why);

/* Whose eyes what is free is seen with. */
struct oracle_view {
	const struct lw_snapshot *snap;
	const struct lw_plan *plan;
	const int64_t *gone;	      /* oracle_replay() */
	int64_t before;	      /* the moment of the cycle */
	const struct lw_waiting *job; /* does not see whom it preempts; NULL: sees all */
	bool starts_stay;  /* not even those may be preempted that start in the cycle */
	bool heeds_lower;  /* nor those that it preempts only for their lower priority */
	bool reservations; /* they stand in its way, unless it yields to them */
};

/* What is free at TIME_S if all that is seen ends at its hard limit; free() it. */
struct lw_res *oracle_free(const struct oracle_view *view, int64_t time_s);

/* May JOB start on ALLOCS at START_S out of FREE? 0, or WHY says why not. */
int oracle_may_start(const struct lw_snapshot *snap, const struct lw_waiting *job,
		     const struct lw_alloc *allocs, uint32_t count, const struct lw_res *free,
		     int64_t start_s, struct lw_strbuf *why);

/* Does JOB fit into FREE at START_S, searched without the planner's short cuts? */
bool oracle_fits(const struct lw_snapshot *snap, const struct lw_waiting *job,
		 const struct lw_res *free, int64_t start_s);

#endif
