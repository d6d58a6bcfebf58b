/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one word of Leeway's in a text that others write too. */
#ifndef LW_BASE_WORDS_H
#define LW_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Write TEXT (NULL is "") into BUF with WORD in place of the first space-separated word that
 * begins with PREFIX, or appended after a space if there is none. All other bytes of TEXT stay.
 * 0, or -ENOSPC with BUF empty if SIZE is too small.
 */
int lw_words_put(const char *text, const char *prefix, const char *word, char *buf, size_t size);

/*
 * The first space-separated word of TEXT (may be NULL) that begins with PREFIX, with its length
 * in *ret_len; NULL if there is none.
 */
const char *lw_words_find(const char *text, const char *prefix, size_t *ret_len);

/* What is between the words of a list that people write. */
#define LW_WORDS_SEPARATORS " \t,;"
/* Is WORD one of the words of TEXT (may be NULL), separated by blanks, commas or semicolons? */
bool lw_words_has(const char *text, const char *word);

#endif
