/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a waiting job wait for room, or for something else? */
#ifndef LW_SLURM_READY_H
#define LW_SLURM_READY_H

#include "slurm/compat/compat.h"
#include "slurm/read/licences.h"

enum lw_standing {
	LW_WAITS_FOR_OTHER, /* other than room */
	LW_NEVER_ALLOWED,   /* its association or QOS allows less than it asks for */
	LW_OVER_LIMIT,      /* of its association or QOS; otherwise it waits for room */
	LW_WAITS_FOR_ROOM,
};

/*
 * May JOB start in PART as soon as there is room, by Slurm's limits? If not, its state reason is
 * set. As under stock, a job that can no longer meet its deadline is ended, and a job that may
 * not use its QOS any more loses it. Its record has the partition and the QOS; LICENCES are
 * those of the reading. Needs LW_LOCKS_ALL.
 */
enum lw_standing lw_standing_of(job_record_t *job, part_record_t *part,
				const struct lw_licences *licences);

/* Does PART exclude JOB's QOS? */
bool lw_part_shuts_out(const part_record_t *part, const job_record_t *job);

/*
 * May JOB, which waits for the end of another job, start in PART after that end? Current limits
 * do not count; nothing is written. Needs LW_LOCKS_ALL.
 */
bool lw_may_follow_in(job_record_t *job, part_record_t *part);

#endif
