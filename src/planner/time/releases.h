/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what running jobs give back, and when, in order of time. */
#ifndef LW_PLANNER_RELEASES_H
#define LW_PLANNER_RELEASES_H

#include "planner/model/snapshot.h"

/* A job that will end, and what it gives back. */
struct lw_release {
	int64_t end_s;
	uint32_t job_id;
	uint32_t first_alloc;
	uint32_t alloc_count;
	uint32_t preempt_class; /* its preemption class; 0: none */
	int64_t yields_s;       /* from then on it can be preempted; 0: at once */
	uint32_t priority;      /* for classes in which priority decides which jobs may be
				 * preempted */
	bool planned;           /* its allocs are in the plan, not in the snapshot */
};

/*
 * Everything that will end, in order of (end_s, job_id, first_alloc). A search looks at the first
 * few of thousands, so the others are put in order only when a search comes to them.
 */
struct lw_releases {
	const struct lw_snapshot *snap;
	struct lw_release *items; /* the first ones, in order */
	struct lw_release *heap;  /* later ones */
	struct lw_release *added; /* since the last search */
	struct lw_res_sum *sums;  /* by item: what it and those before it give back together */
	uint32_t count, heap_count, added_count;
	uint32_t summed;   /* the first ones of sums, which a search makes */
	uint32_t next_run; /* running jobs of SNAP from this one on are later ones, too; they are
			    * in order */
	uint32_t room, heap_room, added_room, sum_room;
	const struct lw_constraints
		*seeker;     /* jobs that this one may preempt count as ended; or NULL */
	struct lw_res *over; /* by node: amount in use beyond the size of the node; NULL: none */
	struct lw_res *owed; /* scratch of the search: the part of over still to be given back */
};

void lw_releases_init(struct lw_releases *releases);
void lw_releases_fini(struct lw_releases *releases);
/*
 * Begin anew with the running jobs of SNAP that end by UNTIL_S; a job past its end ends in a
 * second. There is no seeker. SNAP must not change until the next beginning. -ENOMEM.
 */
int lw_releases_begin(struct lw_releases *releases, const struct lw_snapshot *snap,
		      enum lw_ends ends, int64_t until_s);
/* Running job RUN was preempted: it gives back nothing more. */
void lw_releases_drop(struct lw_releases *releases, uint32_t run);
/* What running job RUN holds is released BY_S later: another job takes it over. */
void lw_releases_prolong(struct lw_releases *releases, uint32_t run, int64_t by_s);
/* Add a start of this cycle. -ENOMEM. */
int lw_releases_add(struct lw_releases *releases, const struct lw_release *release);
/* Release NUMBER in order, until the next change; NULL: there are not so many. */
const struct lw_release *lw_releases_at(struct lw_releases *releases, uint32_t number);

#endif
