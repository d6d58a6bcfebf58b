/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a promised start may slip. */
#ifndef LW_PLANNER_RELAX_H
#define LW_PLANNER_RELAX_H

#include "planner/model/params.h"

/* Queued jobs from which on an adaptive promise may slip by its full share. */
#define LW_RELAX_QUEUE_FULL 128

/*
 * The slack in seconds of a job promised PROMISE_S and submitted at SUBMIT_S: a share of the
 * wait it was promised, under the cap (Ward, Mahood, West, JSSPP 2002). It depends on the first
 * promise only; recomputed from each new shadow time, it would grow without bound. The adaptive
 * share grows with the QUEUED jobs up to LW_RELAX_QUEUE_FULL. leeway has a share and a cap of
 * its own; the load decides how much of the slack is used (planner/cycle/reserve.h).
 */
int64_t lw_relax_slack(const struct lw_policy_params *params, uint32_t queued,
		       int64_t submit_s, int64_t promise_s);

/*
 * The latest start of a job promised PROMISE_S: promise + slack, plus what a priced risk may add
 * under leeway. No step of the planner starts it later, as long as jobs keep to their limits.
 */
int64_t lw_relax_latest(const struct lw_policy_params *params, uint32_t queued,
			int64_t submit_s, int64_t promise_s);

#endif
