/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's records, copied into a snapshot. */
#ifndef LW_SLURM_READ_H
#define LW_SLURM_READ_H

#include "base/error.h"
#include "policy/snapshot.h"
#include "slurm/hold.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/refusal.h"

#include <stdbool.h>
#include <stdint.h>

/* How to find the Slurm records of a waiting record again, when locks were given up. */
struct lw_ticket {
	uint32_t job_id;
	uint32_t qos_id;  /* 0: none */
	uint32_t resv_id; /* a reservation the queue gave it without its asking, or 0 */
	int64_t limit_s;  /* as it was planned: who has been given more since is not started */
	uint32_t width;   /* CPUs it asks for, for the predictor */
	uint32_t priority; /* in that partition, by that QOS */
	const char *part; /* the reading's */
	bool prefer;      /* on the nodes it would rather have (--prefer) */
	/* the other parts of a het job, a run of the reading's parts; need 1 is the first */
	uint32_t first_part, part_count;
};

/* One reading; node i < slurm_nodes of the snapshot is Slurm's node record i. */
struct lw_reading {
	struct lw_snapshot snap;
	struct lw_ticket *tickets; /* by waiting record */
	uint32_t ticket_room;
	struct lw_ticket *parts; /* of het jobs: all but the first of each */
	uint32_t part_count, part_room;
	uint32_t slurm_nodes; /* the nodes behind those are licences */
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
	/* of the last plan; NULL: it was that of somebody else, or before a restart */
	const struct lw_planned *planned;
	struct lw_learn *learn; /* notes jobs that ended; NULL: nobody asks what they teach */
	struct lw_refusals *refusals;
	const struct lw_domains *domains;
	const struct lw_islands *islands; /* of leeway.yaml */
	struct lw_sizes *sizes;
	struct lw_hold *hold; /* the locks are held by it, and given up where that is possible */
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
 * (initialised). Settles promises of jobs that started. Keeps no pointer of Slurm. What
 * changes while the locks are given up may be copied as it was before or after: jobs that
 * are no longer pending are left out. 0; -ENOMEM or -EINVAL with ERR; -EBADMSG with ERR when
 * the queue is not what our headers say; -ESTALE, -ECANCELED or -ETIME, see
 * lw_hold_breathe().
 */
int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err);

#endif
