/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: changes of waiting jobs that a plan has found, until Slurm was asked of each. */
#ifndef LW_SLURM_REMEDIES_H
#define LW_SLURM_REMEDIES_H

#include "planner/policies/whatif.h"
#include "slurm/keep/outlook.h"
#include "slurm/lock/session.h"

/* Slurm is asked of so many changes in a cycle; those beyond are told untested. */
#define LW_REMEDIES_MAX 32

struct lw_remedy {
	uint32_t job_id;
	struct lw_hint hint;
	struct lw_bitset nodes; /* on which the plan starts it */
	bool refused;
};

/* All zero is empty. */
struct lw_remedies {
	struct lw_remedy all[LW_REMEDIES_MAX];
	uint32_t count;
	uint64_t mark; /* lw_nodemark() of the reading */
};

/* Begin a cycle: forget all, and hold changes on the nodes of MARK. */
void lw_remedies_begin(struct lw_remedies *remedies, uint64_t mark);
/* Add the HINTS that WHATIF found last, for JOB_ID; takes over WHATIF's sets of nodes. */
void lw_remedies_add(struct lw_remedies *remedies, uint32_t job_id,
		     const struct lw_hint hints[LW_WHY_HINTS], struct lw_whatif *whatif);
/*
 * Ask Slurm of each, after the starts of the cycle. What it refuses is taken out of OUTLOOKS, so
 * that the next words do not have it. Needs LW_LOCKS_ALL, which SESSION may give up in between.
 */
void lw_remedies_ask(struct lw_remedies *remedies, struct lw_outlooks *outlooks,
		     struct lw_session *session);
/* WORD of JOB_ID without what Slurm refused: WORD itself, or in BUF. */
const char *lw_remedies_strip(const struct lw_remedies *remedies, uint32_t job_id,
			      const char *word, char buf[LW_WHY_MAX]);

#endif
