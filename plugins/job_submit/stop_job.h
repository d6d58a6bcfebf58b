/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that agree to be stopped, or could: their output, and what users are told. */
#ifndef LW_JOB_SUBMIT_STOP_JOB_H
#define LW_JOB_SUBMIT_STOP_JOB_H

#include "config/config.h"

#include <slurm/slurm.h>

#define LW_STOP_JOB_TEXT 256

/*
 * With stop.mode=on a JOB that agrees appends to its output, unless it says how it opens it: else
 * its next run would begin the file anew. With stop.detect, TEXT is what to tell the user if the
 * job's script handles its --signal, or ""; with stop.detect=on such a job agrees.
 */
void lw_stop_job(job_desc_msg_t *job, const struct lw_config *config,
		 char text[LW_STOP_JOB_TEXT]);

#endif
