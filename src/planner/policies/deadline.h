/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: promises that are deadlines, with a slack that depends on the load. */
#ifndef LW_PLANNER_DEADLINE_H
#define LW_PLANNER_DEADLINE_H

#include "planner/cycle/cycle.h"

/* The waiting work by set of nodes. Memory that is used again; all zero is empty. */
struct lw_backlog {
	double *width; /* of its jobs, without jobs with a begin time in the future */
	uint32_t *words; /* scratch: lw_bitset_words() of a set */
	uint32_t room, word_room;
};

void lw_backlog_fini(struct lw_backlog *backlog);
/* Begin a cycle. -ENOMEM. */
int lw_backlog_begin(struct lw_backlog *backlog, const struct lw_cycle *cycle);
/* The width of all waiting jobs together. */
double lw_backlog_all(const struct lw_backlog *backlog, const struct lw_cycle *cycle);
/* A task of the record starts. */
void lw_backlog_started(struct lw_backlog *backlog, const struct lw_cycle *cycle, uint32_t index);

/*
 * Until when jobs that end by then may pass the record, promised PROMISE_S: the promise plus its
 * slack. The cap of the slack is lower if the queue is short: times min(1, width queued behind
 * it for its nodes / (backlog * width of its nodes)).
 */
int64_t lw_deadline_s(const struct lw_backlog *backlog, const struct lw_cycle *cycle,
		      uint32_t index, int64_t promise_s);

#endif
