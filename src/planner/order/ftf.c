/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order ftf: who would fare worst against an equal share of the cluster, first. */

/*
 * The greatest finish-time fairness first, which for a job that would start now is
 *
 *	rho = (waited + r) / (r max(1, n N / M))
 *
 * with the expected run r, the width n, the cluster's M and N jobs in it: the time from its
 * submission to its end, over that in an N-th of the cluster of its own (Mahajan et al.,
 * "Themis: fair and efficient GPU cluster scheduling", NSDI 2020). A job of fixed width is no
 * faster on more than that. There an app, the trials of one user for one model, bids for leases
 * on GPUs; here a job is an app, and nobody is preempted.
 */
#include "planner/order/order.h"

double lw_order_key_ftf(const struct lw_order_view *view)
{
	double run_s = (double)view->class->expected.mean_s;
	double share = lw_width(view->scale, &view->class->request) * view->scale->jobs;
	double slower = share > view->scale->cpus ? share / view->scale->cpus : 1;

	return -(lw_order_waited_s(view) + run_s) / (run_s * slower);
}
