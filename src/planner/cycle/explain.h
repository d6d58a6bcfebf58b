/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why jobs wait, added at the end of a cycle that works class by class. */
#ifndef LW_PLANNER_EXPLAIN_H
#define LW_PLANNER_EXPLAIN_H

#include "planner/cycle/cycle.h"

/* Add a decision with the reason of its wait for every record that has none. -ENOMEM. */
int lw_explain_waits(struct lw_cycle *cycle);

#endif
