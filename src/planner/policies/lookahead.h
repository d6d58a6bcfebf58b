/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for the shortest jobs, before longer jobs take it. */
#ifndef LW_PLANNER_LOOKAHEAD_H
#define LW_PLANNER_LOOKAHEAD_H

#include "planner/cycle/cycle.h"

/*
 * A policy that tries the shortest job first starts what fits. So it gives nodes that come free
 * one by one to narrow jobs, and a shorter but wider job never finds enough nodes at once.
 * Therefore the first jobs that do not fit are favoured. The expected ends of running jobs tell
 * when such a job, of expected run time f, will have room: in g. A longer job, of run time r,
 * that would still be in its way then makes it wait r - g more. If the longer job lets it pass,
 * the longer job waits g + f, and so do all k jobs of its class that could run in the room of
 * the favoured job. It starts unless
 *
 *	yield (r - g) > k (g + f),   k = min(favoured width / own, tasks of its class)
 *
 * This is the exchange of two jobs that justifies the order of shortest processing time (Smith,
 * "Various optimizers for single-stage production", 1956). A yield of 1 weighs all waits alike;
 * less allows for the capacity that is idle meanwhile. A favoured job gets no promise and
 * changes none. At most it costs time: favoured jobs are chosen anew in every cycle. What is in
 * the way is computed from sums over the nodes, not node by node.
 *
 * The first job of the queue is favoured in its own way, whatever its run time. Say it will have
 * room in g, at most its own run time f. A later job, of run time r, that would be in its way
 * waits if
 *
 *	r > max(LW_FIRST_LONGER f, LW_FIRST_SOON g)
 *
 * So a wide job is not passed by a longer one that came after it, where draining costs little.
 */

/* How many jobs are favoured beside the promises, and how many are looked at to find them. */
#define LW_FAVOURS_MAX       3
#define LW_FAVOURS_TRIED_MAX 8
/* of jobs that yield to the first one */
#define LW_FIRST_LONGER 1.5
#define LW_FIRST_SOON   8

/* A job that gets room before longer jobs take it. */
struct lw_lookahead {
	uint32_t waiting;
	double run_s;           /* its expected run time */
	int64_t start_s;        /* its expected start */
	struct lw_demand spare; /* what other jobs may hold at that time */
};

struct lw_lookaheads {
	struct lw_lookahead items[LW_FAVOURS_MAX];
	uint32_t count;
	struct lw_lookahead first;             /* of the queue, if has_first */
	bool has_first, first_is_known;        /* known: it has been looked for */
	uint32_t passed[LW_FAVOURS_TRIED_MAX]; /* jobs that did not fit */
	uint32_t passed_count, tried;          /* tried: how many of passed were looked at */
	int64_t until_s;                       /* no job yields to a job that has room later */
};

/*
 * Begin without favoured jobs. LONGEST_S is the longest expected run of the jobs that could
 * yield: no job yields for room that comes after yield / (1 + yield) of it.
 */
void lw_lookahead_begin(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			int64_t longest_s);

/*
 * The record does not fit: it may be favoured over later jobs, if its nodes could hold it when
 * idle.
 */
void lw_lookahead_note(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads, uint32_t index);

/*
 * Does the record yield to a favoured job? A promised job never does: jobs would pass it beyond
 * its deadline. Costs a search for a shadow time for each job noted since the last call.
 * -ENOMEM.
 */
int lw_lookahead_yields(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads, uint32_t index,
			bool *ret_yields);

/* The record started: favoured jobs lose its room. */
void lw_lookahead_started(const struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			  uint32_t index);

/*
 * After the plan: the first job of the queue, if later and longer jobs are not to start in its
 * way, and by when a job ends that is not longer. -ENOENT: there is none. -ENOMEM.
 */
int lw_lookahead_first(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
		       uint32_t *ret_index, int64_t *ret_end_s);

#endif
