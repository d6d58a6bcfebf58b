/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: each het job as one waiting job, with components that start together. */
#ifndef LW_SLURM_HET_H
#define LW_SLURM_HET_H

#include "slurm/compat/compat.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_needs;
struct lw_reader;

/*
 * In Slurm's queue the components of a het job are separate jobs. Here the job has one place:
 * that of the last of its components (the first, if bf_hetjob_prio=max). It is planned if all of
 * them are in the queue. One component is its request; the others are needs of the same
 * co-allocation, met on nodes of their own at the same time. If components may use several
 * partitions, there is one variant for each choice, LW_HET_CHOICES_MAX at most.
 */
#define LW_HET_CHOICES_MAX 8

struct lw_het_member {
	uint32_t het_job_id;
	uint32_t record; /* in the queue */
};

/* Empty if zeroed. */
struct lw_hets {
	struct lw_het_member *members; /* by job, then by record */
	uint32_t count, room;
	uint32_t *first_at; /* by record: 1 + the first member of the job to add there, or 0 */
};

/* Find the het jobs among RECORDS, and the place of each. 0, -ENOMEM. */
int lw_hets_find(struct lw_hets *hets, job_queue_rec_t **records, uint32_t count, bool first);
void lw_hets_fini(struct lw_hets *hets);

/*
 * Add the het job with its place at record I, if there is one. NEEDS is scratch. 0, -ENOMEM or
 * -EINVAL with the reader's error.
 */
int lw_hets_add(const struct lw_hets *hets, struct lw_reader *reader, job_queue_rec_t **records,
		uint32_t i, struct lw_needs *needs);

#endif
