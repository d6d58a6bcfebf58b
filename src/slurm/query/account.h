/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the account that a job is charged to, and what it is to have of the machine. */
#ifndef LW_SLURM_ACCOUNT_H
#define LW_SLURM_ACCOUNT_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/* Both run under the caller's locks (job at least read) and keep no pointer. */

/* The account that JOB is charged to, by a number made of its name; 0: it has none. */
uint32_t lw_job_account(const job_record_t *job);

/*
 * That account's share of the machine, in parts of LW_ACCOUNT_SHARE_ALL: its Fairshare over that of
 * all beside it, times the same of each account that it is in. That is what sshare shows as its
 * NormShares, but under Fair Tree, where it shows the first factor alone. 0: nobody has said
 * (there is no accounting, or none of priorities). At least 1 where somebody has. Takes the lock of
 * associations.
 */
uint32_t lw_job_account_share(const job_record_t *job);

#endif
