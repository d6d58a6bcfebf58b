/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words in a drawing: how wide they are, about, and where a line of them ends. */
#ifndef LW_CLI_CHART_LETTERS_H
#define LW_CLI_CHART_LETTERS_H

#include <stddef.h>

/* Of a letter, of the size of the font: of most fonts without serifs no text is wider. */
#define LW_LETTERS_PLAIN 0.6
#define LW_LETTERS_BOLD  0.66

/* How wide TEXT is in letters of WIDTH. */
double lw_letters_width(const char *text, double width);
/* How many bytes of TEXT stand on a line ROOM wide: whole words, but for one that is too long. */
size_t lw_letters_line(const char *text, double width, double room);
/* What follows a line of LEN bytes, without the blanks between. */
const char *lw_letters_rest(const char *text, size_t len);
/* How many lines that makes; at least 1. */
unsigned lw_letters_lines(const char *text, double width, double room);
/* Copy as much as SIZE bytes hold, "…" behind it if there is more. */
void lw_letters_cut(const char *text, size_t size, char *buf);
/* The same, for as many letters as ROOM holds. */
void lw_letters_fit(const char *text, double width, double room, size_t size, char *buf);

#endif
