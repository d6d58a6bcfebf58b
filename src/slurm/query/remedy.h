/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would Slurm start a waiting job now, if it were changed? */
#ifndef LW_SLURM_REMEDY_H
#define LW_SLURM_REMEDY_H

#include "base/bitset.h"
#include "base/why.h"
#include "slurm/compat/compat.h"

/*
 * Slurm's own tests of JOB on NODES, by the numbers of its table, with the change HINT: of
 * reservations, of its numbers of nodes, and of what select has there. Asked of a time limit and
 * of a number of nodes. False: it would not start. Other changes are taken as they are: they are
 * of GRES and of partitions, which no record can be lent for a test. The record is as before
 * afterwards. Needs LW_LOCKS_ALL.
 */
bool lw_remedy_starts(job_record_t *job, const struct lw_hint *hint,
		      const struct lw_bitset *nodes);

#endif
