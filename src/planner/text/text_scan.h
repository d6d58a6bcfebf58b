/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lines, words and numbers out of a text, for the snapshot reader. */
#ifndef LW_PLANNER_TEXT_SCAN_H
#define LW_PLANNER_TEXT_SCAN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times beyond it (31,688 years) are slips, and sums of a few must not overflow. */
#define LW_TEXT_TIME_MAX_S INT64_C(1000000000000)
/* Room for a decoded name and its NUL. */
#define LW_TEXT_NAME_MAX 1024

/* A piece of the text; borrowed, not NUL-terminated. */
struct lw_text_word {
	const char *at;
	size_t len;
};

struct lw_text_in {
	const char *name; /* of the file, for messages */
	const char *rest; /* what is not read yet */
	unsigned line;    /* number of the line read last, from 1 */
	struct lw_error *err;
};

/* The next line that is neither blank nor a comment; false at the end. */
bool lw_text_next_line(struct lw_text_in *in, struct lw_text_word *ret_line);
/* Take the first word off LINE; false when none is left. */
bool lw_text_next_word(struct lw_text_word *line, struct lw_text_word *ret_word);
/*
 * Split WORD at the first C: what is before goes to *ret_head, WORD keeps what is
 * after. Without a C all of WORD is the head, WORD is emptied and false returned.
 */
bool lw_text_cut(struct lw_text_word *word, char c, struct lw_text_word *ret_head);
bool lw_text_is(const struct lw_text_word *word, const char *text);
/* Take PREFIX off the front of WORD; false when it does not begin so. */
bool lw_text_skip(struct lw_text_word *word, const char *prefix);

/* All of WORD as a decimal number 0 .. MAX, or false. */
bool lw_text_number(const struct lw_text_word *word, uint64_t max, uint64_t *ret_value);
/* All of WORD as a time, -LW_TEXT_TIME_MAX_S .. LW_TEXT_TIME_MAX_S, or false. */
bool lw_text_time(const struct lw_text_word *word, int64_t *ret_time_s);
/* "A" or "A-B" with A <= B <= MAX; a lone A is also *ret_high. */
bool lw_text_range(const struct lw_text_word *word, uint32_t max, uint32_t *ret_low,
		   uint32_t *ret_high);

/* Set IN's error to "NAME:LINE: FIELD: WHAT 'WORD'" (WORD may be NULL); -EINVAL. */
int lw_text_fail(const struct lw_text_in *in, const char *field, const char *what,
		 const struct lw_text_word *word);

#endif
