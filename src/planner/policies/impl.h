/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a policy is made of. */
#ifndef LW_PLANNER_IMPL_H
#define LW_PLANNER_IMPL_H

#include "planner/cycle/cycle.h"

#include <stddef.h>

/* All members but PLAN are optional. */
struct lw_policy_impl {
	/*
	 * Plan the whole queue. OWN is the policy's own state, all zero before the first cycle
	 * and kept between cycles. Returns 0, -ENOMEM, or the result of lw_cycle_go_on().
	 */
	int (*plan)(struct lw_cycle *cycle, void *own);
	size_t own_size;
	void (*fini)(void *own); /* free what it holds */
	struct lw_cycle_hooks hooks;
};

/* One for each line of planner/model/policies.def, defined in the policy's file. */
#define LW_POLICY(id, name, traits, help) extern const struct lw_policy_impl lw_policy_##name;
#include "planner/model/policies.def"

#endif
