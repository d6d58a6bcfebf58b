/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a history of run times learns of a trace. */
#ifndef LW_MEASURE_LEARNABLE_H
#define LW_MEASURE_LEARNABLE_H

#include "measure/swf.h"
#include "predictor/history.h"

#include <stdbool.h>

/* What the history learns of a trace's job; false when its limit or run time is unknown. */
bool lw_swf_learnable(const struct lw_swf_job *job, bool users_are_groups,
		      struct lw_history_job *ret_job);

#endif
