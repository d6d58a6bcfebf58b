/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order fcfs: first come, first served. */
#include "planner/order/order.h"

double lw_order_key_fcfs(const struct lw_order_view *view)
{
	return (double)view->job->submit_s;
}
