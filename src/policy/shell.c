/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simple commands of a shell script, found without running it. */
#include "policy/shell.h"

#include <stdbool.h>
#include <string.h>

#define DEPTH_MAX    4
#define SCRATCH_SIZE 1024
/* "<<" that opens no here-document, as in an arithmetic shift; each costs a search */
#define MISSED_HEREDOCS_MAX 8

enum kind {
	ORDINARY,
	BLANK,
	NEWLINE,
	SEPARATOR,
	OPEN,
	CLOSE,
	REDIRECT,
	/* from here on a word goes on, but not as it stands */
	SINGLE_QUOTE,
	DOUBLE_QUOTE,
	BACKSLASH,
	DOLLAR,
	BACKQUOTE,
};

static const uint8_t kinds[256] = {
	[' '] = BLANK,        ['\t'] = BLANK,     ['\r'] = BLANK,
	['\n'] = NEWLINE,     [';'] = SEPARATOR,  ['|'] = SEPARATOR,
	['&'] = SEPARATOR,    ['('] = OPEN,       [')'] = CLOSE,
	['<'] = REDIRECT,     ['>'] = REDIRECT,   ['\''] = SINGLE_QUOTE,
	['"'] = DOUBLE_QUOTE, ['\\'] = BACKSLASH, ['$'] = DOLLAR,
	['`'] = BACKQUOTE,
};

struct scanner {
	const char *at;
	const char *end;
	const char *after_heredoc; /* where reading goes on after this line, or NULL */
	lw_shell_command_f found;
	void *arg;
	unsigned depth;
	unsigned subshells;
	unsigned missed_heredocs;
	bool drop_next; /* the next word is the file of a redirection */
	struct lw_shell_command command;
	size_t used;
	char scratch[SCRATCH_SIZE];
};

static void scan(const char *text, size_t size, unsigned depth, lw_shell_command_f found,
		 void *arg);

static enum kind kind_at(const struct scanner *s)
{
	return (enum kind)kinds[(unsigned char)*s->at];
}

/* ---- words ---- */

static void keep(struct scanner *s, const char *text, size_t len)
{
	if (len > SCRATCH_SIZE - s->used)
		len = SCRATCH_SIZE - s->used;
	memcpy(s->scratch + s->used, text, len);
	s->used += len;
}

static const char *find(const struct scanner *s, const char *from, char what)
{
	const char *hit =
		from < s->end ? memchr(from, what, (size_t)(s->end - from)) : NULL;

	return hit ? hit : s->end;
}

/* FROM stands behind an opening parenthesis: find its partner, over quotes. */
static const char *find_close(const struct scanner *s, const char *from)
{
	unsigned level = 1;

	for (; from < s->end; from++) {
		if (*from == '\'')
			from = find(s, from + 1, '\'');
		else if (*from == '\\')
			from++;
		else if (*from == '(')
			level++;
		else if (*from == ')' && --level == 0)
			break;
	}
	return from < s->end ? from : s->end;
}

static void skip_past(struct scanner *s, const char *last)
{
	s->at = last < s->end ? last + 1 : s->end;
}

static void read_single_quoted(struct scanner *s)
{
	const char *close = find(s, s->at + 1, '\'');

	keep(s, s->at + 1, (size_t)(close - s->at - 1));
	skip_past(s, close);
}

static void read_double_quoted(struct scanner *s)
{
	const char *p = s->at + 1;

	for (; p < s->end && *p != '"'; p++) {
		if (*p == '\\' && p + 1 < s->end)
			p++;
		keep(s, p, 1);
	}
	skip_past(s, p);
}

static void read_backslash(struct scanner *s)
{
	if (s->at + 1 < s->end && s->at[1] != '\n')
		keep(s, s->at + 1, 1);
	s->at = s->at + 2 < s->end ? s->at + 2 : s->end;
}

