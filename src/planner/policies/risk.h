/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the priced risk: a start that may delay a promised job, but hardly ever will. */
#ifndef LW_PLANNER_RISK_H
#define LW_PLANNER_RISK_H

#include "planner/cycle/cycle.h"

/*
 * A job whose limit ends a little after the horizon T of a reservation will most likely have
 * ended before. Should it start? Let l be its expected time beyond T. All of these must hold:
 *
 *	now < T		  the promised job is not late already
 *	end <= T + cap	  by its hard limit; so a slip survival bounded, whatever is expected
 *	l N <= price e n  the idle capacity that an overrun is expected to cost the promised
 *			  job, of width N, is worth its own work: width n, expected run e
 *	sum of l <= risk (promise - submit)	over the risks of this cycle
 *
 * l is taken from one number a class, the expected time in the last LW_TAIL_S before the limit:
 * E[(X - a)+] is convex in a, so the chord from there to the limit, where it is 0, lies
 * above it: the risk is never taken for smaller than it is expected to be. A job of which
 * that is not known takes none. The planner needs no history for it.
 */

/* What is risked in a cycle. Memory that is used again; all zero is empty. */
struct lw_risks {
	double *late_s; /* by reservation: expected lateness that risks may bring it */
	uint32_t room;
};

void lw_risks_fini(struct lw_risks *risks);
/* cycle->reservations[NUMBER] is new. -ENOMEM. */
int lw_risks_reserved(struct lw_risks *risks, uint32_t number);

/* Is it worth it to start the record on ALLOCS, though reservations may suffer? */
bool lw_risk_is_worth(const struct lw_risks *risks, const struct lw_cycle *cycle, uint32_t index,
		      const struct lw_alloc *allocs, uint32_t count);
/* It starts there: note what it may cost them. Before the cycle takes the resources. */
void lw_risk_take(struct lw_risks *risks, const struct lw_cycle *cycle, uint32_t index,
		  const struct lw_alloc *allocs, uint32_t count);

#endif
