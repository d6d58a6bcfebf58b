/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the sizes of recently submitted GPU jobs, from Slurm's job list. */
#include "slurm/read/sizes.h"

#include "slurm/query/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_sizes_begin(const struct lw_sizes *sizes, const struct lw_snapshot *snap,
		    struct lw_sizes_found *ret_found)
{
	*ret_found = (struct lw_sizes_found){ .mix = sizes->mix, .latest_s = sizes->until_s };
	lw_snapshot_renumber(snap, &ret_found->mix, sizes->gpu_types, sizes->gpu_type_count);
}

void lw_sizes_note(const struct lw_sizes *sizes, struct lw_sizes_found *found,
		   struct lw_snapshot *snap, const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	struct lw_job_place place = { .part = part };
	struct lw_request request;
	bitoff_t first;

	if (!job->details || !part || !part->node_bitmap || !job->gres_list_req ||
	    job->details->submit_time <= sizes->until_s)
		return;
	first = bit_ffs(part->node_bitmap);
	place.node = first >= 0 ? node_record_table_ptr[first] : NULL;
	if (!place.node)
		return;
	if (job->details->submit_time > found->latest_s)
		found->latest_s = job->details->submit_time;
	place.min_nodes = place.max_nodes = job->details->min_nodes;
	lw_job_request(snap, job, &place, &request);
	lw_mix_note(&found->mix, &request);
}

static void sizes_forget_types(struct lw_sizes *sizes)
{
	while (sizes->gpu_type_count)
		free(sizes->gpu_types[--sizes->gpu_type_count]);
}

static int sizes_keep_types(struct lw_sizes *sizes, const struct lw_snapshot *snap)
{
	sizes_forget_types(sizes);
	while (sizes->gpu_type_count < snap->gpu_type_count) {
		char *copy = strdup(snap->gpu_types[sizes->gpu_type_count]);

		if (!copy)
			return -ENOMEM;
		sizes->gpu_types[sizes->gpu_type_count++] = copy;
	}
	return 0;
}

void lw_sizes_keep(struct lw_sizes *sizes, const struct lw_sizes_found *found,
		   struct lw_snapshot *snap)
{
	sizes->until_s = found->latest_s;
	sizes->mix = found->mix;
	snap->mix = found->mix;
	if (sizes_keep_types(sizes, snap))
		lw_sizes_fini(sizes);
}

void lw_sizes_fini(struct lw_sizes *sizes)
{
	sizes_forget_types(sizes);
	memset(sizes, 0, sizeof(*sizes));
}
