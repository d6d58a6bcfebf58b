/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simple commands of a shell script, found without running it. */
#ifndef LW_TAGGER_SHELL_H
#define LW_TAGGER_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words beyond this are dropped: what matters stands at the front. */
#define LW_SHELL_WORDS_MAX 96

struct lw_shell_word {
	const char *text; /* not NUL-terminated */
	uint32_t len;
	uint32_t raw_len; /* of the word as it is written, quotes and all, */
	const char *raw;  /* which stands here in the text that is read */
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
	/* Whether a line of a text that is skimmed is worth reading. */
	bool (*wants)(void *arg, const char *line, size_t len);
	void *arg;
	const char *directive; /* #SBATCH lines without this are comments; NULL: none is */
	/*
	 * How much to read at the front of a text, where comments and here-documents do not count
	 * and a command counts for more than its bytes; and bytes at its end. Zeros are no limit.
	 * What lies between is passed over, and noted in GAP unless NULL.
	 */
	size_t front, back;
	struct lw_shell_gap *gap;
};

/*
 * Call READER for the simple commands in TEXT, in order: quotes removed, comments,
 * redirections, patterns of case and the bodies of here-documents left out, commands
 * inside $( ) and backquotes included. A "#SBATCH" line counts as a command of that name.
 * This is a reader of Bourne-like syntax good enough to tell a command from a mention, not
 * a shell: nothing is expanded, and a word that needs expanding keeps its $.
 *
 * One pass, no allocation, no recursion beyond four nested substitutions; a word
 * longer than 1 KiB that has quotes inside is cut.
 */
void lw_shell_scan(const char *text, size_t size, const struct lw_shell_reader *reader);
/*
 * Skim TEXT, that was passed over: READER gets the commands on lines that it wants, of 12 lines
 * at most. Here-documents are left out, but nothing else is known of what the lines stand in.
 */
void lw_shell_skim(const char *text, size_t size, const struct lw_shell_reader *reader);
/*
 * The line behind LINE, and behind the here-document that it opens. *missed counts those that
 * have no end: beyond a few none is looked for.
 */
const char *lw_shell_next_line(const char *line, const char *end, unsigned *missed);

#endif
