/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the word on a job that waits says; keep/outlook.c alone includes this. */
#ifndef LW_SLURM_OUTLOOK_WORD_H
#define LW_SLURM_OUTLOOK_WORD_H

#include "planner/order/ahead.h"
#include "predictor/outlook.h"
#include "slurm/keep/outlook.h"

/* The first jobs of a plan that have reservations: which is one's head is looked for among these.
 */
#define LW_OUTLOOK_HEADS_MAX 256
struct lw_outlook_heads {
	uint32_t count, decisions[LW_OUTLOOK_HEADS_MAX];
};
void lw_outlook_word_heads(const struct lw_plan *plan, struct lw_outlook_heads *ret_heads);

/* What is known of the job of DECISION, which was promised a start by LATEST_S at the latest. */
struct lw_outlook_case lw_outlook_word_case(const struct lw_ahead *ahead,
					    const struct lw_outlook_cycle *cycle,
					    const struct lw_decision *decision, int64_t latest_s);
/* What the plan of CYCLE, with HEADS, says in DECISION, and what is before the job. */
void lw_outlook_word_make(const struct lw_ahead *ahead, const struct lw_outlook_heads *heads,
			  const struct lw_outlook_cycle *cycle,
			  const struct lw_decision *decision, struct lw_why *why);
/* Add what is likely, as far as it is known. */
void lw_outlook_word_likely(const struct lw_outlook *learned,
			    const struct lw_outlook_cycle *cycle,
			    const struct lw_outlook_sample *said, struct lw_why *why);
/* Of all that WHY says but its time. */
uint32_t lw_outlook_word_hash(const struct lw_why *why);

#endif
