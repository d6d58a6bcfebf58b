/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the effective training time ratio: which part of the allocated GPU time was productive.
 */
#ifndef LW_MEASURE_ETTR_H
#define LW_MEASURE_ETTR_H

#include "base/pace.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * After Kokolis et al., "Revisiting Reliability in Large-Scale Machine Learning Research
 * Clusters" (2024): of a training that takes several runs, the time in which it came further.
 * Theirs is of the time since submission; this is of the time in which GPUs were allocated, so
 * waits do not count. Lost is the work that a run did since its last save, if the run was ended
 * from outside; the begin of a run that goes on with another; and GPUs that did nothing.
 */

/* One run of a job that ended. */
struct lw_ettr_attempt {
	int64_t gpus, start_s, end_s;
	bool interrupted; /* a failed node, a requeue or a preemption ended it */
	bool restart;     /* an earlier run of the job was interrupted */
	bool has_pace;
	struct lw_pace pace; /* what the job last said of itself in this run */
	bool recorded;
	double idle_s; /* by its record, in GPU-seconds */
};

/* GPU-seconds. */
struct lw_ettr {
	double allocated_s;
	double repeated_s; /* lost in interrupted runs, where progress tells it */
	double doubt_s;    /* interrupted runs of which nothing tells what was saved */
	double restart_s;  /* before the first step of a restart, where progress tells it */
	double idle_s;     /* beyond these, where a record tells it */
	double recorded_s; /* allocated to runs with a record */
	uint32_t runs, interrupted;
};

/* Is STATE, as sacct prints it, that of a run which was ended from outside? */
bool lw_ettr_is_interrupted(const char *state);

/* The same of one that may go on in a row of its own: a job that was resized as well. */
bool lw_ettr_has_left(const char *state);

/* Add a run; NEXT is the next run of the same job, NULL: there is none. */
void lw_ettr_add(struct lw_ettr *ettr, const struct lw_ettr_attempt *attempt,
		 const struct lw_ettr_attempt *next);

/*
 * The ratio if all was saved of what is in doubt, and if nothing was; below 0: no GPU was
 * allocated.
 */
double lw_ettr_most(const struct lw_ettr *ettr);
double lw_ettr_least(const struct lw_ettr *ettr);
/* PART of the allocated time; below 0: there is none. */
double lw_ettr_share(const struct lw_ettr *ettr, double part);

#endif
