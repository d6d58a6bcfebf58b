/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: requests that found no room in this cycle, so that their twins need not look. */
#ifndef LW_POLICY_MEMO_H
#define LW_POLICY_MEMO_H

#include "policy/plan.h"

/*
 * Free resources only shrink in the course of a cycle and reservations only grow. So
 * when a request found no room, neither will an equal request on the same nodes with
 * the same or a longer limit. Queues are full of equal requests (sweeps, users with
 * one habit), and this is what makes planning the whole of a long queue cheap.
 */
struct lw_memo;

int lw_memo_create(struct lw_memo **ret_memo);
void lw_memo_destroy(struct lw_memo *memo);
/* Forget all: a new cycle. */
void lw_memo_clear(struct lw_memo *memo);
/* Remember that JOB found no room, why. -ENOMEM. */
int lw_memo_add(struct lw_memo *memo, const struct lw_waiting *job, enum lw_reason reason);
/* Is JOB known to find no room? Then *ret_reason says why. */
bool lw_memo_find(const struct lw_memo *memo, const struct lw_waiting *job,
		  enum lw_reason *ret_reason);

#endif
