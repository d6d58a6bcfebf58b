/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would a limit on GPUs miss a job that gets parts of one instead? */
#ifndef LW_SLURM_GPULIMIT_H
#define LW_SLURM_GPULIMIT_H

#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Is there a limit of a kind that Slurm would hold JOB to, on GPUs but not on GRES ("shard",
 * "mps")? Of its association and all above it, its QOS, and those of its partitions; any of
 * several that it names will do. A limit on GPUs is one on gres/gpu, with or without a type, or
 * one on billing where the partition bills gres/gpu and not GRES. True, too, where anything of it
 * is not known: Slurm has the last word on such a job. False where no limits are enforced.
 *
 * For RPC threads with the locks of job_submit(). Slurm itself locks assoc_mgr under these (the
 * order is in assoc_mgr.h), as its own job_submit/lua does; no caller of job_submit() has it
 * locked yet.
 */
bool lw_gpulimit_evades(const job_desc_msg_t *job, const char *gres);

#endif
