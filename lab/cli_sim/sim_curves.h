/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what the charts show of a run, and how far it is off in another shake. */
#ifndef LW_LAB_CLI_SIM_SIM_CURVES_H
#define LW_LAB_CLI_SIM_SIM_CURVES_H

#include "measure/job.h"
#include "measure/machine.h"

/* points of a curve over time; with more of them noise hides the curves */
#define LW_SIM_PERIODS 40
/* groups of bars; more than their names have room for are put together */
#define LW_SIM_CLASSES 8

/* Jobs of about one width: from LOW to HIGH processors. */
struct lw_simclass {
	uint32_t low, high, jobs;
};

/* How the jobs of a trace are put together: the same for all policies and shakes. */
struct lw_simgrid {
	const struct lw_machine *machine;
	int64_t zero_s; /* the first submission */
	double span_s;  /* to the last */
	struct lw_simclass classes[LW_SIM_CLASSES];
	uint32_t class_count;
};

/* JOBS, at least one, are in order of submission; MACHINE must outlive the grid. */
void lw_simgrid_init(struct lw_simgrid *grid, const struct lw_sim_job *jobs, uint32_t count,
		     const struct lw_machine *machine);
/* The middle of a period, seconds since the first submission. */
double lw_simgrid_time_s(const struct lw_simgrid *grid, uint32_t period);

/* What a run shows at one place, over those shakes that had anything to show there. */
struct lw_simpoint {
	uint32_t count;
	double mean, square;
};

struct lw_simcurves {
	struct lw_simpoint wait[LW_SIM_PERIODS]; /* mean, of the jobs submitted then, seconds */
	struct lw_simpoint use[LW_SIM_PERIODS];  /* share of the machine, per cent */
	struct lw_simpoint class_wait[LW_SIM_CLASSES];
};

/* Take in one shake. */
void lw_simcurves_add(struct lw_simcurves *curves, const struct lw_simgrid *grid,
		      const struct lw_sim_job *jobs, uint32_t count);
/* The standard deviation of one shake from the next; 0 for fewer than two. */
double lw_simpoint_sd(const struct lw_simpoint *point);

#endif
