/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simple commands of a shell script, found without running it. */
#ifndef LW_POLICY_SHELL_H
#define LW_POLICY_SHELL_H

#include <stddef.h>
#include <stdint.h>

/* Words beyond this are dropped: what matters stands at the front. */
#define LW_SHELL_WORDS_MAX 96

struct lw_shell_word {
	const char *text; /* not NUL-terminated */
	uint32_t len;
};

struct lw_shell_command {
	struct lw_shell_word word[LW_SHELL_WORDS_MAX];
	uint32_t words;
	const char *heredoc; /* the text a here-document feeds it, or NULL */
	size_t heredoc_len;
};

/* COMMAND and its words are lent for the call. */
typedef void (*lw_shell_command_f)(void *arg, const struct lw_shell_command *command);

/*
 * Call FOUND for every simple command in TEXT, in order: quotes removed, comments,
 * redirections and the bodies of here-documents left out, commands inside $( ) and
 * backquotes included. A "#SBATCH" line counts as a command of that name. This is a
 * reader of Bourne-like syntax good enough to tell a command from a mention, not a
 * shell: nothing is expanded, and a word that needs expanding keeps its $.
 *
 * One pass, no allocation, no recursion beyond four nested substitutions; a word
 * longer than 1 KiB that has quotes in it is cut.
 */
void lw_shell_scan(const char *text, size_t size, lw_shell_command_f found, void *arg);

#endif
