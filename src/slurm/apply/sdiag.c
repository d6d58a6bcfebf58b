/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the counters of cycles and starts that sdiag shows under "Backfilling stats". */
#include "slurm/apply/sdiag.h"

#include "slurm/compat/compat.h"

void lw_sdiag_cycle(const struct lw_plan *plan, const struct lw_reading *reading, int64_t now_s,
		    uint64_t took_us)
{
	diag_stats_t *stats = &slurmctld_diag_stats;
	uint32_t us = took_us < UINT32_MAX ? (uint32_t)took_us : UINT32_MAX;
	uint32_t tried = 0;

	for (uint32_t i = 0; i < reading->snap.waiting_count; i++)
		tried += reading->snap.waiting[i].readiness == LW_READY;
	stats->bf_when_last_cycle = (time_t)now_s;
	stats->bf_cycle_counter++;
	stats->bf_cycle_sum += us;
	stats->bf_cycle_last = us;
	if (us > stats->bf_cycle_max)
		stats->bf_cycle_max = us;
	stats->bf_queue_len = reading->snap.waiting_count;
	stats->bf_queue_len_sum += stats->bf_queue_len;
	stats->bf_last_depth = reading->snap.waiting_count;
	stats->bf_depth_sum += stats->bf_last_depth;
	stats->bf_last_depth_try = tried;
	stats->bf_depth_try_sum += tried;
	stats->bf_table_size = plan->reserved;
	stats->bf_table_size_sum += plan->reserved;
	lw_slurm_count_exit(stats);
}

/* last_backfilled_jobs is set back to 0 by Slurm at midnight. */
void lw_sdiag_start(uint32_t jobs)
{
	slurmctld_diag_stats.backfilled_jobs += jobs;
	slurmctld_diag_stats.last_backfilled_jobs += jobs;
	if (jobs > 1)
		slurmctld_diag_stats.backfilled_het_jobs += jobs;
}
