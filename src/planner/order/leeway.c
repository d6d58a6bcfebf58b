/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order of leeway behind the heads. */
#include "planner/order/order.h"

#include <math.h>

/* Below this, run times are noise for ageing: a minute's wait should not reverse the queue. */
#define AGEING_FLOOR_S 600.0

double lw_order_leeway(const struct lw_order_view *view, int64_t run_s, bool long_queue)
{
	const struct lw_policy_params *params = view->params;
	double run = (double)run_s, value = run;

	if (params->width > 0)
		value *= pow(lw_width(view->scale, &view->class->request), -params->width);
	return (long_queue ? run : value) /
	       (1 + params->ageing * lw_order_waited_s(view) /
			    (value > AGEING_FLOOR_S ? value : AGEING_FLOOR_S));
}
