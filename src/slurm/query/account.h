/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the account that a job is charged to, and its share of the machine. */
#ifndef LW_SLURM_ACCOUNT_H
#define LW_SLURM_ACCOUNT_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/* Both run under the caller's locks (job at least read) and keep no pointer. */

/* The account that JOB is charged to, as a number made from its name; 0: none. */
uint32_t lw_job_account(const job_record_t *job);

/*
 * That account's share of the machine, in parts of LW_ACCOUNT_SHARE_ALL: its Fairshare divided
 * by that of all accounts beside it, times the same for each account that contains it. This is
 * NormShares of sshare, except under Fair Tree, where sshare shows the first factor alone. 0:
 * not set (no accounting, or no shares); else at least 1. Takes the lock of associations.
 */
uint32_t lw_job_account_share(const job_record_t *job);

#endif
