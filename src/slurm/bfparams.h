/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the SchedulerParameters that say for which jobs room is kept, and when to pause. */
#ifndef LW_SLURM_BFPARAMS_H
#define LW_SLURM_BFPARAMS_H

#include <stdbool.h>
#include <stdint.h>

/* doc/admin/parity.md says why each of the other parameters is not needed. All 0: unset. */
struct lw_bfparams {
	uint32_t min_prio_reserve;  /* bf_min_prio_reserve: none below that priority */
	int64_t min_age_reserve_s;  /* bf_min_age_reserve: none for jobs younger than that */
	bool one_resv_per_job;	    /* bf_one_resv_per_job: only in a job's first partition */
	bool hetjob_first;	    /* bf_hetjob_prio=max: at the place of its first component */
	bool limits_stop;	    /* assoc_limit_stop: room is also kept for jobs over a
				     * limit */
	uint32_t max_rpcs;	    /* max_rpc_cnt: with this many RPCs no cycle begins ... */
	uint32_t few_rpcs;	    /* bf_yield_rpc_cnt (25.05): ... until only this many are
				     * left */
	bool off;		    /* bf_interval=-1: nothing is planned */
};

/* Read as stock reads them: anywhere in the text (NULL: none), in any case, the first counts. */
struct lw_bfparams lw_bfparams_of(const char *sched_params);

#endif
