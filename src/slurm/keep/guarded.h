/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: planned starts and nodes of jobs with accepted deadlines, kept across restarts. */
#ifndef LW_SLURM_GUARDED_H
#define LW_SLURM_GUARDED_H

#include "base/error.h"
#include "base/log.h"
#include "planner/model/kept.h"
#include "planner/model/snapshot.h"
#include "slurm/keep/planned.h"

#include <stdint.h>

/*
 * Between plans these are in memory (keep/planned.h). For a restart they are in a file, by names
 * and amounts, because nodes and GPU types may then have other numbers
 * (doc/dev/format-guarded.txt). The file is used until the first plan after a restart, and after
 * nodes were made or deleted.
 */
struct lw_guarded;

/*
 * Read PATH if there is one; a damaged file is reported and set aside, like that of promises. 0
 * or -ENOMEM. LOG is borrowed; NOW_S is the time.
 */
int lw_guarded_create(const char *path, int64_t now_s, const struct lw_log *log,
		      struct lw_guarded **ret_guarded);
/* Does not save. */
void lw_guarded_destroy(struct lw_guarded *guarded);

/* The start of that record by a plan from before the restart; 0: not known. */
int64_t lw_guarded_start(const struct lw_guarded *guarded, uint32_t job_id, uint32_t variant);
/*
 * Its nodes in SNAP; the allocs are lent until the next call. -ENOENT: not known, or a node or
 * GPU type is gone; -ENOMEM.
 */
int lw_guarded_find(struct lw_guarded *guarded, const struct lw_snapshot *snap, uint32_t job_id,
		    uint32_t variant, const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/*
 * The nodes have changed: the last plan has old numbers, so look it up by the written names, as
 * after a restart.
 */
void lw_guarded_renumber(struct lw_guarded *guarded);

/* Use what PLANNED keeps by a plan of SNAP from now on; write it if it is new. 0, or -errno. */
int lw_guarded_save(struct lw_guarded *guarded, const struct lw_planned *planned,
		    const struct lw_snapshot *snap, struct lw_error *err);

#endif
