/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that agree to be stopped for others: stop.* of leeway.yaml. */
#ifndef LW_LAB_SIM_LEASE_H
#define LW_LAB_SIM_LEASE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Which jobs agree, how they behave, and what a stop costs. Jobs of arrays and chains do not. A job
 * of which the workload says what it takes to save and to start again (save=, restart=) takes that.
 */
struct lw_lease_settings {
	/* stop.* of leeway.yaml */
	bool shorts, gangs, dues; /* stop.for */
	double gain, share, widest;
	int64_t lease_s, back_s, save_s;
	uint32_t per_day;
	/* of users, drawn by seed */
	double agree;
	uint64_t seed;
	double deaf, scratch; /* of the kinds of these users' jobs */
	/* jobs save every so often, and not when they are asked; 0: when they are asked */
	int64_t saves_s;
	int64_t kill_s;  /* a job that does not save when asked leaves so much later */
	int64_t delay_s; /* a stopped job does not start again before that */
	int64_t load_s;  /* what a new start takes */
};

#endif
