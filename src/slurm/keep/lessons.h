/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which kinds of jobs are not asked to stop again. */
#ifndef LW_SLURM_LESSONS_H
#define LW_SLURM_LESSONS_H

#include "base/stop.h"

/* For a user's new one the user's oldest one goes, beyond a share (base/quota.h). */
#define LW_LESSONS_MAX LW_STOP_FILE_LINES

/* Empty if zeroed. */
struct lw_lessons {
	struct lw_stop_kind *kinds; /* by user, and then by kind */
	uint32_t count, room;
};

/* NULL: nothing is known of it. */
struct lw_stop_kind *lw_lessons_find(const struct lw_lessons *lessons, uint32_t user,
				     uint64_t kind);
/* The kinds of USER. */
uint32_t lw_lessons_count_of(const struct lw_lessons *lessons, uint32_t user);
/* KIND, with the beginning of NAME, which may be NULL. Out of memory nothing is learned. */
void lw_lessons_learn(struct lw_lessons *lessons, const struct lw_stop_kind *kind,
		      const char *name);
/* KIND as a file has it. -EBADMSG: it is known, or one too many; -ENOMEM. */
int lw_lessons_add(struct lw_lessons *lessons, const struct lw_stop_kind *kind);
/* Forget what was learned a week ago; true: there was any. */
bool lw_lessons_expire(struct lw_lessons *lessons, int64_t now_s);
void lw_lessons_fini(struct lw_lessons *lessons);

#endif
