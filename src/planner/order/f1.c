/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order f1: a formula that was fitted to simulations. */

/*
 * The least log10(r) n + 870 log10(s) first, with limit r, width n and submission s; times below
 * 1 count as 1: Carastan-Santos, de Camargo, "Obtaining dynamic scheduling policies with
 * simulation and machine learning", SC 2017. Its s is the time since the start of a trace. On
 * the epoch's clock the order is therefore nearly that of log10(r) n alone.
 */
#include "planner/order/order.h"

#include <math.h>

double lw_order_key_f1(const struct lw_order_view *view)
{
	double submit_s = (double)view->job->submit_s;

	return log10((double)view->class->limit_s) *
		       lw_width(view->scale, &view->class->request) +
	       870 * log10(submit_s > 1 ? submit_s : 1);
}
