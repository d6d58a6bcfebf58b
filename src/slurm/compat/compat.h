/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the one place that knows which Slurm it is built for. */
#ifndef LW_SLURM_COMPAT_H
#define LW_SLURM_COMPAT_H

/*
 * Includes Slurm's internal headers and gives every release the names of the newest,
 * 26.05. Callers are written for that one and hold no #if. A release is retired by
 * deleting its block here.
 */

#ifndef NDEBUG
#error "build with NDEBUG: slurmctld does not export what its asserts call, and would die"
#endif

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

#include <stdbool.h>
#include <stdlib.h>

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xhash.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

_Static_assert(SLURM_VERSION_NUMBER == LW_SLURM_NUMBER,
	       "the Slurm headers are not of the release that configure read");

/*
 * Is this start of slurmctld a reconfigure? In 24.11 it executes itself anew and says
 * so in the environment; where it does not, the plugin stays loaded and need not ask.
 */
static inline bool lw_slurm_is_reconfigure(void)
{
	return getenv("SLURMCTLD_RECONF") != NULL;
}

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)

/* 26.05 keeps the job id in step_id */
#define lw_slurm_job_id(job) ((job)->job_id)
/* select's own data of a node; the wrapper around it goes away in 25.05 */
#define lw_slurm_nodeinfo(node) ((node)->select_nodeinfo ? (node)->select_nodeinfo->data : NULL)
/* 26.05 adds a lock of the select plugin */
#define LW_LOCK_SELECT_NODE

#else

#define lw_slurm_job_id(job)    ((job)->step_id.job_id)
#define lw_slurm_nodeinfo(node) ((node)->select_nodeinfo)
#define LW_LOCK_SELECT_NODE     .select_node = WRITE_LOCK,

#endif

/* What stock backfill holds while it looks at and starts jobs. */
#define LW_LOCKS_ALL                                                                             \
	((slurmctld_lock_t){ .conf = READ_LOCK,                                                  \
			     .job = WRITE_LOCK,                                                  \
			     .node = WRITE_LOCK,                                                 \
			     .part = READ_LOCK,                                                  \
			     LW_LOCK_SELECT_NODE.fed = READ_LOCK })

#endif
