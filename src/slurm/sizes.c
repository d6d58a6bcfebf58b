/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which sizes of GPU jobs were submitted of late, told by Slurm's job list. */
#include "slurm/sizes.h"

#include "slurm/request.h"

void lw_sizes_begin(const struct lw_sizes *sizes, struct lw_sizes_found *ret_found)
{
	*ret_found = (struct lw_sizes_found){ .mix = sizes->mix, .latest_s = sizes->until_s };
}

void lw_sizes_note(const struct lw_sizes *sizes, struct lw_sizes_found *found,
		   struct lw_snapshot *snap, const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	const node_record_t *node;
	struct lw_request request;
	bitoff_t first;

	if (!job->details || !part || !part->node_bitmap || !job->gres_list_req ||
	    job->details->submit_time <= sizes->until_s)
		return;
	first = bit_ffs(part->node_bitmap);
	node = first >= 0 ? node_record_table_ptr[first] : NULL;
	if (!node)
		return;
	if (job->details->submit_time > found->latest_s)
		found->latest_s = job->details->submit_time;
	lw_job_request(snap, job, part, node, job->details->min_nodes, job->details->min_nodes,
		       &request);
	lw_mix_note(&found->mix, &request);
}

void lw_sizes_keep(struct lw_sizes *sizes, const struct lw_sizes_found *found,
		   struct lw_snapshot *snap)
{
	sizes->until_s = found->latest_s;
	sizes->mix = found->mix;
	snap->mix = found->mix;
}
