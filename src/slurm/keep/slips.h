/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm's records tell of a planned start that has become later. */
#ifndef LW_SLURM_SLIPS_H
#define LW_SLURM_SLIPS_H

#include "base/past.h"
#include "slurm/compat/compat.h"

/* By node: when the running job ends by its limit that is there longest, and when it began. */
struct lw_slips {
	time_t *ends_s, *began_s;
	uint32_t count; /* of nodes; 0: nothing was asked yet */
};

/* Empty if zeroed. Seen once, at the first question: for the words of one cycle. */
void lw_slips_fini(struct lw_slips *slips);
/*
 * JOB had the start of WAS, on the nodes that its record shows: what has become of these? Needs the
 * locks of jobs and nodes for reading.
 */
struct lw_past_facts lw_slips_ask(struct lw_slips *slips, const job_record_t *job,
				  const struct lw_statement *was);

#endif
