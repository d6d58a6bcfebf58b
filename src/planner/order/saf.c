/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order saf: the smallest area first, of limit and width. */
#include "planner/order/order.h"

double lw_order_key_saf(const struct lw_order_view *view)
{
	return (double)view->class->limit_s * lw_width(view->scale, &view->class->request);
}
