/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order wspt: the least expected run for its weight first. */

/*
 * On one machine no order has a smaller weighted sum of ends (Smith, "Various optimizers for
 * single-stage production", Naval Research Logistics Quarterly 3, 1956).
 */
#include "planner/order/order.h"

double lw_order_key_wspt(const struct lw_order_view *view)
{
	return (double)view->class->expected.mean_s / lw_order_weight(view);
}
