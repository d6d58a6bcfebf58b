/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order edf: the nearest deadline first. */

/*
 * Earliest deadline first: Liu, Layland, "Scheduling algorithms for multiprogramming in a
 * hard-real-time environment", JACM 20(1), 1973. Under overload it meets no deadline, because
 * each late job makes the next one late. So a job that can no longer meet its deadline, by its
 * expected run time, goes behind all others. Jobs without a deadline go between.
 */
#include "planner/order/order.h"

/* Later than any deadline, and with it still exact to the second. */
#define NO_DEADLINE 0x1p50
#define TOO_LATE    0x1p51

double lw_order_key_edf(const struct lw_order_view *view)
{
	switch (lw_order_deadline(view)) {
	case LW_DEADLINE_IN_TIME:
		return (double)view->job->finish_by_s;
	case LW_DEADLINE_TOO_LATE:
		return TOO_LATE;
	case LW_DEADLINE_NONE:
		break;
	}
	return NO_DEADLINE;
}
