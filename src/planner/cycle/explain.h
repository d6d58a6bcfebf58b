/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why jobs wait, said at the end of a cycle that does not go job by job. */
#ifndef LW_PLANNER_EXPLAIN_H
#define LW_PLANNER_EXPLAIN_H

#include "planner/cycle/cycle.h"

/* One decision for every record that has none: why it waits. -ENOMEM. */
int lw_explain_waits(struct lw_cycle *cycle);

#endif
