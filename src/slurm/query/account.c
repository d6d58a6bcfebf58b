/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the account that a job is charged to, and its share of the machine. */
#include "slurm/query/account.h"

#include "base/lookup.h"
#include "planner/model/job.h"

#include <string.h>

uint32_t lw_job_account(const job_record_t *job)
{
	uint64_t hash = LW_HASH_BEGIN;

	if (!job->account || !*job->account)
		return 0;
	hash = lw_hash_mix_bytes(hash, job->account, strlen(job->account));
	/* two of one number share what each would have: that is one pair in two thousand million
	 */
	return (uint32_t)(hash ^ hash >> 32) | 1;
}

/* Its account's association, if ASSOC is one of a user; that of root's own users is theirs. */
static const slurmdb_assoc_rec_t *of_account(const slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_rec_t *parent = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL;

	return assoc->user && parent && parent->usage && parent->usage->parent_assoc_ptr ? parent
											 : assoc;
}

/* Associations are locked. Below 0: not known. */
static double account_share_of(const slurmdb_assoc_rec_t *assoc)
{
	double share = 1;

	for (; assoc->usage && assoc->usage->parent_assoc_ptr;
	     assoc = assoc->usage->parent_assoc_ptr) {
		/* what is said to have its parent's share is no level of its own */
		if (assoc->shares_raw == SLURMDB_FS_USE_PARENT)
			continue;
		/* NO_VAL under PriorityType=priority/basic */
		if (!assoc->usage->level_shares || assoc->usage->level_shares == NO_VAL)
			return -1;
		share *= (double)assoc->shares_raw / assoc->usage->level_shares;
	}
	return assoc->usage ? share : -1;
}

uint32_t lw_job_account_share(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	double share = -1;

	assoc_mgr_lock(&locks);
	if (job->assoc_ptr)
		share = account_share_of(of_account(job->assoc_ptr));
	assoc_mgr_unlock(&locks);
	if (share < 0)
		return 0;
	if (share >= 1)
		return LW_ACCOUNT_SHARE_ALL;
	share *= LW_ACCOUNT_SHARE_ALL;
	return share < 1 ? 1 : (uint32_t)share;
}
