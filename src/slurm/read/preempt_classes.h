/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs may preempt which, as preemption classes of running jobs. */
#ifndef LW_SLURM_PREEMPT_CLASSES_H
#define LW_SLURM_PREEMPT_CLASSES_H

#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Jobs of one partition and QOS are one class. Slurm's preemption plugin is asked once for each
 * partition and QOS of waiting jobs, and answers with jobs, so that partition_prio, qos and
 * others are all honoured. Jobs that are exempt, for a time (PreemptExemptTime) or by priority
 * (min_exempt_priority), have no class. With PreemptMode=WITHIN, jobs of the same QOS are not
 * asked about: their priority decides. Slurm chooses at the start which jobs to preempt, and how
 * (PreemptMode). Jobs that use a reservation until its own jobs need it (--signal=R,
 * MaxStartDelay) yield to these, so both have classes apart from other jobs. All components of a
 * het job are preempted or none: it has the class of its first component, and a class of its own
 * if the others differ.
 *
 * A job with a QOS without reservations (NoReserve) has, while it waits, the class that it will
 * run with: its future preemptors lose nothing by it. Stock plans such jobs as if they ran for a
 * minute.
 */
struct lw_preempt_class {
	const part_record_t *part;
	const slurmdb_qos_rec_t *qos;
	bool yields;                  /* of running jobs: with --signal=R */
	uint32_t het_job_id;          /* of running jobs: a het job of several classes, or 0 */
	const slurmctld_resv_t *lent; /* of waiting jobs: their reservation, if it has a
				       * MaxStartDelay */
	uint64_t preempts;            /* of waiting jobs */
	uint64_t by_priority;         /* likewise: only those of a lower priority */
	uint32_t job_id;              /* of running jobs: a waiting job of this future class,
				       * or 0 */
	uint32_t exempt_id; /* likewise: a running job that cannot be preempted yet, or 0 */
};

/* Empty if zeroed. Valid for one reading; needs LW_LOCKS_ALL. */
struct lw_preempt_classes {
	struct lw_preempt_class running[LW_PREEMPT_CLASSES_MAX]; /* number 0: not preemptible */
	uint32_t running_count;
	struct lw_preempt_class waiting[LW_PREEMPT_CLASSES_MAX];
	uint32_t waiting_count;
	uint32_t *priorities; /* of running jobs that jobs of the same QOS may preempt */
	uint32_t priority_count, priority_room;
	bool priorities_sorted;
};

void lw_preempt_classes_fini(struct lw_preempt_classes *kinds);

/*
 * Set the class of running JOB, 0 if it cannot be preempted, from when on it can be
 * (PreemptExemptTime), and its priority if that decides which jobs may preempt it.
 */
void lw_preempt_classes_of_running(struct lw_preempt_classes *kinds, job_record_t *job,
				   struct lw_running *ret_running);

/*
 * Note the future class of RECORD, which waits, if its QOS has NoReserve and it will be
 * preemptible as soon as it runs. Call it, if preemption is on, before the classes that jobs may
 * preempt are asked for.
 */
void lw_preempt_classes_note_standby(struct lw_preempt_classes *kinds,
				     const job_queue_rec_t *record);

/* The number of that class for JOB, with partition and QOS of its record; 0: none noted. */
uint32_t lw_preempt_classes_of_standby(const struct lw_preempt_classes *kinds,
				       const job_record_t *job);

/* Set what waiting JOB may preempt, also by priority; all running and standby jobs are known. */
void lw_preempt_classes_preempted_by(struct lw_preempt_classes *kinds, job_record_t *job,
				     struct lw_constraints *constraints);

#endif
