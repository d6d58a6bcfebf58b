/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order wfp3: longest wait against the time limit first, wide before narrow. */

/*
 * The greatest (w / r)^3 n first, of wait w, limit r and width n: Tang, Lan, Desai, Buettner,
 * "Fault-aware, utility-based job scheduling on Blue Gene/P systems", CLUSTER 2009.
 */
#include "planner/order/order.h"

double lw_order_key_wfp3(const struct lw_order_view *view)
{
	double share = lw_order_waited_s(view) / (double)view->class->limit_s;

	return -share * share * share * lw_width(view->scale, &view->class->request);
}
