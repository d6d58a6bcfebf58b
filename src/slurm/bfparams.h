/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the SchedulerParameters that say for which jobs room is kept, and when to pause. */
#ifndef LW_SLURM_BFPARAMS_H
#define LW_SLURM_BFPARAMS_H

#include <stdbool.h>
#include <stdint.h>

/* doc/admin/parity.md says of every other parameter why it is not needed. All 0: unset. */
struct lw_bfparams {
	uint32_t min_prio_reserve;  /* bf_min_prio_reserve: none below that priority */
	int64_t min_age_reserve_s;  /* bf_min_age_reserve: none for jobs younger than that */
	bool one_resv_per_job;	    /* bf_one_resv_per_job: only in a job's first partition */
	bool hetjob_first;	    /* bf_hetjob_prio=max: where the first of its parts is */
	bool limits_stop;	    /* assoc_limit_stop: also for who is over a limit */
	uint32_t max_rpcs;	    /* max_rpc_cnt: slurmctld is left alone with so many ... */
	uint32_t few_rpcs;	    /* bf_yield_rpc_cnt (25.05): ... until so few are left */
	bool off;		    /* bf_interval=-1: nothing is planned */
};

/* As stock reads them: anywhere in the text (NULL: none), in any case, the first counts. */
struct lw_bfparams lw_bfparams_of(const char *sched_params);

#endif
