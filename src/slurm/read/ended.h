/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that have ended, noted for the predictor. */
#ifndef LW_SLURM_ENDED_H
#define LW_SLURM_ENDED_H

#include "slurm/compat/compat.h"

struct lw_reader;

/*
 * Note JOB, which has run and ended, for the predictor of the context, which must have one.
 * Needs LW_LOCKS_ALL. 0, or -ENOMEM with the reader's error.
 */
int lw_note_ended(const struct lw_reader *reader, const job_record_t *job);

#endif
