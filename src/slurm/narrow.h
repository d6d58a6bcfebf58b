/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fewer candidate nodes for a GPU job, before stock chooses among them. */
#ifndef LW_SLURM_NARROW_H
#define LW_SLURM_NARROW_H

#include "policy/domain.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Cut NODES down to those that hold JOB best: the fewest nodes, near each other, and those
 * that keep the fewest GPUs idle (policy/place.h). Returns a copy of NODES as it was, for the
 * second try with all of them, to be freed with bit_free(); NULL when there was
 * nothing to cut: no GPU job, not a start now, nodes or a layout the user insists on,
 * least-loaded placement, or nothing that fits. Needs Slurm's job and node locks for
 * writing, as every start does.
 */
bitstr_t *lw_narrow(const job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
		    uint32_t max_nodes, uint16_t mode);

/* From now on these are the locality domains; copied. Needs the same locks. */
void lw_narrow_domains(const struct lw_domains *domains);

/* Switch it off and on again; on at first. */
void lw_narrow_enable(bool on);
void lw_narrow_fini(void);

#endif
