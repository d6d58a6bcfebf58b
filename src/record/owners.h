/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whose the processes on a shared device are, and what of it is one job's. */
#ifndef LW_RECORD_OWNERS_H
#define LW_RECORD_OWNERS_H

#include "record/sampler.h"

/*
 * The job of process PID on this node into *RET_JOB, 0 where it is no job's. -errno: it cannot be
 * said now. Who asks Slurm about a process asks once: see lw_owners.
 */
typedef int (*lw_owner_f)(void *arg, uint32_t pid, uint32_t *ret_job);

#define LW_OWNERS_KEPT 128

/* Whose the processes are, as far as it was answered before. */
struct lw_owners {
	lw_owner_f ask;
	void *arg;
	uint32_t job_id;      /* ours */
	uint32_t count, next; /* the next one to be forgotten */
	uint32_t others_util; /* of other jobs' processes, in percent, as they were split last */
	struct {
		uint32_t pid, job_id;
		uint64_t start; /* of the process: its number may have been another's before */
	} kept[LW_OWNERS_KEPT];
};

/*
 * What our job makes of a device that others may share: DEVICE is what was read of it, and LIST
 * has its COUNT processes, or COUNT is -errno. OWN gets util, mem and proc of our processes, and
 * the device's memory in use as dmem. While nobody else is there, by NEIGHBOURS and by the
 * processes, its SM activity is ours as well; else dutil and dsm say what all make of it
 * together. What cannot be told apart is left out:
 * - all of our own where the processes are not known, or whose one of them is;
 * - what a process of no job may have done for ours, as the server of MPS does.
 */
void lw_owners_split(struct lw_owners *owners, const struct lw_gpu_process *list, int count,
		     uint32_t neighbours, const struct lw_gpu_sample *device,
		     struct lw_gpu_sample *own);

#endif
