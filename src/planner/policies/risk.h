/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the priced risk: a start that may delay a promised job, but hardly ever does. */
#ifndef LW_PLANNER_RISK_H
#define LW_PLANNER_RISK_H

#include "planner/cycle/cycle.h"

/*
 * A job with a time limit that ends a little after the horizon T of a reservation will most
 * likely end before T. Should it start? Let l be its expected time beyond T. All of these must
 * hold:
 *
 *	now < T		  the promised job is not late already
 *	end <= T + cap	  by its hard limit, so that the slip is bounded in any case
 *	l N <= price e n  the idle capacity that an overrun is expected to cost the promised
 *			  job, of width N, is worth its own work: width n, expected run e
 *	sum of l <= risk (promise - submit)	over the risks of this cycle
 *
 * l is computed from one number a class, the expected time in the last LW_TAIL_S before the
 * limit. E[(X - a)+] is convex in a, so the chord from there to the limit, where it is 0, lies
 * above it: the risk is never underestimated. A job without that number takes no risk. The
 * planner needs no history for it.
 */

/* The risks of a cycle. Memory that is used again; all zero is empty. */
struct lw_risks {
	double *late_s; /* by reservation: expected lateness that risks may cause */
	uint32_t room;
};

void lw_risks_fini(struct lw_risks *risks);
/* cycle->reservations[NUMBER] is new. -ENOMEM. */
int lw_risks_reserved(struct lw_risks *risks, uint32_t number);

/* Is the start of the record on ALLOCS worth the risk to reservations? */
bool lw_risk_is_worth(const struct lw_risks *risks, const struct lw_cycle *cycle, uint32_t index,
		      const struct lw_alloc *allocs, uint32_t count);
/* The record starts there: note the risk. Call it before the cycle takes the resources. */
void lw_risk_take(struct lw_risks *risks, const struct lw_cycle *cycle, uint32_t index,
		  const struct lw_alloc *allocs, uint32_t count);

#endif
