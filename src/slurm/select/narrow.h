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
 * Cut NODES down to those that hold JOB best: the fewest nodes, near each other, and those
 * on which it makes the fewest GPUs useless (planner/place/place.h); for a job without GPUs that
 * nodes without any can hold, to all of these. Returns a copy of NODES as it was, for the second
 * try with all of them, to be freed with bit_free(); NULL when there was nothing to cut: not a
 * start now, nodes or a layout the user insists on, where the site has such jobs (least-loaded
 * placement, serial ones at the end), or nothing that fits. Needs Slurm's job and node locks for
 * writing, as every start does.
 */
bitstr_t *lw_narrow(const job_record_t *job, bitstr_t *nodes,
		    const struct lw_node_counts *counts, uint16_t mode);

/*
 * If the plan has JOB, which is tried now, wait for GPUs of some types, cut NODES down to those
 * that have some, and return a copy of NODES as it was, to be freed with bit_free(); else NULL.
 * The same locks.
 */
bitstr_t *lw_narrow_wish(const job_record_t *job, bitstr_t *nodes);
/* What the last plan has jobs wait for, and rather have; copied. Needs the same locks. */
void lw_narrow_wishes(const struct lw_wishes *wishes);

/* From now on these are the locality domains; copied. Needs the same locks. */
void lw_narrow_domains(const struct lw_domains *domains);

/* What leeway.yaml says of islands of GPUs; copied. Needs the same locks. */
void lw_narrow_islands(const struct lw_islands *islands);

/* From now on SNAP's mix says which sizes of jobs come; copied. Needs the same locks. */
void lw_narrow_mix(const struct lw_snapshot *snap);

/*
 * What is in use changed, which is read only now and then and counted in between (fleet.h): JOB,
 * whose job_resrcs are set, has begun, or is about to end; or something else changed. Needs the
 * same locks.
 */
void lw_narrow_began(const job_record_t *job);
void lw_narrow_ends(const job_record_t *job);
void lw_narrow_forget(void);

/* Switch it off and on again; on at first. */
void lw_narrow_enable(bool on);
void lw_narrow_fini(void);

#endif
