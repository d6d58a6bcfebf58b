/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order f1: a formula that was fitted to simulations. */

/*
 * The least log10(r) n + 870 log10(s) first, of limit r, width n and submission s, where times
 * below 1 count as 1: Carastan-Santos, de Camargo, "Obtaining dynamic scheduling policies with
 * simulation and machine learning", SC 2017. Its s is time since a trace began, so that on the
 * epoch's clock it goes nearly by log10(r) n alone.
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
