/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: texts of others as they may go to a log or a terminal. */
#ifndef LW_BASE_PLAIN_H
#define LW_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A name in a file may hold whatever its writer liked: an escape that clears the screen of who
 * looks at it, a line break that begins a line of a log which nobody wrote. A character that prints
 * stays; each byte of a control character (below a blank, DEL, C1, the separators of lines and
 * paragraphs, those that turn the direction of writing) and of what is no UTF-8 becomes '?'.
 */

/* So of TEXT, which is one line. */
void lw_plain_line(char *text);
/* So of the SIZE bytes of TEXT, whose own line feeds and tabs stay. */
void lw_plain_lines(char *text, size_t size);

/* Is TEXT such a line as it is? */
bool lw_plain_is_line(const char *text);

#endif
