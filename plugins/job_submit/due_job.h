/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: can a job that is being submitted meet its deadline at all? */
#ifndef LW_PLUGINS_DUE_JOB_H
#define LW_PLUGINS_DUE_JOB_H

#include "base/duedate.h"

#include <slurm/slurm.h>
#include <stdbool.h>

/* Does JOB miss its deadline even on an empty machine? Then TEXT says why. */
bool lw_due_job_fails(const job_desc_msg_t *job, char text[LW_DUEDATE_TEXT_MAX]);

#endif
