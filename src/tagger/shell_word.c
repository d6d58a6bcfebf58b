/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the words of a shell script: quotes, substitutions, and what stays as it is. */
#include "tagger/shell_scan.h"

const uint8_t lw_shell_chars[256] = {
	[' '] = SHELL_BLANK,     ['\t'] = SHELL_BLANK,     ['\r'] = SHELL_BLANK,
	['\n'] = SHELL_NEWLINE,  [';'] = SHELL_SEPARATOR,  ['|'] = SHELL_SEPARATOR,
	['&'] = SHELL_SEPARATOR, ['('] = SHELL_OPEN,       [')'] = SHELL_CLOSE,
	['<'] = SHELL_REDIRECT,  ['>'] = SHELL_REDIRECT,   ['\''] = SHELL_QUOTE,
	['"'] = SHELL_QUOTE,     ['\\'] = SHELL_BACKSLASH, ['$'] = SHELL_DOLLAR,
	['`'] = SHELL_BACKQUOTE, ['#'] = SHELL_HASH,
};

static bool shell_opens_substitution(const struct shell_scan *s, const char *dollar)
{
	return dollar + 1 < s->end && dollar[1] == '(';
}

static bool shell_ends_word(const struct shell_scan *s, const char *p)
{
	return p >= s->end || (shell_char(*p) >= SHELL_BLANK && shell_char(*p) < SHELL_QUOTE);
}

static void shell_keep(struct shell_scan *s, const char *text, size_t len)
{
	if (len > LW_SHELL_SCRATCH_SIZE - s->used)
		len = LW_SHELL_SCRATCH_SIZE - s->used;
	memcpy(s->scratch + s->used, text, len);
	s->used += len;
}

const char *lw_shell_find_close(const struct shell_scan *s, const char *from)
{
	unsigned level = 1;

	for (; from < s->end; from++) {
		if (*from == '\'')
			from = shell_find(from + 1, s->end, '\'');
		else if (*from == '\\')
			from++;
		else if (*from == '(')
			level++;
		else if (*from == ')' && --level == 0)
			break;
	}
	return from < s->end ? from : s->end;
}

static void shell_read_single_quoted(struct shell_scan *s)
{
	const char *close = shell_find(s->at + 1, s->end, '\'');

	shell_keep(s, s->at + 1, (size_t)(close - s->at - 1));
	s->at = shell_past(close, s->end);
}

static void shell_read_backslash(struct shell_scan *s)
{
	if (s->at + 1 < s->end && s->at[1] != '\n')
		shell_keep(s, s->at + 1, 1);
	s->at = s->at + 2 < s->end ? s->at + 2 : s->end;
}

static void shell_read_double_quoted(struct shell_scan *s)
{
	const char *stop;

	for (s->at++; s->at < s->end && *s->at != '"';) {
		for (stop = s->at; stop < s->end && *stop != '"' && *stop != '\\';)
			stop++;
		shell_keep(s, s->at, (size_t)(stop - s->at));
		s->at = stop;
		if (stop < s->end && *stop == '\\')
			shell_read_backslash(s);
	}
	s->at = shell_past(s->at, s->end);
}

/* What is substituted is a command too; its output is not known, so keep nothing. */
static void shell_read_backquoted(struct shell_scan *s)
{
	const char *close = shell_find(s->at + 1, s->end, '`');

	lw_shell_scan_nested(s, s->at + 1, (size_t)(close - s->at - 1));
	s->at = shell_past(close, s->end);
}

static void shell_read_substitution(struct shell_scan *s)
{
	const char *begin = s->at + 2, *close = lw_shell_find_close(s, begin);

	lw_shell_scan_nested(s, begin, (size_t)(close - begin));
	shell_keep(s, "$", 1);
	s->at = shell_past(close, s->end);
}

/* From P on, the end of what may stand in a word as it is; ${ } is such a thing. */
static const char *shell_plain_end(const struct shell_scan *s, const char *p)
{
	for (;;) {
		while (p < s->end && shell_char(*p) <= SHELL_HASH)
			p++;
		if (p == s->end || *p != '$' || shell_opens_substitution(s, p))
			return p;
		if (p + 1 < s->end && p[1] == '{')
			p = shell_find(p, s->end, '}');
		p = shell_past(p, s->end);
	}
}

static void shell_read_pieces(struct shell_scan *s)
{
	while (!shell_ends_word(s, s->at)) {
		const char *stop = shell_plain_end(s, s->at);

		shell_keep(s, s->at, (size_t)(stop - s->at));
		s->at = stop;
		if (shell_ends_word(s, stop))
			break;
		if (*stop == '\'')
			shell_read_single_quoted(s);
		else if (*stop == '"')
			shell_read_double_quoted(s);
		else if (*stop == '\\')
			shell_read_backslash(s);
		else if (*stop == '`')
			shell_read_backquoted(s);
		else
			shell_read_substitution(s);
	}
}

/* A word all in one pair of quotes, and with nothing to be taken out, stays where it is. */
static bool shell_read_quoted_whole(struct shell_scan *s, struct lw_shell_word *word)
{
	char quote = *s->at;
	const char *begin = s->at + 1, *close;

	if (quote != '\'' && quote != '"')
		return false;
	close = shell_find(begin, s->end, quote);
	if (!shell_ends_word(s, shell_past(close, s->end)) ||
	    (quote == '"' && shell_find(begin, close, '\\') < close))
		return false;
	word->text = begin;
	word->len = (uint32_t)(close - begin);
	s->at = shell_past(close, s->end);
	return true;
}

/* A word that needs no change stays where it is; any other is built in scratch. */
struct lw_shell_word lw_shell_read_word(struct shell_scan *s)
{
	const char *stop = shell_plain_end(s, s->at);
	struct lw_shell_word word = { s->at, (uint32_t)(stop - s->at), 0, s->at };
	size_t begin = s->used;

	if (shell_ends_word(s, stop)) {
		s->at = stop;
	} else if (word.len || !shell_read_quoted_whole(s, &word)) {
		shell_read_pieces(s);
		word.text = s->scratch + begin;
		word.len = (uint32_t)(s->used - begin);
	}
	word.raw_len = (uint32_t)(s->at - word.raw);
	return word;
}
