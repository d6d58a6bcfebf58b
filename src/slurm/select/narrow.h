/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fewer candidate nodes for a job, before stock chooses among them. */
#ifndef LW_SLURM_NARROW_H
#define LW_SLURM_NARROW_H

#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"
#include "slurm/query/islands.h"
#include "slurm/query/request.h"
#include "slurm/select/wishes.h"

#include <stdbool.h>

/*
 * Reduce NODES to the best nodes for JOB: the fewest nodes, near each other, on which it makes
 * the fewest GPUs useless (planner/place/place.h). For a job without GPUs: to all nodes without
 * GPUs, if these can hold it. Returns a copy of the original NODES for the second try, to be
 * freed with bit_free(). Returns NULL if nothing was removed: this is no start now; the user
 * requires nodes or a layout; the site places such jobs itself (least-loaded nodes, serial jobs
 * at the end); or nothing fits. Needs Slurm's job and node locks for writing, as every start
 * does.
 */
bitstr_t *lw_narrow(const job_record_t *job, bitstr_t *nodes,
		    const struct lw_node_counts *counts, uint16_t mode);

/*
 * If the plan has JOB, which is tested for a start now, wait for some types of GPUs, reduce
 * NODES to nodes with such GPUs, and return a copy of the original NODES, to be freed with
 * bit_free(); else NULL. The same locks.
 */
bitstr_t *lw_narrow_wish(const job_record_t *job, bitstr_t *nodes);
/* Set which types of GPUs the last plan has jobs wait for, or prefer; copied. The same locks. */
void lw_narrow_wishes(const struct lw_wishes *wishes);

/*
 * If the plan has chosen on how many nodes JOB starts, which is tested for a start now, leave of
 * COUNTS what it chose. The same locks.
 */
void lw_narrow_size(const job_record_t *job, struct lw_node_counts *counts);
/* Set which numbers of nodes were chosen; copied. The same locks. */
void lw_narrow_sizes(const struct lw_wish_sizes *sizes);

/* Set the locality domains; copied. The same locks. */
void lw_narrow_domains(const struct lw_domains *domains);

/* Set the islands of GPUs of leeway.yaml; copied. The same locks. */
void lw_narrow_islands(const struct lw_islands *islands);

/* Set the mix of job sizes to that of SNAP; copied. The same locks. */
void lw_narrow_mix(const struct lw_snapshot *snap);

/*
 * What is in use has changed; it is read only now and then and counted in between (fleet.h).
 * JOB, which has job_resrcs, has begun, or is about to end; or something else changed. The same
 * locks.
 */
void lw_narrow_began(const job_record_t *job);
void lw_narrow_ends(const job_record_t *job);
void lw_narrow_forget(void);

/* Switch narrowing on or off; on at first. */
void lw_narrow_enable(bool on);
void lw_narrow_fini(void);

#endif
