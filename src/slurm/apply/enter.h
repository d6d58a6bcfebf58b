/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: change a job record for a start in one partition with one QOS. */
#ifndef LW_SLURM_ENTER_H
#define LW_SLURM_ENTER_H

#include "slurm/compat/compat.h"
#include "slurm/reading.h"

#include <stdbool.h>
#include <stdint.h>

/* What an offer changes in a job record, to restore it if the job does not start. */
struct lw_entered {
	job_record_t *job;
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
	uint32_t priority;
	bool is_array; /* the task that starts leaves the array */
	time_t start_time;
	char *text; /* Leeway's text on why it waits; xmalloc'ed by Slurm, or NULL */
};

/* All need LW_LOCKS_ALL. */

/*
 * The record of job JOB_ID, or of the next task of that array. NULL if it cannot be offered: it
 * is gone, held, or waits for jobs that it preempts.
 */
job_record_t *lw_enter_find(uint32_t job_id);
/*
 * Put partition, QOS, priority and reservation of TICKET into JOB. False, and JOB is unchanged:
 * that is no longer allowed, or the job may run longer than planned.
 */
bool lw_enter(job_record_t *job, const struct lw_ticket *ticket,
	      struct lw_entered *ret_entered);
/* Undo that, unless the job STARTED. */
void lw_leave(const struct lw_entered *entered, bool started);

#endif