/* What is substituted is a command too; its output is not known, so keep nothing. */
static void read_backquoted(struct scanner *s)
{
	const char *close = find(s, s->at + 1, '`');

	scan(s->at + 1, (size_t)(close - s->at - 1), s->depth + 1, s->found, s->arg);
	skip_past(s, close);
}

static void read_dollar(struct scanner *s)
{
	const char *p = s->at + 1;
	const char *close;

	if (p < s->end && *p == '(') {
		close = find_close(s, p + 1);
		scan(p + 1, (size_t)(close - p - 1), s->depth + 1, s->found, s->arg);
		keep(s, "$", 1);
	} else if (p < s->end && *p == '{') {
		close = find(s, p, '}');
		keep(s, s->at, (size_t)(close - s->at));
	} else {
		keep(s, s->at, 1);
		close = s->at;
	}
	skip_past(s, close);
}

static void read_piece(struct scanner *s)
{
	switch (kind_at(s)) {
	case SINGLE_QUOTE:
		read_single_quoted(s);
		break;
	case DOUBLE_QUOTE:
		read_double_quoted(s);
		break;
	case BACKSLASH:
		read_backslash(s);
		break;
	case BACKQUOTE:
		read_backquoted(s);
		break;
	default:
		read_dollar(s);
		break;
	}
}

static const char *ordinary_end(const struct scanner *s)
{
	const char *p = s->at;

	while (p < s->end && kinds[(unsigned char)*p] == ORDINARY)
		p++;
	return p;
}

/* A word that needs no change stays where it is; any other is built in scratch. */
static struct lw_shell_word read_word(struct scanner *s)
{
	struct lw_shell_word word = { s->at, 0 };
	const char *stop = ordinary_end(s);
	size_t begin = s->used;

	word.len = (uint32_t)(stop - s->at);
	if (stop == s->end || kinds[(unsigned char)*stop] < SINGLE_QUOTE) {
		s->at = stop;
		return word;
	}
	while (s->at < s->end && (kind_at(s) == ORDINARY || kind_at(s) >= SINGLE_QUOTE)) {
		stop = ordinary_end(s);
		keep(s, s->at, (size_t)(stop - s->at));
		s->at = stop;
		if (s->at < s->end && kind_at(s) >= SINGLE_QUOTE)
			read_piece(s);
	}
	word.text = s->scratch + begin;
	word.len = (uint32_t)(s->used - begin);
	return word;
}

static bool all_digits(const struct lw_shell_word *word)
{
	for (uint32_t i = 0; i < word->len; i++)
		if (word->text[i] < '0' || word->text[i] > '9')
			return false;
	return word->len > 0;
}

/* ---- commands ---- */

static void forget(struct scanner *s)
{
	s->command.words = 0;
	s->command.heredoc = NULL;
	s->command.heredoc_len = 0;
	s->used = 0;
	s->drop_next = false;
}

static void finish(struct scanner *s)
{
	if (s->command.words)
		s->found(s->arg, &s->command);
	forget(s);
}

static void add_word(struct scanner *s)
{
	struct lw_shell_word word = read_word(s);

	/* the number in 2>file names a descriptor */
	if (s->at < s->end && kind_at(s) == REDIRECT && all_digits(&word))
		return;
	if (s->drop_next)
		s->drop_next = false;
	else if (s->command.words < LW_SHELL_WORDS_MAX)
		s->command.word[s->command.words++] = word;
}

static void read_comment(struct scanner *s)
{
	const char *newline = find(s, s->at, '\n');

	if (newline - s->at > 8 && !memcmp(s->at, "#SBATCH ", 8) && !s->command.words)
		add_word(s);
	else
		s->at = newline;
}

