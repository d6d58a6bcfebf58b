/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: here-documents in a shell script, and what of a long one is not read in order. */
#include "tagger/shell_scan.h"

/* "<" that are looked at on the way to the end of a long text */
#define PASSED_HEREDOCS_MAX 256
/* Places where the mark of a here-document may stand, of which each is looked at. */
#define MARK_PLACES_MAX 8192
/* Lines that are skimmed, and commands that are read of them. */
#define SKIMMED_LINES_MAX    2048
#define SKIMMED_COMMANDS_MAX 16

/* Whether the line that P stands in holds nothing before it, or nothing but tabs. */
static bool begins_line(const char *p, const char *text, bool tabs)
{
	while (tabs && p > text && p[-1] == '\t')
		p--;
	return p == text || p[-1] == '\n';
}

/* Where MARK stands alone on a line from TEXT on, or END. It is looked for by its first letter. */
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

void lw_shell_read_heredoc(struct scanner *s)
{
	struct lw_shell_word mark;
	bool tabs;

	s->at += 2;
	tabs = s->at < s->end && *s->at == '-';
	s->at += tabs;
	while (s->at < s->end && kind_at(s) == BLANK)
		s->at++;
	if (s->at == s->end)
		return;
	mark = lw_shell_read_word(s);
	if (mark.len && s->missed_heredocs < LW_SHELL_MISSED_MAX)
		find_heredoc(s, &mark, tabs);
}

/* ---- without a reader ---- */

/* The word behind "<<". */
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
	return p > begin;
}

/* Behind the here-document that "<<" at P opens, or P. */
static const char *past_heredoc(const char *p, const char *end)
{
	struct lw_shell_word mark;
	const char *close;
	bool tabs;

	if (!read_mark(p + 2, end, &mark, &tabs))
		return p;
	close = find_mark(next_line(p, end), end, &mark, tabs);
	return close < end ? next_line(close, end) : p;
}

const char *lw_shell_pass_heredocs(const char *from, const char *to, const char *end)
{
	unsigned looked = 0, missed = 0;

	while (from < to && looked++ < PASSED_HEREDOCS_MAX && missed < LW_SHELL_MISSED_MAX) {
		const char *p = find_before(from, to, '<');

		from = p + 1;
		if (p == to || from >= end || *from != '<')
			continue;
		from = past_heredoc(p, end);
		if (from == p) {
			from = p + 2;
			missed++;
		}
	}
	return from > to ? next_line(from - 1, end) : next_line(to, end);
}

/* ---- lines that are only skimmed ---- */

/* Whether the line at P begins with a wanted word, behind such as "then". */
static bool begins_wanted(const struct scanner *s, const char *p)
{
	enum lw_shell_wish wish;

	do {
		struct lw_shell_word word;

		while (p < s->end && (*p == ' ' || *p == '\t'))
			p++;
		word = (struct lw_shell_word){ .text = p, .raw = p };
		while (p < s->end && kind_of(*p) == ORDINARY && *p != '=')
			p++;
		word.len = (uint32_t)(p - word.text);
		if (!word.len || p == s->end || *p == '(' || *p == '=')
			return false;
		wish = wish_for(s, &word);
	} while (wish == LW_SHELL_DROP);
	return wish == LW_SHELL_READ;
}

/* The line behind that at P, and behind what here-documents it has. */
static const char *next_line_of(struct scanner *s, const char *p)
{
	for (; p < s->end; p++) {
		const char *behind;

		if (*p == '\n')
			return p + 1;
		if (*p != '<' || p + 1 == s->end || p[1] != '<')
			continue;
		if (s->missed_heredocs < LW_SHELL_MISSED_MAX) {
			behind = past_heredoc(p, s->end);
			if (behind > p)
				return behind;
			s->missed_heredocs++;
		}
		p++;
	}
	return s->end;
}

void lw_shell_skim(const char *text, size_t size, const struct lw_shell_reader *reader)
{
	const char *end = text + size, *line = text;
	unsigned commands = SKIMMED_COMMANDS_MAX, lines = SKIMMED_LINES_MAX;
	struct scanner s;

	s.reader = reader;
	s.depth = s.missed_heredocs = 0;
	s.end = s.text_end = end;
	while (commands && lines-- && line < end) {
		if (!begins_wanted(&s, line)) {
			line = next_line_of(&s, line);
			continue;
		}
		commands--;
		lw_shell_start(&s, line, end, end, end);
		lw_shell_read_line(&s);
		line = s.at;
	}
}
