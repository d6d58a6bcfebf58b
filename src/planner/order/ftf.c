/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order ftf: the job furthest behind an equal share of the cluster first. */

/*
 * The greatest finish-time fairness first, which for a job that would start now is
 *
 *	rho = (waited + r) / (r max(1, n N / M))
 *
 * with the expected run r, the width n, the cluster's width M and its N jobs: the time from
 * submission to end, divided by that in an N-th of the cluster (Mahajan et al., "Themis: fair
 * and efficient GPU cluster scheduling", NSDI 2020). A job of fixed width is no faster on a
 * larger share. In the paper an app, the trials of one user for one model, bids for leases on
 * GPUs. Here a job is an app, and jobs are not preempted.
 */
#include "planner/order/order.h"

double lw_order_key_ftf(const struct lw_order_view *view)
{
	double run_s = (double)view->class->expected.mean_s;
	double share = lw_width(view->scale, &view->class->request) * view->scale->jobs;
	double slower = share > view->scale->cpus ? share / view->scale->cpus : 1;

	return -(lw_order_waited_s(view) + run_s) / (run_s * slower);
}
