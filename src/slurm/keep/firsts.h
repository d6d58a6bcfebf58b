/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start that was first shown of each waiting job, against its true start. */
#ifndef LW_SLURM_FIRSTS_H
#define LW_SLURM_FIRSTS_H

#include "base/lookup.h"
#include "planner/model/snapshot.h"

#include <stdint.h>

/* Further jobs are not judged. */
#define LW_FIRSTS_MAX 20000

/* Empty if zeroed. What was shown before a restart is not known. */
struct lw_firsts {
	struct lw_lookup shown;  /* by job: its first planned start, seconds since the epoch */
	uint64_t judged;         /* starts of such jobs */
	int64_t early_s, late_s; /* by so much they were before, and after, what was shown */
};

/* The start that is shown of JOB_ID; 0: none. */
typedef int64_t (*lw_firsts_shown_f)(void *arg, uint32_t job_id);

/*
 * A cycle has planned SNAP: judge the jobs that run now, forget the jobs that do not wait any
 * more, and note the others with a start that is shown. An array is not judged: its tasks start
 * one after the other. -ENOMEM: all are forgotten.
 */
int lw_firsts_cycle(struct lw_firsts *firsts, const struct lw_snapshot *snap,
		    lw_firsts_shown_f shown, void *arg);
/* Forget what was shown: another scheduler plans. What was counted stays. */
void lw_firsts_fini(struct lw_firsts *firsts);

#endif
