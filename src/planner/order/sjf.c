/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order sjf: the shortest expected run first. */
#include "planner/order/order.h"

double lw_order_key_sjf(const struct lw_order_view *view)
{
	return (double)view->class->expected.mean_s;
}
