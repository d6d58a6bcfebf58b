/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then who is shortest: leeway, and others with shortest-first filling. */
#ifndef LW_POLICY_DEADLINE_H
#define LW_POLICY_DEADLINE_H

#include "policy/walk.h"

/*
 * Plan the whole queue. Costs by the number of classes in it, not by its length, but for
 * saying of each job why it waits. 0 or -ENOMEM.
 */
int lw_deadline_walk(struct lw_walk *walk);

/* One decision for every record that has none: why it waits. -ENOMEM. */
int lw_deadline_explain(struct lw_walk *walk);

#endif
