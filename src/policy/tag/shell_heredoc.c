/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: here-documents in a shell script: where they end, read or passed over. */
#include "policy/tag/shell_scan.h"

/* "<" that are looked at on the way to the end of a long text */
#define PASSED_HEREDOCS_MAX 256
/* Places where the mark of a here-document may stand, of which each is looked at. */
#define MARK_PLACES_MAX 8192

/* Whether the line that P stands in holds nothing before it, or nothing but tabs. */
LW_TAG_LONG static bool begins_line(const char *p, const char *text, bool tabs)
{
	while (tabs && p > text && p[-1] == '\t')
		p--;
	return p == text || p[-1] == '\n';
}

/*
 * Where MARK stands alone on a line from TEXT on, or END. It is looked for by its first
 * letter: most lines of a long document have none, and need not be told apart then.
 */
LW_TAG_LONG static const char *find_mark(const char *text, const char *end,
					 const struct lw_shell_word *mark, bool tabs)
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

LW_TAG_LONG static const char *next_line(const char *line, const char *end)
{
	const char *newline = find_before(line, end, '\n');

	return newline < end ? newline + 1 : end;
}

/* The body of a here-document begins after this line, or after an earlier body. */
LW_TAG_LONG static void find_heredoc(struct scanner *s, const struct lw_shell_word *mark,
				     bool tabs)
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
LW_TAG_LONG static bool read_mark(const char *p, const char *end, struct lw_shell_word *ret_mark,
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

LW_TAG_LONG void lw_shell_read_heredoc(struct scanner *s)
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

LW_TAG_LONG const char *lw_shell_past_heredoc(const char *p, const char *end)
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
LW_TAG_LONG static bool is_keyword(const char *word, size_t len)
{
	if (len == 1)
		return *word == '{' || *word == '}';
	if (len == 2)
		return !memcmp(word, "fi", 2) || !memcmp(word, "do", 2);
	return len == 4 &&
	       (!memcmp(word, "done", 4) || !memcmp(word, "else", 4) ||
		!memcmp(word, "esac", 4) || !memcmp(word, "then", 4) || !memcmp(word, "wait", 4));
}

/* What is known of the line that goes on in the next 64 bytes: a bit, or 0. */
struct line_so_far {
	uint64_t indent; /* it has nothing but tabs */
	uint64_t word;   /* it has tabs, and a word that may go on */
};

/*
 * Of the 64 bytes at TEXT, the newlines in front of which stand one word and tabs before it.
 * A sum carries a bit over all the tabs, or all the letters, that it stands at the begin of.
 * A control character ends a word here; no document's mark has one.
 */
LW_TAG_LONG static uint64_t ends_of_words(const char *text, struct line_so_far *line)
{
	uint64_t newline = lw_shell_where_is(text, '\n'), tab = lw_shell_where_is(text, '\t');
	uint64_t letters = ~lw_shell_stops(text) | lw_shell_where_is(text, '%');
	uint64_t begin = newline << 1 | line->indent, end;
	bool goes_on = __builtin_add_overflow(begin, tab, &begin);

	line->indent = goes_on | newline >> 63;
	begin = (begin & ~tab & letters) | line->word;
	goes_on = __builtin_add_overflow(begin & letters, letters, &end);
	end = (end & ~letters) | (begin & ~letters);
	line->word = goes_on;
	return end & newline;
}

/* Whether a line from TEXT, where one begins, is one word, as the end of a here-document is. */
LW_TAG_LONG static bool may_close_heredoc(const char *text, const char *end)
{
	struct line_so_far line = { .indent = 1 };
	char last[LW_SHELL_BLOCK];

	for (const char *block = text; block <= end; block += LW_SHELL_BLOCK) {
		size_t left = (size_t)(end - block);
		const char *from = block;
		uint64_t ends;

		if (left < sizeof(last)) {
			memset(last, '\n', sizeof(last));
			from = memcpy(last, block, left);
		}
		for (ends = ends_of_words(from, &line); ends; ends &= ends - 1) {
			const char *stop = block + __builtin_ctzll(ends), *word = stop;

			while (word > text && word[-1] != '\n' && word[-1] != '\t')
				word--;
			if (!is_keyword(word, (size_t)(stop - word)))
				return true;
		}
	}
	return false;
}

/*
 * What is passed over need not be looked at when no document that begins there can end
 * behind it: it is long, and in no cache.
 */
LW_TAG_LONG const char *lw_shell_pass_heredocs(const char *from, const char *to, const char *end)
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
