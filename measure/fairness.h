/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how fair a schedule was to jobs and users: finish-time fairness, and Jain's index. */
#ifndef LW_MEASURE_FAIRNESS_H
#define LW_MEASURE_FAIRNESS_H

#include "measure/job.h"
#include "measure/machine.h"

/*
 * Finish-time fairness (Mahajan et al., "Themis: fair and efficient GPU cluster scheduling", NSDI
 * 2020): rho = T_sh / T_id, the time from a job's submission to its end in the shared cluster,
 * over the time that it would have taken in a cluster of its own, an N-th of the shared one. N is
 * the mean number of jobs in the cluster, waiting or running, while this one was. A job that asks
 * for a share s of the machine and runs for r takes
 *
 *	T_id = r max(1, s N)
 *
 * there: as much longer as it would have less than it asks for, but not shorter, since a job of
 * fixed width makes nothing of more. On GPUs of several types r is as on an equal share of each.
 * Up to 1 it has lost nothing by sharing.
 *
 * The rho of a user, or of an account, is the mean over its jobs. Jain's index over n of them of
 * rho x is (sum x)^2 / (n sum x^2): 1 if all fare alike, 1 / n if one alone bears it all (Jain,
 * Chiu, Hawe, DEC TR-301, 1984).
 */

/* The user or account is not known. */
#define LW_FAIRNESS_UNKNOWN UINT32_MAX

/* One job that has started and ended. */
struct lw_fairness_job {
	int64_t since_s, start_s, end_s; /* since_s: when it came */
	int64_t alone_s; /* its run on an equal share of each type of GPU; 0: as it ran */
	double share; /* of the machine, that it asks for */
	uint32_t user, account; /* numbers, or LW_FAIRNESS_UNKNOWN */
};

/* Over jobs, or over their owners. */
struct lw_fares {
	double mean, worst;
	double fair; /* share of them with at most 1 */
	double jain;
};

/* All NAN: there is none, or none is known. */
struct lw_fairness {
	struct lw_fares jobs; /* without Jain's index */
	struct lw_fares users, accounts;
};

/* Of COUNT jobs, in any order. -ENOMEM. */
int lw_fairness_compute(const struct lw_fairness_job *jobs, uint32_t count,
			struct lw_fairness *ret_fairness);

/* Of the jobs of a simulation that have started; the group of a trace is the account. -ENOMEM. */
int lw_fairness_of(const struct lw_sim_job *jobs, uint32_t count,
		   const struct lw_machine *machine, struct lw_fairness *ret_fairness);

#endif
