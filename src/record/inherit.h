/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: devices that a driver's library has open do not go to a job's processes. */
#ifndef LW_RECORD_INHERIT_H
#define LW_RECORD_INHERIT_H

/*
 * A driver's library opens the devices of all GPUs, as root, and need not close them on exec.
 * What slurmstepd starts meanwhile as the job's user, as its tasks or srun's --task-epilog, would
 * have them open, and so the GPUs of others, whatever the cgroup allows. From now on each child
 * of this process closes on exec what it has open of devices but terminals and /dev/null: the
 * library may open them at any time, so it is the child that looks.
 */
void lw_inherit_no_devices(void);

#endif
