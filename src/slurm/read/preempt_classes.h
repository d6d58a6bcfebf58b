/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who may preempt whom, in the planner's words: kinds of running jobs. */
#ifndef LW_SLURM_PREEMPT_CLASSES_H
#define LW_SLURM_PREEMPT_CLASSES_H

#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Jobs of one partition and QOS are of one kind. Slurm's preemption plugin is asked once for
 * each partition and QOS of waiting jobs, and answers with jobs, so that partition_prio, qos
 * and others are all honoured; jobs that are exempt, for the time being (PreemptExemptTime)
 * or by their priority (min_exempt_priority), have no kind. With PreemptMode=WITHIN who is of
 * the same QOS is not asked about: his priority decides. Which jobs then go, and how
 * (PreemptMode), is Slurm's choice at the start. Jobs that lie in a reservation on sufferance
 * (--signal=R, MaxStartDelay) give way to its own jobs, and are of other kinds than the rest, as
 * are these. Of a het job all components go or none: it is of one kind, its first one's, and of
 * one of its own if the others are not of that.
 *
 * A job for whose QOS no room is kept (NoReserve) waits to be of the kind it will run as: who
 * preempts that loses nothing by it. Stock plans such jobs as if they ran for a minute.
 */
struct lw_preempt_class {
	const part_record_t *part;
	const slurmdb_qos_rec_t *qos;
	bool yields;                  /* of running jobs: with --signal=R */
	uint32_t het_job_id;          /* of running jobs: a het job of several kinds, or 0 */
	const slurmctld_resv_t *lent; /* of waiting jobs: theirs, if it has a MaxStartDelay */
	uint64_t preempts;            /* of waiting jobs */
	uint64_t by_priority;         /* the same: those of them whose priority is lower */
	uint32_t job_id;              /* of running jobs: a job that waits to be one, or 0 */
};

/* Zeroed: knows none. Good for one reading; needs LW_LOCKS_ALL. */
struct lw_preempt_classes {
	struct lw_preempt_class running[LW_PREEMPT_CLASSES_MAX]; /* number 0 is nobody's */
	uint32_t running_count;
	struct lw_preempt_class waiting[LW_PREEMPT_CLASSES_MAX];
	uint32_t waiting_count;
	uint32_t *priorities; /* of running jobs that others of their QOS may preempt */
	uint32_t priority_count, priority_room;
	bool priorities_sorted;
};

void lw_preempt_classes_fini(struct lw_preempt_classes *kinds);

/*
 * Set the kind of running JOB, 0 if it cannot be preempted now, and its priority, where this
 * decides who may.
 */
void lw_preempt_classes_of_running(struct lw_preempt_classes *kinds, job_record_t *job,
				   struct lw_running *ret_running);

/*
 * Note what RECORD, which waits and will be, if its QOS has NoReserve and it may be preempted as
 * soon as it runs. Before the kinds that any job preempts are asked for, where preemption is on.
 */
void lw_preempt_classes_note_standby(struct lw_preempt_classes *kinds,
				     const job_queue_rec_t *record);

/* The number of that kind, for JOB whose record says partition and QOS; 0: none was noted. */
uint32_t lw_preempt_classes_of_standby(const struct lw_preempt_classes *kinds,
				       const job_record_t *job);

/* Set whom waiting JOB may preempt, by priority, too; all running and standby jobs are known. */
void lw_preempt_classes_preempted_by(struct lw_preempt_classes *kinds, job_record_t *job,
				     struct lw_constraints *constraints);

#endif
