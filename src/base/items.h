/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a word of items, "leeway:why=v:1,at:17", in a comment that others write too. */
#ifndef LW_BASE_ITEMS_H
#define LW_BASE_ITEMS_H

#include <stddef.h>

/* What may stand before and behind a word. */
#define LW_ITEMS_BLANKS " \t\r\n;"

/* The word in COMMENT (may be NULL) that begins with START; NULL: there is none. */
const char *lw_items_find(const char *comment, const char *start);
/*
 * Copy the items of that word, of version 1, to ITEMS. -ENOENT: there is no such word; -EINVAL:
 * it is damaged; -ENOTSUP: it is of another version.
 */
int lw_items_read(const char *comment, const char *start, char *items, size_t size);
/* Cut the next item off *REST: its key, and its value in *ret_value, NULL if it has none. */
char *lw_items_next(char **rest, char **ret_value);

#endif
