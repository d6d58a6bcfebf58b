/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: keep the output of a job that agrees to be stopped. */
#ifndef LW_JOB_SUBMIT_STOP_JOB_H
#define LW_JOB_SUBMIT_STOP_JOB_H

#include "config/config.h"

#include <slurm/slurm.h>

/*
 * With stop.mode=on a JOB that agrees appends to its output, unless it says how it opens it: else
 * its next run would begin the file anew.
 */
void lw_stop_job(job_desc_msg_t *job, const struct lw_config *config);

#endif
