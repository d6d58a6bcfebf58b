/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find and compare bytes without the C library; private to this folder. */
/*
 * Each function of the C library that a submission calls is on a page of its own, behind a
 * jump through two tables more, and none of them is in the processor's caches then. These
 * few are with the rest of the code that is asked for at once (hot.h).
 */
#ifndef LW_POLICY_TAG_BYTES_H
#define LW_POLICY_TAG_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* The first C in FROM .. END, or END. */
const char *lw_tag_find(const char *from, const char *end, char c);
/* The last C in FROM .. END, or NULL. */
const char *lw_tag_find_last(const char *from, const char *end, char c);
/* Whether the LEN bytes at A and at B are the same. */
bool lw_tag_equal(const char *a, const char *b, size_t len);
/* Whether WORD stands in FROM .. END. */
bool lw_tag_contains(const char *from, const char *end, const char *word, size_t len);
/* Whether TEXT, up to its NUL, begins with PREFIX. */
bool lw_tag_begins(const char *text, const char *prefix);
/* How many bytes of TEXT, up to its NUL, come before the first of STOPS. */
size_t lw_tag_span(const char *text, const char *stops);

#endif
