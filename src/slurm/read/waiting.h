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

#endif
