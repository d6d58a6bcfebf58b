/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which starts of Slurm's own the last plan lets through, and on which nodes. */
#ifndef LW_SLURM_ADMIT_H
#define LW_SLURM_ADMIT_H

#include "planner/model/gate.h"
#include "slurm/caps.h"
#include "slurm/compat/compat.h"
#include "slurm/query/request.h"

#include <stdbool.h>

/*
 * All starts pass Slurm's test of nodes: at submission, in its main loop, of stock backfill, for
 * srun. Starts that the scheduler plugin makes are of the plan. All other starts are judged by its
 * gate (planner/model/gate.h), with what started and ended since:
 *
 *   - the next plan has its turn for LW_ADMIT_TURN_S, from the first end of a job on;
 *   - a plan older than LW_ADMIT_OLD_S keeps nothing: Leeway may no longer plan;
 *   - until the first plan, or after nodes got other numbers, nothing starts if there are
 *     promises, for LW_ADMIT_SHUT_S at most.
 *
 * No file is read, nothing waits. All need Slurm's job and node locks for writing.
 */
#define LW_ADMIT_TURN_S 30
#define LW_ADMIT_OLD_S	300
#define LW_ADMIT_SHUT_S 60

/* A reading of Slurm's records begins: what changes from now on its plan does not know. */
void lw_admit_reading(void);
/*
 * That reading's plan keeps what *GATE says, amounts with CAPS. Afterwards *GATE has the memory of
 * the one before. If RET_OVERTAKEN is not NULL and a start since the reading takes what *GATE
 * keeps, it becomes true, and unless the plan INSISTS the gate before stays.
 */
void lw_admit_gate(struct lw_gate *gate, const struct lw_caps *caps, bool insists,
		   bool *ret_overtaken);
/* The starts of that plan are made, or were refused. */
void lw_admit_applied(void);
/* There are promises that no plan knows: nothing starts until the next plan. */
void lw_admit_shut(void);
/* The starts that follow are of the plan, or are no more. */
void lw_admit_ours(bool ours);

enum lw_admission {
	LW_ADMIT_FREELY, /* nothing is kept from JOB */
	LW_ADMIT_HERE,   /* it may have the nodes that are left, if it does no harm there */
	LW_ADMIT_NOT,
};

/*
 * Take out of NODES what is kept from JOB, which Slurm tries to start now. *RET_ALL becomes a
 * copy of NODES as it was, to be freed with bit_free(), or stays as it is where NODES does.
 */
enum lw_admission lw_admit_cut(const job_record_t *job, bitstr_t *nodes,
			       const struct lw_node_counts *counts, bitstr_t **ret_all);
/*
 * Of the JOB that was asked about last: take from NODES those on which it takes too much as Slurm
 * would start it; false: there are none.
 */
bool lw_admit_harms(const job_record_t *job, bitstr_t *nodes);

/* JOB, with its job_resrcs set, has begun, or is about to end. */
void lw_admit_began(const job_record_t *job);
void lw_admit_ends(const job_record_t *job);
/* Nodes may have other numbers from now on. */
void lw_admit_forget(void);
void lw_admit_fini(void);

#endif
