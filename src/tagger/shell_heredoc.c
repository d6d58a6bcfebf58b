/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: here-documents in a shell script. */
#include "tagger/shell_scan.h"

/* "<<" that opens no here-document, as in an arithmetic shift; each costs a search */
#define SHELL_MISSED_MAX 8

struct shell_mark {
	const char *text;
	size_t len;
	bool tabs; /* may stand before it, as behind "<<-" */
};

/* The mark that P, behind "<<", stands at; returns where it ends. */
static const char *shell_read_mark(const char *p, const char *end, struct shell_mark *ret_mark)
{
	ret_mark->tabs = p < end && *p == '-';
	p += ret_mark->tabs;
	while (p < end && *p && strchr(" \t'\"\\", *p))
		p++;
	for (ret_mark->text = p; p < end && shell_char(*p) < SHELL_BLANK;)
		p++;
	ret_mark->len = (size_t)(p - ret_mark->text);
	return p < end && shell_char(*p) == SHELL_QUOTE ? p + 1 : p;
}

/* Of the lines from LINE on, the first that holds MARK alone, or END. */
static const char *shell_find_mark(const char *line, const char *end,
				   const struct shell_mark *mark)
{
	const char *newline;

	for (; line < end; line = shell_past(newline, end)) {
		const char *p = line;

		newline = shell_find(line, end, '\n');
		while (mark->tabs && p < newline && *p == '\t')
			p++;
		if ((size_t)(newline - p) == mark->len && !memcmp(p, mark->text, mark->len))
			break;
	}
	return line;
}

static const char *shell_line_after(const char *p, const char *end)
{
	return shell_past(shell_find(p, end, '\n'), end);
}

/* The end of the here-document with the mark MARK and the text from BODY on, or NULL. */
static const char *shell_heredoc_end(const char *body, const char *end,
				     const struct shell_mark *mark, unsigned *missed)
{
	const char *close;

	if (!mark->len || *missed >= SHELL_MISSED_MAX)
		return NULL;
	close = shell_find_mark(body, end, mark);
	if (close < end)
		return close;
	++*missed;
	return NULL;
}

/* The body begins after this line, or after an earlier body. */
void lw_shell_read_heredoc(struct shell_scan *s)
{
	const char *body = s->after_heredoc ? s->after_heredoc : shell_line_after(s->at, s->end);
	const char *close;
	struct shell_mark mark;

	s->at = shell_read_mark(s->at + 2, s->end, &mark);
	close = shell_heredoc_end(body, s->end, &mark, &s->missed);
	if (!close)
		return;
	s->command.heredoc = body;
	s->command.heredoc_len = (size_t)(close - body);
	s->after_heredoc = shell_line_after(close, s->end);
}

const char *lw_shell_next_line(const char *line, const char *end, unsigned *missed)
{
	const char *next = shell_line_after(line, end), *close = NULL;
	const char *opens = shell_find(line, next, '<');
	struct shell_mark mark;

	while (opens < next && (opens + 1 == end || opens[1] != '<'))
		opens = shell_find(opens + 1, next, '<');
	if (opens < next) {
		shell_read_mark(opens + 2, end, &mark);
		close = shell_heredoc_end(next, end, &mark, missed);
	}
	return close ? shell_line_after(close, end) : next;
}
