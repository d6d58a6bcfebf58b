/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: values of configuration keys as text: what reading and printing share. */
#ifndef LW_CONFIG_KEYS_PRINT_H
#define LW_CONFIG_KEYS_PRINT_H

#include "base/strbuf.h"
#include "config/keys.h"

/* decimals of a double: enough for a share, and exact in both directions */
#define LW_KEY_DECIMALS 6

/* The length of the choice that starts at P in "a|b|c". */
size_t lw_choice_len(const char *p);
/* The next choice, or NULL. */
const char *lw_choice_next(const char *p);
/* Append "a, b, c". */
void lw_choices_print(const char *choices, struct lw_strbuf *out);

/* Append VALUE as the number, word or duration that KEY takes. */
void lw_key_print_number(const struct lw_key *key, double value, struct lw_strbuf *out);

#endif
