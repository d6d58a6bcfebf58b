/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: deadlines for some jobs of a workload. */
#ifndef LW_LAB_SIM_DUES_H
#define LW_LAB_SIM_DUES_H

#include "measure/workload.h"

#include <stdint.h>

/* By so many limits after its submission a job should have ended, drawn evenly between them. */
#define LW_DUES_LEAST 1.1
#define LW_DUES_MOST  2.0
/* But so long after the least at which its limit would be over, at the nearest. */
#define LW_DUES_SPARE_S 120

/*
 * Give a deadline to COUNT jobs of WORKLOAD, or to all that are in no array and not cancelled by
 * their users. The same seed chooses the same jobs. -ENOMEM.
 */
int lw_dues_add(struct lw_workload *workload, uint32_t count, uint64_t seed);

#endif
