/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the last plan chose for waiting jobs: types of GPUs, and numbers of nodes. */
#ifndef LW_SLURM_WISHES_H
#define LW_SLURM_WISHES_H

#include "planner/model/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_WISH_NAME_MAX 64

/* Types are bits, by their numbers in the snapshot of the plan. */
struct lw_wish {
	uint32_t job_id;
	uint32_t types;
	int64_t waits_s; /* until then it waits for one of these; 0: it may have others */
};

/* At most one for each job, in order of job ids. All zero: none. */
struct lw_wishes {
	char names[LW_GPU_TYPES_MAX][LW_WISH_NAME_MAX]; /* types with longer names are left
							 * out */
	uint32_t name_count;
	struct lw_wish *wishes;
	uint32_t count, room;
	/* for jobs that no plan has seen: types, the fastest first, if they differ */
	uint32_t order[LW_GPU_TYPES_MAX];
	uint32_t order_count;
};

void lw_wishes_fini(struct lw_wishes *wishes);
/* *RET becomes a copy. -ENOMEM leaves it as it was. */
int lw_wishes_copy(struct lw_wishes *ret, const struct lw_wishes *wishes);

/*
 * The types that JOB_ID must wait for at NOW_S, as bits of SNAP's types; 0: none. The type
 * numbers of SNAP may differ.
 */
uint32_t lw_wishes_waits(const struct lw_wishes *wishes, uint32_t job_id, int64_t now_s,
			 const struct lw_snapshot *snap);
/*
 * The types on which to try JOB_ID, one after the other, as lw_room.type_mask; the last is 0:
 * any.
 */
#define LW_WISH_TRIES_MAX (LW_GPU_TYPES_MAX + 1)
uint32_t lw_wishes_tries(const struct lw_wishes *wishes, uint32_t job_id,
			 const struct lw_snapshot *snap, uint32_t tries[LW_WISH_TRIES_MAX]);

/* A job with a chosen number of nodes (size.mode): from LEAST to MOST. */
struct lw_wish_size {
	uint32_t job_id;
	uint32_t least, most;
};

/* At most one for each job, in order of job ids. All zero: none. */
struct lw_wish_sizes {
	struct lw_wish_size *items;
	uint32_t count, room;
	int64_t until_s; /* from then on they hold no job */
};

void lw_wish_sizes_fini(struct lw_wish_sizes *sizes);
/* *RET becomes a copy. -ENOMEM leaves it as it was. */
int lw_wish_sizes_copy(struct lw_wish_sizes *ret, const struct lw_wish_sizes *sizes);
/*
 * JOB_ID asks at NOW_S for LEAST to MOST nodes, and for WANTED of them if it can be: of these
 * leave the chosen ones. All stay if none of them was chosen, since the request then is not the
 * one that the plan saw. False: they stayed.
 */
bool lw_wish_sizes_hold(const struct lw_wish_sizes *sizes, uint32_t job_id, int64_t now_s,
			uint32_t *least, uint32_t *wanted, uint32_t *most);

#endif
