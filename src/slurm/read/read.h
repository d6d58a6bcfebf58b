/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */
#ifndef LW_SLURM_READ_H
#define LW_SLURM_READ_H

#include "base/error.h"
#include "slurm/lock/session.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/refusal.h"
#include "slurm/canary.h"
#include "slurm/reading.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_failures;
struct lw_guarded;
struct lw_islands;
struct lw_learn;
struct lw_leasing;
struct lw_planned;
struct lw_since;
struct lw_sizes;
struct lw_stockplans;
struct lw_suspects;

/* What a reading needs besides Slurm's records; borrowed. */
struct lw_reading_context {
	struct lw_promises *promises;
	/*
	 * the reservations of the last plan; NULL: another scheduler made it, or slurmctld
	 * restarted
	 */
	const struct lw_planned *planned;
	struct lw_guarded *guarded; /* what the last plan before a restart kept for accepted
				     * deadlines */
	struct lw_failures *failures; /* jobs that lost a node */
	const struct lw_suspects *suspects; /* nodes that come last */
	struct lw_stops *stops;       /* jobs that were asked to stop ... */
	const struct lw_leasing *leasing; /* ... and for which others */
	bool choose_sizes; /* choose the number of nodes of jobs that agree (size.mode) */
	const char *stop_who; /* the QOS and partitions of jobs that agree */
	struct lw_learn *learn; /* learns from ended jobs; NULL: no predictor */
	bool beside_stock; /* stock's backfill plans the queue, or the jobs that are not of ... */
	struct lw_canary canary;
	struct lw_stockplans *stockplans; /* what stock had planned for others at the last one */
	bool by_type; /* read the kinds of GPU jobs, for predictions by type of GPU */
	bool due_first; /* jobs go by deadlines, before promised ones (sched.deadlines: order) */
	bool progress; /* heed what running jobs say of their progress (sched.progress) */
	bool by_account; /* read the accounts' shares of the machine */
	struct lw_refusals *refusals;
	const struct lw_domains *domains;
	const struct lw_islands *islands; /* of leeway.yaml */
	struct lw_sizes *sizes;
	const struct lw_share_house *house; /* the rules of sharing GPUs; NULL: no job shares */
	struct lw_since *since; /* with chain */
	bool chain; /* read jobs that wait for the end of a running job (sched.chain) */
	int64_t chain_min_s; /* dependent jobs with a shorter limit age as Slurm says */
	struct lw_session *session; /* holds the locks, and yields now and then */
	const uint32_t *elsewhere; /* jobs that are also read in other partitions */
	uint32_t elsewhere_count;
	uint64_t cycle;
	int64_t now_s;
};

void lw_reading_init(struct lw_reading *reading);
/* Safe on a zeroed one. */
void lw_reading_fini(struct lw_reading *reading);

/* The reading's copy of NAME, shared by all records; NULL: no memory. */
const char *lw_read_name(struct lw_reading *reading, const char *name);

/*
 * Copy nodes, running jobs and the queue, in Slurm's own order, into READING (initialised).
 * Settles the promises of jobs that have started. Keeps no pointer to Slurm's records. What
 * changes while the locks are given up is copied as it was before or after; but a job that is no
 * longer pending is left out of the queue. 0; -ENOMEM or -EINVAL with ERR; -EBADMSG with ERR if
 * a record differs from our headers; -ESTALE, -ECANCELED or -ETIME, see lw_session_yield().
 */
int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err);

#endif
