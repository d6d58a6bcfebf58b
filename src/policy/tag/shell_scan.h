/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of a reader of shell scripts; private to shell*.c. */
#ifndef LW_POLICY_TAG_SHELL_SCAN_H
#define LW_POLICY_TAG_SHELL_SCAN_H

#include "policy/tag/bytes.h"
#include "policy/tag/hot.h"
#include "policy/tag/shell.h"
#include "policy/tag/shell_stops.h"

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

/*
 * What a command is, beside its bytes, in bytes that may be read, when nobody wants it. That
 * is more than its work: it tells nothing, and long scripts are full of such.
 */
#define LW_SHELL_SKIPPED_COST 96

/* What was said of first words in this text. */
#define LW_SHELL_WISHES 64

struct scanner {
	const char *at;
	const char *end; /* of what may be read as commands; moves on over other text */
	const char *text_end;
	const char *back;          /* from here on all is read */
	const char *begun;         /* where the command that is being read begins */
	const char *base, *limit;  /* all of the text, whatever part of it is read */
	const char *after_heredoc; /* where reading goes on after this line, or NULL */
	const struct lw_shell_reader *reader;
	struct lw_shell_wished *wished; /* LW_SHELL_WISHES, of all nested scanners */
	unsigned depth;
	unsigned subshells;
	unsigned cases;
	unsigned missed_heredocs;
	unsigned read_lines; /* word by word, one after the other */
	unsigned newlines;   /* that were read */
	unsigned skimmed;    /* lines in all */
	bool in_pattern;     /* of case: up to the next ')' */
	bool drop_next;      /* the next word is the file of a redirection */
	bool unwanted;       /* the command that is being read */
	struct lw_shell_command command;
	size_t used;
	char scratch[LW_SHELL_SCRATCH_SIZE];
};

/* What the reader, which has wishes, wants with a command that begins with WORD. */
enum lw_shell_wish lw_shell_wish_for(struct scanner *s, const struct lw_shell_word *word);
/* Whether the line TEXT of LEN bytes is a #SBATCH line to be read. */
bool lw_shell_wants_directive(const struct scanner *s, const char *text, size_t len);
/* S stands between commands: move on over whole lines that nobody wants, if there are any. */
void lw_shell_pass_lines(struct scanner *s);
/* Move S, which stands at a line, on to one that begins with a wanted word; false at the end. */
bool lw_shell_next_wanted(struct scanner *s);
/* Behind the here-document that "<<" at P opens, or P; END is where the text ends. */
const char *lw_shell_past_heredoc(const char *p, const char *end);
/* From FROM to the first line at TO or later that is in no here-document begun before. */
const char *lw_shell_pass_heredocs(const char *from, const char *to, const char *end);
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
/* Read the commands in TEXT, one level deeper than S. */
void lw_shell_scan_nested(const struct scanner *s, const char *text, size_t size);

static inline enum kind kind_of(char c)
{
	return (enum kind)lw_shell_kinds[(unsigned char)c];
}

static inline enum kind kind_at(const struct scanner *s)
{
	return kind_of(*s->at);
}

static inline const char *find_before(const char *from, const char *end, char what)
{
	return from < end ? lw_tag_find(from, end, what) : end;
}

static inline const char *find(const struct scanner *s, const char *from, char what)
{
	return find_before(from, s->end, what);
}

/*
 * The first byte from P on that may end a word, or the end. By 16 bytes, of which nothing is kept
 * for the next word: most words are shorter, and to keep the bits of 64 took more code than it
 * saved time in a script of common length.
 */
static inline const char *next_stop(const struct scanner *s, const char *p)
{
#ifdef __SSE2__
	for (; s->limit - p >= 16 && p < s->end; p += 16) {
		unsigned stops = (unsigned)lw_shell_stops_16(p);

		if (stops) {
			p += __builtin_ctz(stops);
			return p < s->end ? p : s->end;
		}
	}
#endif
	while (p < s->end && !lw_shell_may_stop((unsigned char)*p))
		p++;
	return p < s->end ? p : s->end;
}

/* The first byte from P on that is not ordinary, nor a '#'. */
static inline const char *word_end(const struct scanner *s, const char *p)
{
	while ((p = next_stop(s, p)) < s->end && kind_of(*p) <= HASH)
		p++;
	return p;
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
