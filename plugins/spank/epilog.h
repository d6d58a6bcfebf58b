/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the end of a job on a node, called by slurmd. */
#ifndef LW_PLUGINS_SPANK_EPILOG_H
#define LW_PLUGINS_SPANK_EPILOG_H

#include <slurm/spank.h>

/* See lw_jobend_run(); nothing for a job without GPUs. WORDS is the line in plugstack.conf. */
void lw_job_end(spank_t spank, int count, char **words);

#endif
