/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job share cores with other jobs although it need not? */

/* Part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/select/overlap.h"

#include <dlfcn.h>

/* On such a cluster Slurm goes on to cores of others when none are idle. */
static bool may_overlap(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	if (slurm_conf.preempt_mode & PREEMPT_MODE_GANG)
		return true;
	return part && ((part->max_share & SHARED_FORCE) ||
			(part->max_share > 1 && job->details->share_res == 1));
}

/* Does it hold its cores? A job that an administrator suspended does not. */
static bool overlap_holds_cores(const job_record_t *job)
{
	return job->job_resrcs && job->job_resrcs->node_bitmap && job->job_resrcs->core_bitmap &&
	       (IS_JOB_RUNNING(job) || (IS_JOB_SUSPENDED(job) && job->priority));
}

/* Has HELD core CORE of the node with first core FIRST among all its cores? */
static bool overlap_has_core(const job_resources_t *held, bitoff_t first, uint16_t core)
{
	return lw_slurm_is_exclusive(held->whole_node) ||
	       (first + core < bit_size(held->core_bitmap) &&
		bit_test(held->core_bitmap, first + core));
}

/* Do A and B have a core of any node in common? Each counts the cores of its own nodes. */
static bool overlap_meet(const job_resources_t *a, const job_resources_t *b)
{
	bitoff_t first_a = 0, first_b = 0;

	for (bitoff_t i = 0; i < bit_size(a->node_bitmap) && i < bit_size(b->node_bitmap); i++) {
		bool in_a = bit_test(a->node_bitmap, i), in_b = bit_test(b->node_bitmap, i);
		const node_record_t *node = in_a || in_b ? node_record_table_ptr[i] : NULL;

		if (!node)
			continue;
		for (uint16_t core = 0; in_a && in_b && core < node->tot_cores; core++) {
			if (overlap_has_core(a, first_a, core) &&
			    overlap_has_core(b, first_b, core))
				return true;
		}
		first_a += in_a ? node->tot_cores : 0;
		first_b += in_b ? node->tot_cores : 0;
	}
	return false;
}

static int find_overlap(void *x, void *key)
{
	const job_record_t *other = x, *job = key;

	return other != job && overlap_holds_cores(other) &&
	       bit_overlap_any(other->job_resrcs->node_bitmap, job->job_resrcs->node_bitmap) &&
	       overlap_meet(other->job_resrcs, job->job_resrcs);
}

bool lw_overlaps(const job_record_t *job)
{
	list_t **jobs;

	if (!job->job_resrcs || !job->job_resrcs->node_bitmap || !job->job_resrcs->core_bitmap ||
	    !may_overlap(job))
		return false;
	jobs = dlsym(RTLD_DEFAULT, "job_list");
	return jobs && *jobs && list_find_first_ro(*jobs, find_overlap, (void *)job);
}
