/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that shares a GPU asks of Slurm, from the watch's thread. */
#ifndef LW_PLUGINS_SPANK_SHARE_H
#define LW_PLUGINS_SPANK_SHARE_H

#include "record/shared.h"

#include <stdint.h>

/*
 * The functions of lw_shared_calls for JOB_ID, which is kept here: there is one job in a stepd.
 */
const struct lw_shared_calls *lw_share_calls(uint32_t job_id);

#endif
