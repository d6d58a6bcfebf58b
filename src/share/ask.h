/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what job_submit/leeway asks Leeway's scheduler plugin in the same slurmctld. */
#ifndef LW_SHARE_ASK_H
#define LW_SHARE_ASK_H

#include "share/known.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Functions of sched_backfill.so with these names. RPC threads call them, several at a time,
 * with Slurm's locks as they are for job_submit(): at least read locks of configuration, jobs,
 * nodes and partitions, and none of assoc_mgr. They touch no file.
 */
#define LW_SHARE_FIND_NAME   "sched_p_leeway_find"
#define LW_SHARE_EVADES_NAME "sched_p_leeway_evades"

/* Slurm's job_desc_msg_t. */
struct job_descriptor;

/* What jobs of KEY that ended after SINCE_S used of a GPU. False: nothing is known. */
typedef bool (*lw_share_find_f)(const struct lw_share_key *key, int64_t since_s,
				struct lw_share_record *ret_record);

/*
 * Might a limit count the GPU that JOB asks for, and not its parts of GRES that it would get
 * instead? Also true if that is not known.
 */
typedef bool (*lw_share_evades_f)(const struct job_descriptor *job, const char *gres);

#endif
