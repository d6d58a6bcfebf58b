/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a promised start may slip. */
#ifndef LW_POLICY_RELAX_H
#define LW_POLICY_RELAX_H

#include "policy/policy.h"

/*
 * The slack in seconds of a job promised PROMISE_S and submitted at SUBMIT_S: a share
 * of the wait it was promised, under the cap (Ward, Mahood, West, JSSPP 2002). It
 * depends on the first promise only; were it recomputed from each new shadow time, it
 * would compound without bound.
 */
int64_t lw_relax_slack(const struct lw_policy_params *params, int64_t submit_s,
		       int64_t promise_s);

#endif