/* The body of a here-document begins after this line, or after an earlier body. */
static void find_heredoc(struct scanner *s, const struct lw_shell_word *mark, bool tabs)
{
	const char *line = s->after_heredoc ? s->after_heredoc : find(s, s->at, '\n');
	const char *body, *next;

	if (!s->after_heredoc && line < s->end)
		line++;
	for (body = line; line < s->end; line = next) {
		const char *stop = find(s, line, '\n');

		next = stop < s->end ? stop + 1 : s->end;
		while (tabs && line < stop && *line == '\t')
			line++;
		if ((size_t)(stop - line) == mark->len &&
		    !memcmp(line, mark->text, mark->len))
			break;
	}
	if (line == s->end) {
		s->missed_heredocs++;
		return;
	}
	s->command.heredoc = body;
	s->command.heredoc_len = (size_t)(line - body);
	s->after_heredoc = find(s, line, '\n');
	if (s->after_heredoc < s->end)
		s->after_heredoc++;
}

static void read_heredoc(struct scanner *s)
{
	struct lw_shell_word mark;
	bool tabs;

	s->at += 2;
	tabs = s->at < s->end && *s->at == '-';
	if (tabs)
		s->at++;
	while (s->at < s->end && kind_at(s) == BLANK)
		s->at++;
	mark = read_word(s);
	if (mark.len && s->missed_heredocs < MISSED_HEREDOCS_MAX)
		find_heredoc(s, &mark, tabs);
}

static void read_redirection(struct scanner *s)
{
	size_t left = (size_t)(s->end - s->at);

	if (left > 2 && !memcmp(s->at, "<<<", 3)) {
		s->at += 3;
		s->drop_next = true;
	} else if (left > 1 && !memcmp(s->at, "<<", 2)) {
		read_heredoc(s);
	} else if (left > 1 && s->at[1] == '(') {
		/* <( ) stands for a file name */
		s->at++;
	} else {
		while (s->at < s->end && strchr("<>&|", *s->at) && *s->at)
			s->at++;
		s->drop_next = true;
	}
}

static bool ends_in_equals(const struct scanner *s)
{
	const struct lw_shell_word *last = &s->command.word[s->command.words - 1];

	return last->len && last->text[last->len - 1] == '=';
}

static void read_open(struct scanner *s)
{
	s->at++;
	if (s->command.words && ends_in_equals(s)) {
		/* an array: data, not a command */
		skip_past(s, find_close(s, s->at));
		return;
	}
	if (s->command.words && s->at < s->end && *s->at == ')')
		forget(s); /* name() defines a function */
	else
		finish(s);
	s->subshells++;
}

static void read_close(struct scanner *s)
{
	s->at++;
	if (!s->subshells) {
		forget(s); /* a pattern of case */
		return;
	}
	s->subshells--;
	finish(s);
}

static void read_newline(struct scanner *s)
{
	s->at++;
	if (s->after_heredoc)
		s->at = s->after_heredoc;
	s->after_heredoc = NULL;
	finish(s);
}

static void step(struct scanner *s)
{
	switch (kind_at(s)) {
	case BLANK:
		s->at++;
		break;
	case NEWLINE:
		read_newline(s);
		break;
	case SEPARATOR:
		if (s->at[0] == '&' && s->at + 1 < s->end && s->at[1] == '>') {
			s->at++;
			break;
		}
		s->at++;
		finish(s);
		break;
	case OPEN:
		read_open(s);
		break;
	case CLOSE:
		read_close(s);
		break;
	case REDIRECT:
		read_redirection(s);
		break;
	default:
		if (*s->at == '#')
			read_comment(s);
		else if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] == '\n')
			s->at += 2;
		else
			add_word(s);
		break;
	}
}

static void scan(const char *text, size_t size, unsigned depth, lw_shell_command_f found,
		 void *arg)
{
	struct scanner s;

	if (depth >= DEPTH_MAX || !size)
		return;
	s.at = text;
	s.end = text + size;
	s.after_heredoc = NULL;
	s.found = found;
	s.arg = arg;
	s.depth = depth;
	s.subshells = 0;
	s.missed_heredocs = 0;
	forget(&s);
	while (s.at < s.end)
		step(&s);
	finish(&s);
}

void lw_shell_scan(const char *text, size_t size, lw_shell_command_f found, void *arg)
{
	scan(text, size, 0, found, arg);
}
