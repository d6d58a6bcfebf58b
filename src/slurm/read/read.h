/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */
#ifndef LW_SLURM_READ_H
#define LW_SLURM_READ_H

#include "base/error.h"
#include "slurm/lock/session.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/refusal.h"
#include "slurm/reading.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_guarded;
struct lw_islands;
struct lw_learn;
struct lw_planned;
struct lw_since;
struct lw_sizes;

/* What a reading needs to know besides Slurm's records; borrowed. */
struct lw_reading_context {
	struct lw_promises *promises;
	/* the starts that the last plan reserved; NULL: another scheduler made it, or a restart
	 * came between */
	const struct lw_planned *planned;
	struct lw_guarded *guarded; /* what it kept for accepted deadlines, before a restart */
	struct lw_learn *learn; /* learns from jobs that ended; NULL: there is no predictor */
	bool by_type; /* kinds of GPU jobs are read, for what LEARN knows of them by type */
	bool by_account; /* what the accounts are to have of the machine is read */
	struct lw_refusals *refusals;
	const struct lw_domains *domains;
	const struct lw_islands *islands; /* of leeway.yaml */
	struct lw_sizes *sizes;
	const struct lw_share_house *house; /* by what jobs share GPUs; NULL: none does */
	struct lw_since *since; /* with chain */
	bool chain; /* jobs that wait for the end of one that runs are read (sched.chain) */
	int64_t chain_min_s; /* what depends on others and has a shorter limit ages by Slurm */
	struct lw_session *session; /* holds the locks, and gives them up now and then */
	const uint32_t *elsewhere; /* jobs of which it is asked where else they may start */
	uint32_t elsewhere_count;
	uint64_t cycle;
	int64_t now_s;
};

void lw_reading_init(struct lw_reading *reading);
/* Safe on a zeroed one. */
void lw_reading_fini(struct lw_reading *reading);

/*
 * Copy nodes, running jobs and the queue, in Slurm's own order, into READING
 * (initialised). Settles the promises of jobs that have started. Keeps no pointer to Slurm's
 * records. What changes while the locks are given up is copied as it was before or as it is
 * after that; but a job that is no longer pending is left out of the queue. 0; -ENOMEM or
 * -EINVAL with ERR; -EBADMSG with ERR when a record is not what our headers say; -ESTALE,
 * -ECANCELED or -ETIME, see lw_session_yield().
 */
int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err);

#endif
