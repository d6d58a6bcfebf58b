/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simple commands of a shell script, found without running it. */
#ifndef LW_TAGGER_SHELL_H
#define LW_TAGGER_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Further words are dropped: what matters is at the front. */
#define LW_SHELL_WORDS_MAX 96

struct lw_shell_word {
	const char *text; /* not NUL-terminated */
	uint32_t len;
	uint32_t raw_len; /* of the word as written, with its quotes, */
	const char *raw;  /* which is here in the text that is read */
};

struct lw_shell_command {
	struct lw_shell_word word[LW_SHELL_WORDS_MAX];
	uint32_t words;
	const char *heredoc; /* the text a here-document feeds it, or NULL */
	size_t heredoc_len;
};

struct lw_shell_gap {
	const char *text;
	size_t len;
};

struct lw_shell_reader {
	/* COMMAND and its words are lent for the call. */
	void (*found)(void *arg, const struct lw_shell_command *command);
	/* Is a line of a text that is skimmed worth reading? */
	bool (*wants)(void *arg, const char *line, size_t len);
	void *arg;
	const char *directive; /* #SBATCH lines without this are comments; NULL: none is */
	/*
	 * How many bytes to read at the front of a text, where comments and here-documents do
	 * not count and a command counts for more than its bytes; and bytes at its end. Zeros
	 * are no limit. The bytes between are skipped, and noted in GAP unless NULL.
	 */
	size_t front, back;
	struct lw_shell_gap *gap;
};

/*
 * Call READER for the simple commands in TEXT, in order: without quotes, comments, redirections,
 * patterns of case and bodies of here-documents, but with the commands inside $( ) and
 * backquotes. A "#SBATCH" line counts as a command of that name. This reads Bourne-like syntax
 * well enough to distinguish a command from a mention. It is no shell: nothing is expanded, and
 * a word that needs expansion keeps its $.
 *
 * One pass, no allocation, at most four nested substitutions; a word longer than 1 KiB with
 * quotes inside is cut.
 */
void lw_shell_scan(const char *text, size_t size, const struct lw_shell_reader *reader);
/*
 * Skim TEXT, which was skipped: READER gets the commands on at most 12 lines that it wants.
 * Here-documents are left out; what else the lines are part of is not known.
 */
void lw_shell_skim(const char *text, size_t size, const struct lw_shell_reader *reader);
/*
 * The line after LINE and the here-document that it opens. *missed counts here-documents without
 * an end: after a few, none is searched.
 */
const char *lw_shell_next_line(const char *line, const char *end, unsigned *missed);

#endif
