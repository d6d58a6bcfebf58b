/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of the processes on a shared device, and the part of one job. */
#ifndef LW_RECORD_OWNERS_H
#define LW_RECORD_OWNERS_H

#include "record/sampler.h"

/*
 * Set *RET_JOB to the job of process PID on this node, 0 if it has none. -errno: not known now.
 * Slurm is asked once for each process: see lw_owners.
 */
typedef int (*lw_owner_f)(void *arg, uint32_t pid, uint32_t *ret_job);

#define LW_OWNERS_KEPT 128

/* The jobs of processes that are known already. */
struct lw_owners {
	lw_owner_f ask;
	void *arg;
	uint32_t job_id;      /* this job */
	uint32_t count, next; /* next: the entry to replace next */
	uint32_t others_util; /* of other jobs' processes, in percent, at the last split */
	struct {
		uint32_t pid, job_id;
		uint64_t start; /* start of the process: another may have had its number
				 * before */
	} kept[LW_OWNERS_KEPT];
};

/*
 * The part of our job in a device that others may share. DEVICE is its reading, and LIST has its
 * COUNT processes, or COUNT is -errno. OWN gets util, mem and proc of our processes, and the
 * device's memory in use as dmem. While no other job is there, by NEIGHBOURS and by the
 * processes, the SM activity is ours as well; else dutil and dsm say what all jobs use together.
 * What cannot be separated is left out:
 * - all of our own, if the processes or the job of one of them are not known;
 * - what a process without a job may have done for ours, such as the server of MPS.
 */
void lw_owners_split(struct lw_owners *owners, const struct lw_gpu_process *list, int count,
		     uint32_t neighbours, const struct lw_gpu_sample *device,
		     struct lw_gpu_sample *own);

#endif
