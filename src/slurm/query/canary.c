/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: is a job Leeway's to plan, or stock's? */

/* Loaded by commands too: refers to nothing that only slurmctld has. */

#include "slurm/query/canary.h"

#include "base/words.h"

static int canary_lacks_part(void *x, void *arg)
{
	const part_record_t *part = x;

	return !lw_words_has(arg, part->name);
}

static bool canary_has_parts(const char *partitions, const job_record_t *job)
{
	if (job->part_ptr_list)
		return !list_find_first(job->part_ptr_list, canary_lacks_part, (void *)partitions);
	return job->part_ptr && lw_words_has(partitions, job->part_ptr->name);
}

static int canary_lacks_qos(void *x, void *arg)
{
	const slurmdb_qos_rec_t *qos = x;

	return !qos->name || !lw_words_has(arg, qos->name);
}

static bool canary_has_qos(const char *words, const job_record_t *job)
{
	list_t *several = lw_slurm_job_qos_list(job);

	if (several)
		return !list_find_first(several, canary_lacks_qos, (void *)words);
	return job->qos_ptr && !canary_lacks_qos(job->qos_ptr, (void *)words);
}

bool lw_canary_has(const struct lw_canary *canary, const job_record_t *job)
{
	if (!lw_canary_is_set(canary))
		return true;
	if (job->het_job_id)
		return false;
	return (!canary->partitions || canary_has_parts(canary->partitions, job)) &&
	       (!canary->qos || canary_has_qos(canary->qos, job));
}
