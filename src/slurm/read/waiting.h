/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one record of Slurm's queue, as a waiting job of the snapshot. */
#ifndef LW_SLURM_WAITING_H
#define LW_SLURM_WAITING_H

#include "slurm/compat/compat.h"
#include "slurm/read/read.h"

struct lw_reader;

/* One record of the queue: a job, or a component of a het job (see slurm/read/het.h). */
struct lw_component {
	struct lw_waiting waiting; /* a component, too, as if it were a job of its own */
	struct lw_ticket ticket;
};

/*
 * Describe RECORD, whose job still waits; its variant says how many records of the job were
 * described before. The licences it needs, and the start it was planned for last time, are
 * lw_add_component()'s matter. The snapshot has all but the waiting jobs. Needs LW_LOCKS_ALL. 0,
 * -ENOMEM or -EINVAL with the walker's error.
 */
int lw_read_component(struct lw_reader *reader, job_queue_rec_t *record,
		      struct lw_component *ret_component);

/* The reading's copy of NAME, one for all that ask; NULL: no memory. */
const char *lw_read_name(struct lw_reading *reading, const char *name);
/*
 * What JOB, whose partition is PART for the moment, asks for, and its nodes. 0; -EBUSY: it cannot
 * be planned, since it may not use its reservation, or Slurm knows no nodes or no time for it;
 * -ENOMEM or -EINVAL with the walker's error.
 */
int lw_read_request(struct lw_reader *reader, job_record_t *job, part_record_t *part,
		    struct lw_waiting *waiting);
/* On what terms it may start, if it is planned; its nodes and its request are known. */
void lw_read_constraints(struct lw_reader *reader, const job_queue_rec_t *record,
			 job_record_t *job, struct lw_waiting *waiting);

#endif
