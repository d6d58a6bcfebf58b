/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a waiting job wait for room, or for something else? */
#ifndef LW_SLURM_READY_H
#define LW_SLURM_READY_H

#include "slurm/compat/compat.h"
#include "slurm/read/licences.h"

enum lw_standing {
	LW_WAITS_FOR_OTHER, /* than room */
	LW_OVER_LIMIT,	    /* of its association or QOS; but for that it waits for room */
	LW_WAITS_FOR_ROOM,
};

/*
 * May JOB start in PART as soon as there is room, as far as Slurm's limits go? If not its state
 * reason is set; who can no longer meet its deadline is ended, and who may not use its QOS any
 * more is without one, as under stock. Its record says the partition and the QOS; LICENCES are
 * those of the reading. Needs LW_LOCKS_ALL.
 */
enum lw_standing lw_standing_of(job_record_t *job, part_record_t *part,
				const struct lw_licences *licences);

/* Does PART take no job of JOB's QOS? */
bool lw_part_shuts_out(const part_record_t *part, const job_record_t *job);

/*
 * Might JOB, which waits for the end of another, start in PART once that has ended? The limits of
 * the moment do not count; nothing is written. Needs LW_LOCKS_ALL.
 */
bool lw_may_follow_in(job_record_t *job, part_record_t *part);

#endif
