/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the jobs of a trace wait for; only tracejobs.c includes this. */
#ifndef LW_LAB_SIM_TRACEJOBS_AFTER_H
#define LW_LAB_SIM_TRACEJOBS_AFTER_H

#include "lab/sim/tracejobs.h"

/*
 * Fill in the afters of JOBS, which have places from 1 as ids: for an array all tasks, or the
 * one of the same number; for a singleton all jobs of its user and name back to the last other
 * singleton, which waited for those before. Jobs that are missing, or later, are left out and
 * counted. -ENOMEM.
 */
int lw_tracejobs_after_swf(struct lw_tracejobs *jobs, const struct lw_swf *swf);
int lw_tracejobs_after_workload(struct lw_tracejobs *jobs, const struct lw_workload *workload);

#endif
