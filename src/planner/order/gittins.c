/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order gittins: the job most likely to end for the least area given to it first. */

/*
 * The least index times width first, where the index of a run time X is
 *
 *	min over t of  E[min(X, t)] / P(X <= t),
 *
 * the time to be spent for each end in sight (Gittins, "Bandit processes and dynamic allocation
 * indices", JRSS B 41(2), 1979). With width, the second dimension, it is the Gittins policy of
 * Gu et al., "Tiresias: a GPU cluster manager for distributed deep learning", NSDI 2019. Waiting
 * jobs have not run and jobs are not preempted, so it is the index of a new job. t is one of the
 * points of predictor/survival.h, or the limit, where the index is the mean.
 */
#include "planner/order/order.h"
#include "predictor/survival.h"

static double gittins_index_of(const struct lw_class *class)
{
	double least = (double)class->expected.mean_s, spent_s = 0, stays = 1, at_s = 0;

	for (unsigned point = 0; class->expected.survival && point < LW_SURVIVAL_POINTS;
	     point++) {
		double until_s = (double)lw_survival_after_s(point);
		double then =
			lw_survival_at(class->expected.survival, point) / (double)LW_SURVIVAL_ONE;

		if (until_s >= (double)class->limit_s)
			break;
		spent_s += (until_s - at_s) * (stays + then) / 2;
		if (then < 1 && spent_s / (1 - then) < least)
			least = spent_s / (1 - then);
		stays = then;
		at_s = until_s;
	}
	return least;
}

double lw_order_key_gittins(const struct lw_order_view *view)
{
	return gittins_index_of(view->class) * lw_width(view->scale, &view->class->request);
}
