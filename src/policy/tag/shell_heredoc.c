/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: here-documents in a shell script: where they end, read or passed over. */
#include "policy/tag/shell_scan.h"

/* "<" that are looked at on the way to the end of a long text */
#define PASSED_HEREDOCS_MAX 256
/* Places where the mark of a here-document may stand, of which each is looked at. */
#define MARK_PLACES_MAX 8192

/* Whether the line that P stands in holds nothing before it, or nothing but tabs. */
static bool begins_line(const char *p, const char *text, bool tabs)
{
	while (tabs && p > text && p[-1] == '\t')
		p--;
	return p == text || p[-1] == '\n';
}

/*
 * Where MARK stands alone on a line from TEXT on, or END. It is looked for by its first
 * letter: most lines of a long document have none, and need not be told apart then.
 */
static const char *find_mark(const char *text, const char *end, const struct lw_shell_word *mark,
			     bool tabs)
{
	const char *p = text;
	unsigned places = MARK_PLACES_MAX;

	while (places-- && (p = find_before(p, end, *mark->text)) < end) {
		if ((size_t)(end - p) >= mark->len && !memcmp(p, mark->text, mark->len) &&
		    (p + mark->len == end || p[mark->len] == '\n') && begins_line(p, text, tabs))
			return p;
		p++;
	}
	return end;
}

static const char *next_line(const char *line, const char *end)
{
	const char *newline = find_before(line, end, '\n');

	return newline < end ? newline + 1 : end;
}

/* The body of a here-document begins after this line, or after an earlier body. */
static void find_heredoc(struct scanner *s, const struct lw_shell_word *mark, bool tabs)
{
	const char *body = s->after_heredoc ? s->after_heredoc : next_line(s->at, s->text_end);
	const char *close = find_mark(body, s->text_end, mark, tabs);
	size_t skipped, left = (size_t)(s->text_end - s->end);

	if (close == s->text_end) {
		s->missed_heredocs++;
		return;
	}
	s->command.heredoc = body;
	s->command.heredoc_len = (size_t)(close - body);
	s->after_heredoc = next_line(close, s->text_end);
	skipped = (size_t)(s->after_heredoc - body);
	s->end += left < skipped ? left : skipped;
}

/* The word behind "<<", read without a scanner. */
static bool read_mark(const char *p, const char *end, struct lw_shell_word *ret_mark,
		      bool *ret_tabs)
{
	const char *begin;

	*ret_tabs = p < end && *p == '-';
	p += *ret_tabs;
	while (p < end && strchr(" \t'\"\\", *p) && *p)
		p++;
	for (begin = p; p < end && kind_of(*p) == ORDINARY;)
		p++;
	ret_mark->text = begin;
	ret_mark->len = (uint32_t)(p - begin);
	return p > begin && *begin != '<';
}

void lw_shell_read_heredoc(struct scanner *s)
{
	struct lw_shell_word mark;
	bool tabs;

	s->at += 2;
	tabs = s->at < s->end && *s->at == '-';
	if (tabs)
		s->at++;
	while (s->at < s->end && kind_at(s) == BLANK)
		s->at++;
	if (s->at == s->end)
		return;
	mark = lw_shell_read_word(s);
	if (mark.len && s->missed_heredocs < LW_SHELL_MISSED_MAX)
		find_heredoc(s, &mark, tabs);
}

const char *lw_shell_past_heredoc(const char *p, const char *end)
{
	struct lw_shell_word mark;
	const char *close;
	bool tabs;

	if (!read_mark(p + 2, end, &mark, &tabs))
		return p;
	close = find_mark(next_line(p, end), end, &mark, tabs);
	return close < end ? next_line(close, end) : p;
}

/* Words that stand alone on a line of many scripts, and name no document. */
static bool is_keyword(const char *word, size_t len)
{
	static const char *const words[] = { "fi",   "done", "}",  "{",   "else",
					     "esac", "then", "do", "wait" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == len && !memcmp(words[i], word, len))
			return true;
	return false;
}

/* Whether a line from TEXT on is one word, as the end of a here-document is. */
static bool may_close_heredoc(const char *text, const char *end)
{
	while (text < end) {
		const char *word = text, *stop;

		while (word < end && *word == '\t')
			word++;
		for (stop = word; stop < end && kind_of(*stop) == ORDINARY;)
			stop++;
		if (stop > word && (stop == end || *stop == '\n') &&
		    !is_keyword(word, (size_t)(stop - word)))
			return true;
		text = next_line(stop, end);
	}
	return false;
}

/*
 * What is passed over need not be looked at when no document that begins there can end
 * behind it: it is long, and in no cache.
 */
const char *lw_shell_pass_heredocs(const char *from, const char *to, const char *end)
{
	const char *line = to;
	unsigned looked = 0, missed = 0;

	while (line > from && line[-1] != '\n')
		line--;
	if (!may_close_heredoc(line, end))
		return next_line(to, end);
	while (from < to && looked++ < PASSED_HEREDOCS_MAX && missed < LW_SHELL_MISSED_MAX) {
		const char *p = find_before(from, to, '<');

		from = p + 1;
		if (p == to || from >= end || *from != '<')
			continue;
		from = lw_shell_past_heredoc(p, end);
		if (from == p) {
			from = p + 2;
			missed++;
		}
	}
	return from > to ? next_line(from - 1, end) : next_line(to, end);
}
