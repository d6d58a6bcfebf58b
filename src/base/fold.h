/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words broken into lines. */
#ifndef LW_BASE_FOLD_H
#define LW_BASE_FOLD_H

#include "base/strbuf.h"

/*
 * Append the words of TEXT, each after a blank unless it begins a line. A line ends before a
 * word that would make it longer than WIDTH bytes, and the next line begins with INDENT; a
 * longer word has a line of its own. OUT may end with the beginning of a line, which may be
 * INDENT. WIDTH 0: all in one line. Failure is in out->error.
 */
void lw_fold(const char *text, const char *indent, size_t width, struct lw_strbuf *out);

#endif
