/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: look whether a job that is being submitted can meet its deadline at all. */
#ifndef LW_PLUGINS_DUE_JOB_H
#define LW_PLUGINS_DUE_JOB_H

#include "base/duedate.h"

#include <slurm/slurm.h>
#include <stdbool.h>

/* Can JOB not, even on an empty machine? Then TEXT says why. */
bool lw_due_job_fails(const job_desc_msg_t *job, char text[LW_DUEDATE_TEXT_MAX]);

#endif
