/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: ask Slurm on how many nodes, when and where a job could start. */
#ifndef LW_SLURM_ASK_H
#define LW_SLURM_ASK_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/query/request.h"

/* Slurm's answer for JOB in PART, under the QOS of its record; false: it can never run there. */
bool lw_ask_node_counts(job_record_t *job, part_record_t *part,
			struct lw_node_counts *ret_counts);

/*
 * For jobs with needs that the planner does not know (contiguous nodes, switches, sockets, GRES
 * other than GPUs and their parts, ...) and that Slurm therefore refused again and again. Asks
 * what stock backfill asks for every job: the start if running jobs run to their limits. That is
 * expensive, so it is only for these jobs. WAITING, with its set and request made, is bound to
 * the nodes that Slurm chose. Needs LW_LOCKS_ALL. 0; -EBUSY: never; -ENOMEM.
 */
int lw_ask_when(struct lw_snapshot *snap, job_record_t *job, part_record_t *part,
		const struct lw_node_counts *counts, struct lw_waiting *waiting,
		struct lw_error *err);

/*
 * Would JOB, in the partition of its record and without preemption, have room on NODES at once
 * if nodes that are being cleaned up, or come up, were ready? NODES become the nodes that Slurm
 * chose. Needs LW_LOCKS_ALL.
 */
bool lw_ask_now(job_record_t *job, bitstr_t *nodes);

/*
 * Must nodes be rebooted for JOB to have as many as WAITING wants (--reboot, or features that
 * too few of its available nodes have now)? Slurm reboots only idle nodes. Not known for
 * features with counts, or if all nodes must have the same one. Needs LW_LOCKS_ALL.
 */
bool lw_ask_reboot(const struct lw_snapshot *snap, job_record_t *job,
		   const struct lw_waiting *waiting);

#endif
