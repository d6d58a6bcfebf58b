/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that a failed node ends, as the select plugin sees them, and what they avoid. */

/* Loaded by commands too: refers to nothing that only slurmctld has. */

#include "slurm/select/failed.h"

#include "base/grow.h"
#include "base/search.h"
#include "slurm/bits.h"
#include "slurm/select/admit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Kept between calls; Slurm's write locks make them one at a time. */
static struct lw_failed_list noted;
static struct lw_avoids avoided;

/*
 * Slurm requeues it, and the state says still why. A het job, a job of a federation and one of
 * scrontab are requeued in ways of their own.
 */
static bool failed_is_requeued(const job_record_t *job)
{
	return (job->job_state & JOB_STATE_BASE) == JOB_NODE_FAIL && !IS_JOB_COMPLETING(job) &&
	       job->batch_flag && job->details && job->details->requeue && !job->het_job_id &&
	       !job->fed_details && !(job->bit_flags & CRON_JOB) && job->node_bitmap;
}

/* Out of memory a node is not known. */
static void failed_add(const job_record_t *job, int64_t now_s, const char *node)
{
	if (noted.count >= LW_FAILED_MAX ||
	    lw_grow((void **)&noted.items, &noted.room, noted.count + 1, sizeof(*noted.items)))
		return;
	noted.items[noted.count++] = (struct lw_failed){ .job_id = lw_slurm_job_id(job),
							 .user = job->user_id,
							 .failed_s = now_s,
							 .node = node ? strdup(node) : NULL };
}

void lw_failed_note(const job_record_t *job)
{
	int64_t now_s = time(NULL);
	bool known = false;

	if (!failed_is_requeued(job))
		return;
	lw_bits_foreach(job->node_bitmap, i)
	{
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || !IS_NODE_DOWN(node))
			continue;
		failed_add(job, now_s, node->name);
		known = true;
	}
	if (!known)
		failed_add(job, now_s, NULL);
}

void lw_failed_take(struct lw_failed_list *list)
{
	*list = noted;
	noted = (struct lw_failed_list){ 0 };
}

void lw_failed_avoid(const struct lw_avoids *avoids)
{
	avoided.count = 0;
	if (!avoids->count || lw_grow((void **)&avoided.items, &avoided.room, avoids->count,
				      sizeof(*avoided.items)))
		return;
	memcpy(avoided.items, avoids->items, avoids->count * sizeof(*avoided.items));
	avoided.count = avoids->count;
}

bitstr_t *lw_failed_cut(const job_record_t *job, bitstr_t *nodes)
{
	uint32_t job_id, at;
	bitstr_t *all;

	if (!avoided.count)
		return NULL;
	job_id = lw_slurm_job_id(job);
	LW_SEARCH(at, avoided.count, avoided.items[at].job_id < job_id);
	if (at == avoided.count || avoided.items[at].job_id != job_id)
		return NULL;
	all = bit_copy(nodes);
	for (; at < avoided.count && avoided.items[at].job_id == job_id; at++)
		if (avoided.items[at].node < (uint32_t)bit_size(nodes))
			bit_clear(nodes, (bitoff_t)avoided.items[at].node);
	return all;
}

void lw_failed_forget(void)
{
	if (avoided.count)
		lw_admit_shut();
	avoided.count = 0;
}

void lw_failed_fini(void)
{
	lw_failed_list_fini(&noted);
	free(avoided.items);
	avoided = (struct lw_avoids){ 0 };
}
