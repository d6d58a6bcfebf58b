/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then who is shortest: leeway, and others with shortest-first filling. */
#ifndef LW_PLANNER_LEEWAY_H
#define LW_PLANNER_LEEWAY_H

#include "planner/cycle/walk.h"

/*
 * Plan the whole queue. Costs by the number of classes in it, not by its length, but for
 * saying of each job why it waits. 0 or -ENOMEM.
 */
int lw_leeway_walk(struct lw_walk *walk);

#endif
