/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order unicep: longest wait against the time limit first, narrow before wide. */

/*
 * The greatest w / (log2(n) r) first, of wait w, limit r and width n, where a width below 2
 * counts as 2: Tang, Lan, Desai, Buettner, as for wfp3.
 */
#include "planner/order/order.h"

#include <math.h>

double lw_order_key_unicep(const struct lw_order_view *view)
{
	double share = lw_order_waited_s(view) / (double)view->class->limit_s;
	double width = lw_width(view->scale, &view->class->request);

	return -share / log2(width > 2 ? width : 2);
}
