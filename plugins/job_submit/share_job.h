/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: give a job that is being submitted a part of a GPU in place of a whole one. */
#ifndef LW_PLUGINS_SHARE_JOB_H
#define LW_PLUGINS_SHARE_JOB_H

#include "config/config.h"

#include <slurm/slurm.h>
#include <stdbool.h>

/*
 * If CONFIG lets JOB share and its record says that it fits, change what it asks for, and say so
 * in its admin_comment and in TEXT. False: it is unchanged; TEXT is empty, or says why if the
 * job's comment asked to share. Slurm's locks are held, so no file is touched. Leeway's
 * scheduler plugin is asked (share/ask.h) only about jobs that may share. Without that plugin no
 * job shares.
 */
bool lw_share_job(job_desc_msg_t *job, const struct lw_config *config, char text[256]);

#endif
