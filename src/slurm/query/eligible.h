/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: is a record of Slurm's queue still to be planned, with which QOS and where? */
#ifndef LW_SLURM_ELIGIBLE_H
#define LW_SLURM_ELIGIBLE_H

#include "slurm/compat/compat.h"

/*
 * May JOB run in RESV, which a record of the queue names? RESV must be one of several that the
 * job names, or a magnetic one while the job names none. NULL: yes. Any other must not be put
 * into the job's record, which would lose the reservation that the user asked for.
 */
bool lw_waits_in(const job_record_t *job, slurmctld_resv_t *resv);

/* Does JOB ask for QOS? Only the pointer is compared: the QOS may have been deleted since. */
bool lw_job_has_qos(const job_record_t *job, const slurmdb_qos_rec_t *qos);

/* Does LIST hold the record ITEM itself? */
bool lw_list_has(list_t *list, const void *item);

/*
 * Is the job of RECORD still to be planned? The locks may have been given up since RECORD was
 * made.
 */
bool lw_still_waits(const job_queue_rec_t *record);

#endif
