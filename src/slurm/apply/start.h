/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a planned start, offered to Slurm: the steps that all kinds of jobs share. */
#ifndef LW_SLURM_START_H
#define LW_SLURM_START_H

#include "slurm/apply/apply.h"
#include "slurm/compat/compat.h"

enum lw_outcome {
	LW_STARTED,
	LW_GONE,	   /* started, held or cancelled while we planned */
	LW_UNDER_WAY,	   /* Slurm preempts others, or stages data in: its room stays its own */
	LW_NONE_TO_PREEMPT, /* the same of other tasks of its array, and for this one no others */
	LW_REFUSED_NO_ROOM,
	LW_REFUSED_LIMIT, /* of its account, QOS or array: others have started since it was read */
	LW_REFUSED_OTHER,
};

/* All need LW_LOCKS_ALL. */

/* Offer a planned start. *RET_WHY, Slurm's words, is set for a refusal only. */
enum lw_outcome lw_start(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const char **ret_why);

/*
 * The same for a het job: all components, each on the nodes of its own need, or none. What
 * had started when one is refused is taken back as stock takes it back.
 */
enum lw_outcome lw_start_het(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const char **ret_why);

/* Would the limits let it, as far as they go by amounts? */
bool lw_start_het_allowed(const struct lw_apply_context *context,
			  const struct lw_decision *decision);

/* What a try changes in a job record, to be put back when it fails. */
struct lw_entered {
	job_record_t *job;
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
	uint32_t priority;
	bool is_array; /* tasks may leave it by the start */
	time_t start_time;
};

/* The record of the next task to start under JOB_ID, or NULL when it is gone. */
job_record_t *lw_start_find(uint32_t job_id);
/*
 * Put partition, QOS, priority and reservation of TICKET into JOB. False: no longer allowed, or the
 * job may run for longer than it was planned for.
 */
bool lw_start_enter(job_record_t *job, const struct lw_ticket *ticket,
		    struct lw_entered *ret_entered);
/* Undo that, unless it STARTED. */
void lw_start_leave(const struct lw_entered *entered, bool started);
/*
 * Is the job's data where it is needed? The first call for a job that has room begins the stage-in;
 * until it is done the plan keeps the room.
 */
bool lw_start_is_staged(struct lw_entered *entered);
/*
 * The tests of stock backfill before a start, with the hard limit. NULL with the nodes
 * (the caller's) that reservations leave open, or why it may not start.
 */
const char *lw_start_why_not(job_record_t *job, bitstr_t **ret_open);
/*
 * The lock of the federation on JOB, so that no sibling cluster starts it, too. True for jobs of
 * no federation; if it is false JOB says that it waits for the lock.
 */
bool lw_start_lock(job_record_t *job);
/*
 * Offer JOB to Slurm on those of NODES that are OPEN, and no others: Slurm's code. It is not told
 * to anybody yet. NODES are freed.
 */
int lw_start_try(job_record_t *job, bitstr_t *nodes, bitstr_t *open);
/* The same, without cores of others (OverSubscribe, PreemptMode=SUSPEND) and preempting nobody. */
int lw_start_try_idle(job_record_t *job, bitstr_t *nodes, bitstr_t *open);
/*
 * The same on the planned nodes, unless DECISION says that it preempts: where the plan is wrong
 * about these, elsewhere there may be cores that nobody has.
 */
int lw_start_try_planned(const struct lw_decision *decision, job_record_t *job, bitstr_t *nodes,
			 bitstr_t *open);
/*
 * If JOB may preempt others, which it did not at first where the plan saw no need to, add to NODES
 * those that the plan gives this NEED, although somebody may be promised them for later.
 */
void lw_start_add_planned(const struct lw_apply_context *context,
			  const struct lw_decision *decision, const job_record_t *job,
			  uint32_t need, bitstr_t *nodes);
/*
 * Does that code say that there is no room? Where some nodes only were offered, a request that
 * can never run is one that cannot run on these, such as nodes that lack one of its features.
 */
bool lw_start_lacks_room(int rc);
/* Say in Slurm's log that JOB has started, and where. */
void lw_start_log(const job_record_t *job);
/* Tell the job's nodes, or its srun, that it has started. */
void lw_start_announce(job_record_t *job);
/* The planned nodes of one need, and those that the user insists on. */
bitstr_t *lw_start_nodes(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const job_record_t *job,
			 uint32_t need);
/* How many these are. */
uint32_t lw_start_node_count(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const job_record_t *job,
			     uint32_t need);
/* Set those NODES that DECISION of PLAN gives its job. */
void lw_start_mark(const struct lw_plan *plan, const struct lw_decision *decision,
		   bitstr_t *nodes);
/*
 * For a start that is planned to preempt others: Slurm is asked whether it has room without, which
 * the plan may not see. If so *RET_SPARE, to be freed, are nodes among which it has, else NULL.
 * True: not now, but as soon as nodes are ready that are being cleaned up, or come up. Then it
 * waits for these, as with stock, and they are marked as those of a start that is under way.
 */
bool lw_start_soon(const struct lw_apply_context *context, const struct lw_decision *decision,
		   job_record_t *job, bitstr_t *open, bitstr_t **ret_spare);
/* All nodes but those of a reservation of the plan, or of a start that is under way. */
bitstr_t *lw_start_unpromised(const struct lw_apply_context *context);

#endif
