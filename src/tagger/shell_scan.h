/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of a reader of shell scripts; private to shell*.c. */
#ifndef LW_TAGGER_SHELL_SCAN_H
#define LW_TAGGER_SHELL_SCAN_H

#include "tagger/shell.h"

#include <string.h>

#define LW_SHELL_SCRATCH_SIZE 1024
/* "<<" that opens no here-document, as in an arithmetic shift; each costs a search */
#define LW_SHELL_MISSED_MAX 8

enum kind {
	ORDINARY,
	HASH, /* ordinary inside a word, else a comment */
	DOLLAR,
	/* up to here a word may go on as it stands, from SINGLE_QUOTE on not as it stands */
	BLANK,
	NEWLINE,
	SEPARATOR,
	OPEN,
	CLOSE,
	REDIRECT,
	SINGLE_QUOTE,
	DOUBLE_QUOTE,
	BACKSLASH,
	BACKQUOTE,
};

/* The kind of every character. */
extern const uint8_t lw_shell_kinds[256];

struct scanner {
	const char *at;
	const char *end; /* of what may be read as commands; moves on over other text */
	const char *text_end;
	const char *back;          /* from here on all is read */
	const char *begun;         /* where the command that is being read begins */
	const char *after_heredoc; /* where reading goes on after this line, or NULL */
	const struct lw_shell_reader *reader;
	unsigned depth;
	unsigned subshells;
	unsigned cases;
	unsigned missed_heredocs;
	unsigned newlines; /* that were read */
	bool in_pattern;   /* of case: up to the next ')' */
	bool drop_next;    /* the next word is the file of a redirection */
	bool unwanted;     /* the command that is being read */
	struct lw_shell_command command;
	size_t used;
	char scratch[LW_SHELL_SCRATCH_SIZE];
};

/* Set S up to read TEXT up to END; what goes before BACK may be passed over. */
void lw_shell_start(struct scanner *s, const char *text, const char *end, const char *back,
		    const char *text_end);
/* Read on to the end of the line. */
void lw_shell_read_line(struct scanner *s);
/* Read the commands in TEXT, one level deeper than S. */
void lw_shell_scan_nested(const struct scanner *s, const char *text, size_t size);
/* S stands at "<<": find the body, which the command is fed, and move on behind the mark. */
void lw_shell_read_heredoc(struct scanner *s);
/* Read the word that begins at S, and move on behind it. */
struct lw_shell_word lw_shell_read_word(struct scanner *s);
/* Read the commands in the backquotes, or in the $( ), at S, and move on behind them. */
void lw_shell_read_backquoted(struct scanner *s);
void lw_shell_read_substitution(struct scanner *s);
/* Find what closes the quotes, or the parentheses, that FROM stands behind. */
const char *lw_shell_find_quote(const struct scanner *s, const char *from);
const char *lw_shell_find_close(const struct scanner *s, const char *from);

static inline enum kind kind_of(char c)
{
	return (enum kind)lw_shell_kinds[(unsigned char)c];
}

static inline enum kind kind_at(const struct scanner *s)
{
	return kind_of(*s->at);
}

/* What the reader, which has wishes, wants with a command that begins with WORD. */
static inline enum lw_shell_wish wish_for(const struct scanner *s, const struct lw_shell_word *word)
{
	return s->reader->wants(s->reader->arg, word,
				word->text == word->raw ? s->text_end : NULL);
}

static inline const char *find_before(const char *from, const char *end, char what)
{
	const char *hit = from < end ? memchr(from, what, (size_t)(end - from)) : NULL;

	return hit ? hit : end;
}

static inline const char *find(const struct scanner *s, const char *from, char what)
{
	return find_before(from, s->end, what);
}

static inline const char *past(const struct scanner *s, const char *last)
{
	return last < s->end ? last + 1 : s->end;
}

static inline bool opens_substitution(const struct scanner *s, const char *dollar)
{
	return dollar + 1 < s->end && dollar[1] == '(';
}

#endif
