/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order qssf: the smallest expected area first, of run time and width. */

/*
 * Quasi-shortest service first: expected run time from history, times GPUs (Hu et al.,
 * "Characterization and prediction of deep learning workloads in large-scale GPU datacenters",
 * SC 2021). Here width stands for GPUs, so this is also saf with predicted run times.
 */
#include "planner/order/order.h"

double lw_order_key_qssf(const struct lw_order_view *view)
{
	return (double)view->class->expected.mean_s *
	       lw_width(view->scale, &view->class->request);
}
