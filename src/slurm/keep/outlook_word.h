/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the content of a word on a waiting job; keep/outlook.c alone includes it. */
#ifndef LW_SLURM_OUTLOOK_WORD_H
#define LW_SLURM_OUTLOOK_WORD_H

#include "planner/order/ahead.h"
#include "predictor/outlook.h"
#include "slurm/keep/outlook.h"

/* The first reserved jobs of a plan: a job's head is searched among these. */
#define LW_OUTLOOK_HEADS_MAX 256
struct lw_outlook_heads {
	uint32_t count, decisions[LW_OUTLOOK_HEADS_MAX];
};
void lw_outlook_word_heads(const struct lw_plan *plan, struct lw_outlook_heads *ret_heads);

/* What is known of the job of DECISION, which has a promise to start by LATEST_S. */
struct lw_outlook_case lw_outlook_word_case(const struct lw_ahead *ahead,
					    const struct lw_outlook_cycle *cycle,
					    const struct lw_decision *decision, int64_t latest_s);
/* What a statement on the job of DECISION is made of. */
struct lw_statement_case lw_outlook_word_about(const struct lw_outlook_cycle *cycle,
					       const struct lw_decision *decision);
/* Begin the word on the job of ABOUT: with what is shown of it, or else with what is planned. */
void lw_outlook_word_begin(const struct lw_outlook_cycle *cycle,
			   const struct lw_statement_case *about, struct lw_statement *why);
/* Add to WHY the work ahead of the job of DECISION, and the first of HEADS that it would delay.
 */
void lw_outlook_word_add(const struct lw_ahead *ahead, const struct lw_outlook_heads *heads,
			 const struct lw_outlook_cycle *cycle, const struct lw_decision *decision,
			 struct lw_statement *why);
/* Add the likely starts, if known. */
void lw_outlook_word_likely(const struct lw_outlook *learned,
			    const struct lw_outlook_cycle *cycle,
			    const struct lw_outlook_sample *said, struct lw_statement *why);
/*
 * A hash of what squeue shows of WHY without its word, or what is worse than that, and of what a
 * user may do at once.
 */
uint32_t lw_outlook_word_shown(const struct lw_statement *why);
/* A hash of WHY without its time. */
uint32_t lw_outlook_word_hash(const struct lw_statement *why);

#endif
