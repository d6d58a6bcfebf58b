/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what makes a job harder to place than its request says. */
#ifndef LW_PLANNER_CONSTRAINTS_H
#define LW_PLANNER_CONSTRAINTS_H

#include "planner/model/field.h"

/* Reservation windows and preemption classes are bits of a word: numbers 0 .. 63. */
#define LW_RESV_WINDOWS_MAX    64
#define LW_PREEMPT_CLASSES_MAX 64

/* All 0 for most jobs. */
struct lw_constraints {
#define LW_CONSTRAINTS LW_MEMBER
#include "planner/model/job.def"
};

bool lw_constraints_equal(const struct lw_constraints *a, const struct lw_constraints *b);

/* May it preempt any job? */
static inline bool lw_constraints_preempt(const struct lw_constraints *constraints)
{
	return constraints->preempts || constraints->preempts_lower;
}

/* May it preempt a running job of PREEMPT_CLASS (0: none) and PRIORITY? */
static inline bool lw_constraints_preempt_running(const struct lw_constraints *constraints,
						  uint32_t preempt_class, uint32_t priority)
{
	uint64_t classes = constraints->preempts;

	if (priority < constraints->lower_than)
		classes |= constraints->preempts_lower;
	return preempt_class && (classes >> preempt_class & 1);
}

/* Would the job, using room kept for KEPT, be preempted by that job? */
static inline bool lw_constraints_yield_to(const struct lw_constraints *constraints,
					   const struct lw_constraints *kept)
{
	return constraints->preempt_class && (kept->preempts >> constraints->preempt_class & 1);
}

/* Does time, or more than one request, decide where the job may start? */
static inline bool lw_constraints_matter(const struct lw_constraints *constraints)
{
	return constraints->closed || constraints->earliest_s || constraints->after ||
	       constraints->coallocation;
}

#endif
