/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job's processes do not inherit devices that a driver's library has open. */
#ifndef LW_RECORD_INHERIT_H
#define LW_RECORD_INHERIT_H

/*
 * A driver's library opens the devices of all GPUs, as root, and may leave them open on exec.
 * What slurmstepd then starts as the job's user, such as its tasks or srun's --task-epilog,
 * would have these devices open, and so the GPUs of other jobs, whatever the cgroup allows.
 * After this call each child of this process closes on exec its open devices, except terminals
 * and /dev/null. The library may open them at any time, so the child does the search.
 */
void lw_inherit_no_devices(void);

#endif
