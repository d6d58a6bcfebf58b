/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */
#ifndef LW_SLURM_READ_H
#define LW_SLURM_READ_H

#include "base/error.h"
#include "planner/model/snapshot.h"
#include "slurm/hold.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/refusal.h"

#include <stdbool.h>
#include <stdint.h>

/* How to find Slurm's records for a waiting job again: the locks are given up in between. */
struct lw_ticket {
	uint32_t job_id;
	uint32_t qos_id;  /* 0: none */
	uint32_t resv_id; /* a reservation the queue gave it without its asking, or 0 */
	int64_t limit_s;  /* as planned: a job whose limit is longer by then is not started */
	uint32_t width;   /* CPUs the job asks for, for the predictor */
	uint32_t priority; /* in that partition, by that QOS */
	const char *part; /* the partition; the name is the reading's */
	bool prefer;      /* on the nodes it would rather have (--prefer) */
	/* the other components of a het job, in a row of the reading's parts, from need 1 on */
	uint32_t first_part, part_count;
};

/* One reading; node i < slurm_nodes of the snapshot is Slurm's node record i. */
struct lw_reading {
	struct lw_snapshot snap;
	struct lw_ticket *tickets; /* by waiting record */
	uint32_t ticket_room;
	struct lw_ticket *parts; /* of het jobs: all but the first of each */
	uint32_t part_count, part_room;
	uint32_t slurm_nodes; /* the snapshot's nodes from this number on are licences */
	char **names; /* of partitions */
	uint32_t name_count, name_room;
};

struct lw_islands;
struct lw_learn;
struct lw_planned;
struct lw_sizes;

/* What a reading needs to know besides Slurm's records; borrowed. */
struct lw_reading_context {
	struct lw_promises *promises;
	/* the starts that the last plan reserved; NULL: another scheduler made it, or a restart
	 * came between */
	const struct lw_planned *planned;
	struct lw_learn *learn; /* learns from jobs that ended; NULL: there is no predictor */
	struct lw_refusals *refusals;
	const struct lw_domains *domains;
	const struct lw_islands *islands; /* of leeway.yaml */
	struct lw_sizes *sizes;
	struct lw_hold *hold; /* holds the locks, and gives them up now and then */
	uint64_t cycle;
	int64_t now_s;
};

void lw_reading_init(struct lw_reading *reading);
/* Safe on a zeroed one. */
void lw_reading_fini(struct lw_reading *reading);

/* Part I of the job of TICKET, by need: 0 is the ticket itself, others those of a het job. */
static inline const struct lw_ticket *lw_reading_part(const struct lw_reading *reading,
						      const struct lw_ticket *ticket, uint32_t i)
{
	return i ? &reading->parts[ticket->first_part + i - 1] : ticket;
}

/*
 * Copy nodes, running jobs and the queue, in Slurm's own order, into READING
 * (initialised). Settles the promises of jobs that have started. Keeps no pointer to Slurm's
 * records. What changes while the locks are given up is copied as it was before or as it is
 * after that; but a job that is no longer pending is left out of the queue. 0; -ENOMEM or
 * -EINVAL with ERR; -EBADMSG with ERR when a record is not what our headers say; -ESTALE,
 * -ECANCELED or -ETIME, see lw_hold_breathe().
 */
int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err);

#endif
