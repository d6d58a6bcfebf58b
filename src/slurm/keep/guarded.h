/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where and when those start whose deadlines were accepted, kept across restarts. */
#ifndef LW_SLURM_GUARDED_H
#define LW_SLURM_GUARDED_H

#include "base/error.h"
#include "base/log.h"
#include "planner/model/kept.h"
#include "planner/model/snapshot.h"
#include "slurm/keep/planned.h"

#include <stdint.h>

/*
 * From one plan to the next this is in memory (keep/planned.h). What a restart would lose of it
 * is in a file of names and amounts, for nodes and types of GPUs may have other numbers then
 * (doc/dev/format-guarded.txt). It counts until the first plan after a restart, and likewise
 * after nodes were made or deleted.
 */
struct lw_guarded;

/*
 * Read PATH if there is one; a damaged file is reported and set aside, as promises are. 0 or
 * -ENOMEM. LOG is borrowed, and the time is of now.
 */
int lw_guarded_create(const char *path, int64_t now_s, const struct lw_log *log,
		      struct lw_guarded **ret_guarded);
/* Does not save. */
void lw_guarded_destroy(struct lw_guarded *guarded);

/* When that record of a job was to start, by a plan from before the restart; 0: not known. */
int64_t lw_guarded_start(const struct lw_guarded *guarded, uint32_t job_id, uint32_t variant);
/*
 * Where that was, in SNAP; the allocs are lent until the next call. -ENOENT: it is not known, or
 * a node or a type of GPU is not there any more; -ENOMEM.
 */
int lw_guarded_find(struct lw_guarded *guarded, const struct lw_snapshot *snap, uint32_t job_id,
		    uint32_t variant, const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/*
 * The nodes have changed: what the last plan kept has the numbers of then, so it is found by the
 * names that were written, as after a restart.
 */
void lw_guarded_renumber(struct lw_guarded *guarded);

/* From now on what PLANNED keeps by a plan of SNAP counts; write it if it is news. 0, or -errno.
 */
int lw_guarded_save(struct lw_guarded *guarded, const struct lw_planned *planned,
		    const struct lw_snapshot *snap, struct lw_error *err);

#endif
