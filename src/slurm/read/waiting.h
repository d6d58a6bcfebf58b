/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one record of Slurm's queue, as a waiting job of the snapshot. */
#ifndef LW_SLURM_WAITING_H
#define LW_SLURM_WAITING_H

#include "slurm/compat/compat.h"
#include "slurm/read/read.h"

struct lw_reader;

/* One record of the queue: a job, or a component of a het job (see slurm/read/het.h). */
struct lw_component {
	struct lw_waiting waiting; /* also of a component, as if it were a job of its own */
	struct lw_ticket ticket;
};

/*
 * Describe RECORD, with a job that still waits; its variant counts the records of the job that
 * were described before. Its licences and its planned start are left to lw_add_component(). The
 * snapshot has all but the waiting jobs. Needs LW_LOCKS_ALL. 0, -ENOMEM or -EINVAL with the
 * reader's error.
 */
int lw_read_component(struct lw_reader *reader, job_queue_rec_t *record,
		      struct lw_component *ret_component);
/*
 * The request of JOB, with PART as its current partition, and its nodes. 0; -EBUSY: it cannot be
 * planned, because it may not use its reservation, or Slurm knows no nodes or no time for it;
 * -ENOMEM or -EINVAL with the reader's error.
 */
int lw_read_request(struct lw_reader *reader, job_record_t *job, part_record_t *part,
		    struct lw_waiting *waiting);
/* The constraints of the job's start; its nodes and its request are known. */
void lw_read_constraints(struct lw_reader *reader, const job_queue_rec_t *record,
			 job_record_t *job, struct lw_waiting *waiting);

#endif
