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

enum lw_shell_wish {
	LW_SHELL_SKIP, /* of no interest: FOUND is not called for this command */
	LW_SHELL_DROP, /* a word before the command, such as "then": ask again for the next */
	LW_SHELL_READ,
};

struct lw_shell_gap {
	const char *text;
	size_t len;
};

struct lw_shell_reader {
	/*
	 * What to do with a command that begins with WORD; END is the end of the text that WORD
	 * stands in, NULL for a word that had quotes. NULL: read every command.
	 */
	enum lw_shell_wish (*wants)(void *arg, const struct lw_shell_word *word, const char *end);
	/* COMMAND and its words are lent for the call. */
	void (*found)(void *arg, const struct lw_shell_command *command);
	void *arg;
	const char *directive; /* #SBATCH lines without this are comments; NULL: none is */
	/*
	 * How much of a longer text to read at its front, where comments and bodies of
	 * here-documents do not count, but each command and word that is read counts for
	 * more than its bytes; and bytes at its end. Zeros are no limit. What lies between is
	 * passed over, but for here-documents that begin there, and noted in GAP unless NULL.
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
 * Skim TEXT, that was passed over: READER, which needs wishes, gets the commands that stand
 * first on a line and are wanted, 16 at most. Here-documents are left out, but nothing
 * else is known of what the lines stand in. "front" and "back" do not count.
 */
void lw_shell_skim(const char *text, size_t size, const struct lw_shell_reader *reader);
/* From FROM to the first line at TO or later that is in no here-document begun before. */
const char *lw_shell_pass_heredocs(const char *from, const char *to, const char *end);

#endif
