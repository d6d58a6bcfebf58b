/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: regain idle nodes that Slurm keeps for a job which gave them back. */
#include "slurm/apply/regain.h"

#include "slurm/compat/compat.h"

/* A job that is suspended has been taken out of both counts. */
static bool regain_has_jobs(const node_record_t *node)
{
	return node->run_job_cnt || node->comp_job_cnt;
}

uint32_t lw_regain_nodes(void)
{
	uint32_t count = 0;

	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		if (!node || !node->name || !node->no_share_job_cnt || regain_has_jobs(node))
			continue;
		node->no_share_job_cnt = 0;
		bit_set(share_node_bitmap, i);
		count++;
	}
	return count;
}
