/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of a reader of shell scripts; private to shell*.c. */
#ifndef LW_TAGGER_SHELL_SCAN_H
#define LW_TAGGER_SHELL_SCAN_H

#include "tagger/shell.h"

#include <string.h>

#define LW_SHELL_SCRATCH_SIZE 1024

/* What a character does. */
enum shell_char {
	SHELL_ORDINARY,
	SHELL_HASH, /* ordinary inside a word, else a comment */
	SHELL_DOLLAR,
	/* these end a word, */
	SHELL_BLANK,
	SHELL_NEWLINE,
	SHELL_SEPARATOR,
	SHELL_OPEN,
	SHELL_CLOSE,
	SHELL_REDIRECT,
	/* and with these it goes on, but not as it is written */
	SHELL_QUOTE,
	SHELL_BACKSLASH,
	SHELL_BACKQUOTE,
};

/* Of every character. */
extern const uint8_t lw_shell_chars[256];

struct shell_scan {
	const struct lw_shell_reader *reader;
	const char *text, *at, *end;
	const char *begun; /* where the command that is being read begins */
	ptrdiff_t limit;   /* no command begins so far behind TEXT */
	unsigned depth;    /* of substitutions */
	unsigned subshells, cases;
	unsigned missed;           /* here-documents without an end */
	bool in_pattern;           /* of case: up to the next ')' */
	bool drop_next;            /* the next word is the file of a redirection */
	const char *after_heredoc; /* where reading goes on after this line, or NULL */
	struct lw_shell_command command;
	size_t used;
	char scratch[LW_SHELL_SCRATCH_SIZE]; /* for words that are not kept as they are written */
};

/* Read the commands of TEXT, that stands in the text S reads: what a substitution runs. */
void lw_shell_scan_nested(const struct shell_scan *s, const char *text, size_t size);
/* Read the word that begins at S, and move on behind it. */
struct lw_shell_word lw_shell_read_word(struct shell_scan *s);
/* S stands at "<<": find what the command is fed, and move on behind the mark. */
void lw_shell_read_heredoc(struct shell_scan *s);
/* FROM stands behind an opening parenthesis: find its partner, over quotes. */
const char *lw_shell_find_close(const struct shell_scan *s, const char *from);

static inline enum shell_char shell_char(char c)
{
	return (enum shell_char)lw_shell_chars[(unsigned char)c];
}

/* The first WHAT from FROM on, or END. */
static inline const char *shell_find(const char *from, const char *end, char what)
{
	const char *hit = from < end ? memchr(from, what, (size_t)(end - from)) : NULL;

	return hit ? hit : end;
}

static inline const char *shell_past(const char *last, const char *end)
{
	return last < end ? last + 1 : end;
}

#endif
