/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's queue, copied into a snapshot. */
#ifndef LW_SLURM_WAITING_H
#define LW_SLURM_WAITING_H

#include "base/lookup.h"
#include "slurm/bfparams.h"
#include "slurm/read/blocks.h"
#include "slurm/read/caps.h"
#include "slurm/read/closures.h"
#include "slurm/read/kinds.h"
#include "slurm/read/licences.h"
#include "slurm/read/nodeset.h"
#include "slurm/read/owners.h"
#include "slurm/read/parts.h"
#include "slurm/read/read.h"

/* One walk through Slurm's records; lives on the stack of lw_read(). */
struct lw_walker {
	struct lw_reading *reading;
	const struct lw_reading_context *context;
	struct lw_closures closures;
	struct lw_owners owners;
	struct lw_licences licences;
	struct lw_parts parts;
	struct lw_kinds kinds;
	struct lw_caps caps;
	struct lw_bfparams bf;
	struct lw_nodesets *sets;
	struct lw_lookup variants; /* by job: how many records it has */
	struct lw_res *used;     /* by node */
	struct lw_alloc *allocs; /* scratch, a job's */
	uint32_t alloc_room;
	uint32_t asked; /* jobs that Slurm was asked about */
	uint64_t asking_us; /* what that took, in processor time */
	struct lw_error *err;
};

/*
 * Add the waiting jobs, in Slurm's own order, to the snapshot, which has all else. Needs
 * LW_LOCKS_ALL, which the hold of the context gives up now and then. 0, -ENOMEM, -EINVAL or
 * -EBADMSG with the walker's error, or what lw_hold_breathe() says.
 */
int lw_read_queue(struct lw_walker *walk);

/* What the het jobs of the queue are made of: see slurm/read/het.h. */
struct lw_component {
	struct lw_waiting waiting; /* as if it were a job of its own */
	struct lw_ticket ticket;
};

/*
 * May JOB still run in RESV, which a record of the queue has beside it: one of several it names,
 * or a magnetic one that it names not? NULL: yes. Whoever may, in the job record, put another in
 * its place would take it from the user for good.
 */
bool lw_waits_in(const job_record_t *job, slurmctld_resv_t *resv);

/*
 * Is QOS one that JOB asks for? One that was deleted since it was noted is no longer, and is not to
 * be looked at.
 */
bool lw_job_has_qos(const job_record_t *job, const slurmdb_qos_rec_t *qos);

/* Does LIST hold the very record ITEM? */
bool lw_list_has(list_t *list, const void *item);

/* Is it still to be planned? The locks may have been given up since the queue was taken. */
bool lw_still_waits(const job_queue_rec_t *record);

/* Describe a record of the queue: what lw_read_queue() does for each. As above. */
int lw_read_component(struct lw_walker *walk, job_queue_rec_t *record,
		      struct lw_component *ret_component);

/* A growing list of needs; zeroed it is empty. */
struct lw_needs {
	struct lw_need *items;
	uint32_t count, room;
};

/* -ENOMEM. */
int lw_needs_add(struct lw_needs *needs, const struct lw_need *need);

/*
 * Add COMPONENT as a waiting job that also needs NEEDS, one for each part of its ticket, and
 * the licences of all, which are added to NEEDS. 0, -ENOMEM or -EINVAL.
 */
int lw_add_component(struct lw_walker *walk, const struct lw_component *component,
		     struct lw_needs *needs);

#endif
