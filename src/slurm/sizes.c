/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which sizes of GPU jobs were submitted of late, told by Slurm's job list. */
#include "slurm/sizes.h"

#include "slurm/compat/compat.h"
#include "slurm/request.h"

struct walk {
	struct lw_sizes *sizes;
	struct lw_snapshot *snap;
	int64_t latest_s;
};

static int note(void *x, void *arg)
{
	const job_record_t *job = x;
	const part_record_t *part = job->part_ptr;
	struct walk *walk = arg;
	const node_record_t *node;
	struct lw_request request;
	bitoff_t first;

	if (!job->details || !part || !part->node_bitmap || !job->gres_list_req ||
	    job->details->submit_time <= walk->sizes->until_s)
		return 0;
	first = bit_ffs(part->node_bitmap);
	node = first >= 0 ? node_record_table_ptr[first] : NULL;
	if (!node)
		return 0;
	if (job->details->submit_time > walk->latest_s)
		walk->latest_s = job->details->submit_time;
	lw_job_request(walk->snap, job, part, node, job->details->min_nodes,
		       job->details->min_nodes, &request);
	lw_mix_note(&walk->sizes->mix, &request);
	return 0;
}

void lw_sizes_read(struct lw_sizes *sizes, struct lw_snapshot *snap)
{
	struct walk walk = { .sizes = sizes, .snap = snap, .latest_s = sizes->until_s };

	list_for_each(job_list, note, &walk);
	sizes->until_s = walk.latest_s;
	snap->mix = sizes->mix;
}
