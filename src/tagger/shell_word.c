/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the words of a shell script: quotes, substitutions, and what stays as it is. */
#include "tagger/shell_scan.h"

const uint8_t lw_shell_kinds[256] = {
	[' '] = BLANK,        ['\t'] = BLANK,     ['\r'] = BLANK,    ['\n'] = NEWLINE,
	[';'] = SEPARATOR,    ['|'] = SEPARATOR,  ['&'] = SEPARATOR, ['('] = OPEN,
	[')'] = CLOSE,        ['<'] = REDIRECT,   ['>'] = REDIRECT,  ['\''] = SINGLE_QUOTE,
	['"'] = DOUBLE_QUOTE, ['\\'] = BACKSLASH, ['$'] = DOLLAR,    ['`'] = BACKQUOTE,
	['#'] = HASH,
};

static void keep(struct scanner *s, const char *text, size_t len)
{
	if (len > LW_SHELL_SCRATCH_SIZE - s->used)
		len = LW_SHELL_SCRATCH_SIZE - s->used;
	memcpy(s->scratch + s->used, text, len);
	s->used += len;
}

/* FROM stands behind an opening parenthesis: find its partner, over quotes. */
const char *lw_shell_find_close(const struct scanner *s, const char *from)
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

/* FROM stands behind a double quote: find the other. */
const char *lw_shell_find_quote(const struct scanner *s, const char *from)
{
	const char *close = find(s, from, '"'), *slash;

	while ((slash = find_before(from, close, '\\')) < close) {
		from = slash + 2;
		if (from > close)
			close = find(s, from, '"');
	}
	return close;
}

static void read_single_quoted(struct scanner *s)
{
	const char *close = find(s, s->at + 1, '\'');

	keep(s, s->at + 1, (size_t)(close - s->at - 1));
	s->at = past(s, close);
}

static void read_double_quoted(struct scanner *s)
{
	const char *p = s->at + 1, *close = lw_shell_find_quote(s, p);

	while (p < close) {
		const char *slash = find_before(p, close, '\\');

		keep(s, p, (size_t)(slash - p));
		p = slash;
		if (p < close && p + 1 < s->end && p[1] != '\n')
			keep(s, p + 1, 1);
		p += 2;
	}
	s->at = past(s, close);
}

static void read_backslash(struct scanner *s)
{
	if (s->at + 1 < s->end && s->at[1] != '\n')
		keep(s, s->at + 1, 1);
	s->at = s->at + 2 < s->end ? s->at + 2 : s->end;
}

/* What is substituted is a command too; its output is not known, so keep nothing. */
void lw_shell_read_backquoted(struct scanner *s)
{
	const char *close = find(s, s->at + 1, '`');

	lw_shell_scan_nested(s, s->at + 1, (size_t)(close - s->at - 1));
	s->at = past(s, close);
}

void lw_shell_read_substitution(struct scanner *s)
{
	const char *begin = s->at + 2, *close = lw_shell_find_close(s, begin);

	lw_shell_scan_nested(s, begin, (size_t)(close - begin));
	keep(s, "$", 1);
	s->at = past(s, close);
}

/* From P on, the end of what may stand in a word as it is; ${ } is such a thing. */
static const char *plain_end(struct scanner *s, const char *p)
{
	for (;;) {
		while (p < s->end && kind_of(*p) <= HASH)
			p++;
		if (p == s->end || kind_of(*p) != DOLLAR || opens_substitution(s, p))
			return p;
		if (p + 1 < s->end && p[1] == '{')
			p = find(s, p, '}');
		if (p < s->end)
			p++;
	}
}

static bool word_goes_on(const struct scanner *s)
{
	return s->at < s->end && (kind_at(s) < BLANK || kind_at(s) >= SINGLE_QUOTE);
}

static void read_pieces(struct scanner *s)
{
	while (word_goes_on(s)) {
		const char *stop = plain_end(s, s->at);

		keep(s, s->at, (size_t)(stop - s->at));
		s->at = stop;
		if (!word_goes_on(s))
			break;
		if (kind_at(s) == SINGLE_QUOTE)
			read_single_quoted(s);
		else if (kind_at(s) == DOUBLE_QUOTE)
			read_double_quoted(s);
		else if (kind_at(s) == BACKSLASH)
			read_backslash(s);
		else if (kind_at(s) == BACKQUOTE)
			lw_shell_read_backquoted(s);
		else
			lw_shell_read_substitution(s);
	}
}

static bool ends_word(const struct scanner *s, const char *p)
{
	return p >= s->end || (kind_of(*p) >= BLANK && kind_of(*p) < SINGLE_QUOTE);
}

/* A word all in one pair of quotes, and with nothing to be taken out, stays where it is. */
static bool read_quoted_whole(struct scanner *s, struct lw_shell_word *word)
{
	char quote = *s->at;
	const char *begin = s->at + 1;
	const char *close;

	if (quote != '\'' && quote != '"')
		return false;
	close = find(s, begin, quote);
	if (!ends_word(s, past(s, close)) ||
	    (quote == '"' && find_before(begin, close, '\\') < close))
		return false;
	word->text = begin;
	word->len = (uint32_t)(close - begin);
	s->at = past(s, close);
	return true;
}

/* A word that needs no change stays where it is; any other is built in scratch. */
struct lw_shell_word lw_shell_read_word(struct scanner *s)
{
	const char *stop = plain_end(s, s->at);
	struct lw_shell_word word = { s->at, (uint32_t)(stop - s->at), 0, s->at };
	size_t begin = s->used;

	if (ends_word(s, stop)) {
		s->at = stop;
	} else if (word.len || !read_quoted_whole(s, &word)) {
		read_pieces(s);
		word.text = s->scratch + begin;
		word.len = (uint32_t)(s->used - begin);
	}
	word.raw_len = (uint32_t)(s->at - word.raw);
	return word;
}
