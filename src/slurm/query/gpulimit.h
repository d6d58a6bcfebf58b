/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would a limit on GPUs be evaded by a job that gets parts of a GPU instead? */
#ifndef LW_SLURM_GPULIMIT_H
#define LW_SLURM_GPULIMIT_H

#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Does a limit that applies to JOB count GPUs but not GRES ("shard", "mps")? The limits of its
 * association and all above it, of its QOS and of its partitions' QOS are tested; one hit is
 * enough. A limit on GPUs is one on gres/gpu, with or without a type, or one on billing if the
 * partition bills gres/gpu and not GRES. Also true if anything is not known: Slurm decides on
 * such a job. False if no limits are enforced.
 *
 * For RPC threads with the locks of job_submit(). Slurm locks assoc_mgr under these (the order
 * is in assoc_mgr.h), as its own job_submit/lua does; no caller of job_submit() has it locked.
 */
bool lw_gpulimit_evades(const job_desc_msg_t *job, const char *gres);

#endif
