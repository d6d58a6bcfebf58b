/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the policy leeway: shortest first, with every promise as a deadline. */
#ifndef LW_POLICY_DEADLINE_H
#define LW_POLICY_DEADLINE_H

#include "policy/walk.h"

/* Plan the whole queue. Costs by the number of classes in it, not by its length. */
int lw_deadline_walk(struct lw_walk *walk);

#endif
