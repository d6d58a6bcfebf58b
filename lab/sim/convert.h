/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: turn a trace into a workload for a machine. */
#ifndef LW_LAB_SIM_CONVERT_H
#define LW_LAB_SIM_CONVERT_H

#include "base/error.h"
#include "measure/swf.h"
#include "measure/workload.h"

#include <stdbool.h>
#include <stdint.h>

/* What a "processor" of the trace is. */
enum lw_convert_unit {
	LW_CONVERT_GPU,
	LW_CONVERT_CPU,
	LW_CONVERT_NODE, /* a whole one */
};

struct lw_convert_options {
	enum lw_convert_unit unit;
	uint32_t nodes;
	uint32_t gpus_per_node;
	uint32_t cpus_per_node;
	uint32_t mem_mib_per_node; /* 0: memory does not count */
	uint32_t first_job, last_job; /* positions in the trace from 1; 0: no bound */
	int64_t from_s, span_s;       /* window of submissions; span 0: to the end */
	/*
	 * Also take what the log shows as waiting or running when the window opens, all
	 * submitted at 0, the running ones for the time they had left.
	 */
	bool carry_over;
	double compress; /* every time is divided by it; at least 1 */
	uint64_t seed;   /* for the limits the trace lacks */
};

/* What had to be done to the trace, for the user to know. */
struct lw_convert_notes {
	uint32_t taken;
	uint32_t carried;         /* of them, present when the window opened */
	uint32_t limits_made;     /* the trace had none */
	uint32_t users_unknown;   /* no user: the group stands in, else 0 */
	uint32_t dropped_unknown; /* neither processors nor a run time */
	uint32_t dropped_wide;    /* more than the machine */
	uint32_t afters_lost;     /* the job that precedes them was not taken, or is later */
};

/*
 * The machine of OPTIONS becomes the workload's. A limit the trace lacks is drawn from popular
 * limits, never below the run time and
 * never a multiple of it (userlimit.h). A job with a preceding one (field 17) waits for its end,
 * and is submitted so long after it as field 18 says. -EINVAL with ERR filled, -ENOMEM.
 */
int lw_convert_swf(const struct lw_swf *swf, const struct lw_convert_options *options,
		   struct lw_workload *ret_workload, struct lw_convert_notes *ret_notes,
		   struct lw_error *err);

#endif
