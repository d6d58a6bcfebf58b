/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: is a job that is being submitted of a size that is worth looking at? */
#ifndef LW_PLUGINS_LENGTHS_H
#define LW_PLUGINS_LENGTHS_H

#include <slurm/slurm.h>
#include <stdbool.h>

/*
 * Is none of what we read of JOB longer than Slurm takes it? Slurm looks at that only after us,
 * and refuses the job then. Of what Slurm takes at any length, none is longer than we work on.
 */
bool lw_job_is_readable(const job_desc_msg_t *job);

#endif
