/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: are the texts of a job that is being submitted short enough to be read? */
#ifndef LW_PLUGINS_LENGTHS_H
#define LW_PLUGINS_LENGTHS_H

#include <slurm/slurm.h>
#include <stdbool.h>

/*
 * Are all texts of JOB that Leeway reads as short as Slurm requires? Slurm checks that only
 * afterwards, and then refuses the job. Texts that Slurm accepts at any length must be short
 * enough for Leeway's own bounds.
 */
bool lw_job_is_readable(const job_desc_msg_t *job);

#endif
