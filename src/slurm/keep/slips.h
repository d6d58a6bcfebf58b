/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm's records tell of a planned start that has become later. */
#ifndef LW_SLURM_SLIPS_H
#define LW_SLURM_SLIPS_H

#include "base/lookup.h"
#include "base/past.h"
#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"

/* A node, by its running jobs. */
struct lw_slips_node {
	time_t ends_s, began_s; /* of the one that may run longest */
	time_t longer_s;        /* when one of them was given more time; 0: none was */
};

/* Empty if zeroed. */
struct lw_slips {
	struct lw_lookup ends;   /* by running job: when it ends by its limit ... */
	struct lw_lookup longer; /* ... and when that became later, if it did */
	struct lw_slips_node *nodes;
	uint32_t node_count; /* 0: none was asked for in this cycle */
};

void lw_slips_fini(struct lw_slips *slips);
/* A cycle has read SNAP: which of its running jobs have been given more time? */
void lw_slips_see(struct lw_slips *slips, const struct lw_snapshot *snap);
/*
 * JOB had the start of WAS, on the nodes that its record shows: what has become of these? Needs
 * the locks of jobs and nodes for reading.
 */
struct lw_past_facts lw_slips_ask(struct lw_slips *slips, const job_record_t *job,
				  const struct lw_statement *was);

#endif
