/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make untrusted texts safe for a log or a terminal. */
#ifndef LW_BASE_PLAIN_H
#define LW_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A name in a file may hold anything: an escape that clears the reader's screen, or a line break
 * that forges a line of a log. Printable characters stay. Each byte of a control character
 * (below a blank, DEL, C1, separators of lines and paragraphs, marks that change the direction
 * of writing) and of invalid UTF-8 becomes '?'.
 */

/* Do so with TEXT, which is one line. */
void lw_plain_line(char *text);
/* Do so with the SIZE bytes of TEXT, but leave its line feeds and tabs. */
void lw_plain_lines(char *text, size_t size);

/* Is TEXT such a line already? */
bool lw_plain_is_line(const char *text);

#endif
