/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that a failed node ends, as the select plugin sees them, and what they avoid. */
#ifndef LW_SLURM_FAILED_H
#define LW_SLURM_FAILED_H

#include "slurm/compat/compat.h"

#include <stdint.h>
#include <stdlib.h>

/*
 * Nothing in a requeued job's record says why it was requeued. But Slurm ends a job through the
 * select plugin, and then its state and its nodes still tell. The scheduler plugin asks for what
 * was noted, and answers with the nodes that each of these jobs is to do without.
 */

/* With more that no one asks for, the rest is lost: these jobs are requeued as Slurm does it. */
#define LW_FAILED_MAX 8192

/* One job and one of its failed nodes; NODE is NULL if it is not known. */
struct lw_failed {
	uint32_t job_id, user;
	int64_t failed_s;
	char *node;
};

/* Empty if zeroed. */
struct lw_failed_list {
	struct lw_failed *items;
	uint32_t count, room;
};

/* One job and one node that it avoids, by number. */
struct lw_avoid {
	uint32_t job_id, node;
};

/* In order of job ids. Empty if zeroed. */
struct lw_avoids {
	struct lw_avoid *items;
	uint32_t count, room;
};

static inline void lw_failed_list_fini(struct lw_failed_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		free(list->items[i].node);
	free(list->items);
	*list = (struct lw_failed_list){ 0 };
}

/* All need Slurm's job lock for writing. */

/* JOB ends: note it, if it is requeued because a node failed. Its nodes are still in its record.
 */
void lw_failed_note(const job_record_t *job);
/* Move what was noted to LIST, which is empty. */
void lw_failed_take(struct lw_failed_list *list);
/* Replace what jobs avoid; copied. Out of memory they avoid nothing. */
void lw_failed_avoid(const struct lw_avoids *avoids);
/*
 * Take the nodes that JOB avoids out of NODES, on which it is tested for a start now. Returns a
 * copy of the original NODES, to be freed with bit_free(), or NULL: there were none.
 */
bitstr_t *lw_failed_cut(const job_record_t *job, bitstr_t *nodes);
/* The numbers of nodes may have changed: nothing starts until the next plan, or for a while. */
void lw_failed_forget(void);
void lw_failed_fini(void);

#endif
