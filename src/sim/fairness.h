/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how fair a schedule was to jobs and users: finish-time fairness, and Jain's index. */
#ifndef LW_SIM_FAIRNESS_H
#define LW_SIM_FAIRNESS_H

#include "sim/job.h"
#include "sim/machine.h"

/*
 * Finish-time fairness (Mahajan et al., "Themis: fair and efficient GPU cluster scheduling", NSDI
 * 2020): rho = T_sh / T_id, the time from a job's submission to its end in the shared cluster,
 * over the time that it would have taken in a cluster of its own, an N-th of the shared one. N is
 * the mean number of jobs in the cluster, waiting or running, while this one was. Of a machine of
 * M processors an N-th is M / N; a job of n processors that runs for r takes
 *
 *	T_id = r max(1, n N / M)
 *
 * there: as much longer as it would have less than it asks for, but not shorter, since a job of
 * fixed width makes nothing of more. Up to 1 it has lost nothing by sharing.
 *
 * The rho of a user is the mean over the user's jobs. Jain's index over n users of rho x is
 * (sum x)^2 / (n sum x^2): 1 if all fare alike, 1 / n if one alone bears it all (Jain, Chiu,
 *Hawe, DEC TR-301, 1984).
 */
struct lw_fairness {
	double rho_mean, rho_worst; /* over jobs */
	double rho_fair;            /* share of jobs with at most 1 */
	double user_worst, jain;    /* NAN: nobody's user is known */
};

/* Of the jobs that have started, in any order; all NAN if none has. -ENOMEM. */
int lw_fairness_of(const struct lw_sim_job *jobs, uint32_t count,
		   const struct lw_machine *machine, struct lw_fairness *ret_fairness);

#endif
