/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Leeway's word in the comment that Slurm's daemon keeps of a job. */
#ifndef LW_SLURM_MARK_H
#define LW_SLURM_MARK_H

#include <stdint.h>

/*
 * "leeway:latest-start=2026-11-26T14:47:00", a word of its own beside what others write there,
 * such as burst buffers. Times are local, as scontrol prints them.
 */
#define LW_MARK_START "leeway:latest-start="
#define LW_MARK_MAX   64

/* Leeway's other word: base/why.h. Each begins with one of these. */

/* The word for LATEST_S. */
void lw_mark_word(int64_t latest_s, char word[LW_MARK_MAX]);

/*
 * COMMENT, which may be NULL, with WORD in place of Leeway's own, or without it if WORD is NULL.
 * Text of others stays byte for byte. 0: *ret_comment is malloc'ed, or NULL if nothing is left;
 * -EALREADY: COMMENT is that already; -ENOMEM.
 */
int lw_mark_put(const char *comment, const char *word, char **ret_comment);
/* The same for the word that begins with START. */
int lw_mark_put_word(const char *comment, const char *start, const char *word,
		     char **ret_comment);

#endif
