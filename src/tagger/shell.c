/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simple commands of a shell script, found without running it. */
/*
 * A scan moves over the text, gathers the words of a command (shell_word.c) and hands it over
 * where it ends: at a newline, at one of ; | & and at a parenthesis. To be read first.
 */
#include "tagger/shell_scan.h"

#define SHELL_DEPTH_MAX 4
/*
 * What a command and a word of it cost beside their bytes, in bytes that may be read: finding out
 * what they say is most of the work.
 */
#define SHELL_COMMAND_COST 32
#define SHELL_WORD_COST    20
#define SHELL_NO_LIMIT     (PTRDIFF_MAX / 2)
/* Lines that are skimmed, and those of them that are read. */
#define SHELL_SKIMMED_MAX 2048
#define SHELL_WANTED_MAX  12

static bool shell_is(const struct lw_shell_word *word, const char *text)
{
	size_t len = strlen(text);

	return word->len == len && !memcmp(word->text, text, len);
}

static bool shell_all_digits(const struct lw_shell_word *word)
{
	for (uint32_t i = 0; i < word->len; i++)
		if (word->text[i] < '0' || word->text[i] > '9')
			return false;
	return word->len > 0;
}

static void shell_forget(struct shell_scan *s)
{
	s->command.words = 0;
	s->command.heredoc = NULL;
	s->command.heredoc_len = 0;
	s->used = 0;
	s->drop_next = false;
}

/* What is no command may be read for nothing, when there is a limit at all. */
static void shell_allow(struct shell_scan *s, ptrdiff_t bytes)
{
	if (s->reader->front)
		s->limit += bytes;
}

static void shell_finish(struct shell_scan *s)
{
	if (s->command.words) {
		s->reader->found(s->reader->arg, &s->command);
		shell_allow(
			s, -(SHELL_COMMAND_COST + SHELL_WORD_COST * (ptrdiff_t)s->command.words));
	}
	shell_forget(s);
}

/* ---- words ---- */

/* Words that another command follows: "then case X in". */
static bool shell_is_reserved(const struct lw_shell_word *word)
{
	static const char *const reserved[] = { "then",  "do",    "else", "elif", "if",
						"while", "until", "!",    "{",    "time" };

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (shell_is(word, reserved[i]))
			return true;
	return false;
}

/* "case X in": what follows is a pattern. */
static void shell_look_for_case(struct shell_scan *s)
{
	const struct lw_shell_word *word = s->command.word;
	uint32_t first = 0;

	while (first < s->command.words && shell_is_reserved(&word[first]))
		first++;
	if (first + 3 != s->command.words || !shell_is(&word[first], "case"))
		return;
	shell_finish(s);
	s->cases++;
	s->in_pattern = true;
}

static void shell_add_word(struct shell_scan *s)
{
	struct lw_shell_word word = lw_shell_read_word(s);

	/* the number in 2>file names a descriptor */
	if (s->at < s->end && shell_char(*s->at) == SHELL_REDIRECT && shell_all_digits(&word))
		return;
	if (s->drop_next) {
		s->drop_next = false;
		return;
	}
	if (!s->command.words) {
		s->begun = word.raw;
		if (s->cases && shell_is(&word, "esac"))
			s->cases--;
	}
	if (s->command.words < LW_SHELL_WORDS_MAX)
		s->command.word[s->command.words++] = word;
	if (shell_is(&word, "in"))
		shell_look_for_case(s);
}

/* ---- what is no word ---- */

static bool shell_is_directive(const struct shell_scan *s, const char *text, size_t len)
{
	const char *part = s->reader->directive;

	return len > 8 && !memcmp(text, "#SBATCH ", 8) &&
	       (!part || memmem(text, len, part, strlen(part)));
}

static void shell_read_comment(struct shell_scan *s)
{
	const char *newline = shell_find(s->at, s->end, '\n');

	if (!s->command.words && shell_is_directive(s, s->at, (size_t)(newline - s->at))) {
		shell_add_word(s);
		return;
	}
	shell_allow(s, newline - s->at);
	s->at = newline;
}

static void shell_read_redirection(struct shell_scan *s)
{
	size_t left = (size_t)(s->end - s->at);

	if (left > 2 && !memcmp(s->at, "<<<", 3)) {
		s->at += 3;
		s->drop_next = true;
	} else if (left > 1 && !memcmp(s->at, "<<", 2)) {
		lw_shell_read_heredoc(s);
	} else if (left > 1 && s->at[1] == '(') {
		s->at++; /* <( ) stands for a file name */
	} else {
		while (s->at < s->end && *s->at && strchr("<>&|", *s->at))
			s->at++;
		s->drop_next = true;
	}
}

static void shell_read_open(struct shell_scan *s)
{
	struct lw_shell_word *last = s->command.word + s->command.words - 1;

	s->at++;
	if (s->command.words && last->len && last->text[last->len - 1] == '=') {
		/* an array: data, not a command, which may come to be one */
		s->at = shell_past(lw_shell_find_close(s, s->at), s->end);
		last->raw_len = (uint32_t)(s->at - last->raw);
		return;
	}
	if (s->command.words && s->at < s->end && *s->at == ')')
		shell_forget(s); /* name() defines a function */
	else
		shell_finish(s);
	s->subshells++;
}

static void shell_read_close(struct shell_scan *s)
{
	s->at++;
	if (!s->subshells) {
		shell_forget(s); /* a pattern of case */
		return;
	}
	s->subshells--;
	shell_finish(s);
}

static void shell_read_newline(struct shell_scan *s)
{
	s->at++;
	if (s->after_heredoc) {
		shell_allow(s, s->after_heredoc - s->at);
		s->at = s->after_heredoc;
	}
	s->after_heredoc = NULL;
	shell_finish(s);
}

static void shell_read_separator(struct shell_scan *s)
{
	char c = *s->at++;

	if (c == '&' && s->at < s->end && *s->at == '>')
		return; /* a redirection */
	shell_finish(s);
	if (c == ';' && s->cases && s->at < s->end && *s->at == ';') {
		s->at++;
		s->in_pattern = true;
	}
}

/* "a|b)" of case; esac stands where a pattern may. */
static void shell_read_pattern(struct shell_scan *s)
{
	while (s->at < s->end && *s->at && strchr(" \t\r\n", *s->at))
		s->at++;
	if (s->end - s->at >= 4 && !memcmp(s->at, "esac", 4)) {
		s->cases--;
		s->at += 4;
	} else if (s->at < s->end && *s->at == '#') {
		s->at = shell_find(s->at, s->end, '\n');
		return;
	} else {
		s->at = shell_past(shell_find(s->at, s->end, ')'), s->end);
	}
	s->in_pattern = false;
}

/* ---- scans ---- */

static void shell_step(struct shell_scan *s)
{
	switch (shell_char(*s->at)) {
	case SHELL_BLANK:
		s->at++;
		break;
	case SHELL_NEWLINE:
		shell_read_newline(s);
		break;
	case SHELL_SEPARATOR:
		shell_read_separator(s);
		break;
	case SHELL_OPEN:
		shell_read_open(s);
		break;
	case SHELL_CLOSE:
		shell_read_close(s);
		break;
	case SHELL_REDIRECT:
		shell_read_redirection(s);
		break;
	case SHELL_HASH:
		shell_read_comment(s);
		break;
	default:
		if (s->at + 1 < s->end && s->at[0] == '\\' && s->at[1] == '\n')
			s->at += 2;
		else
			shell_add_word(s);
		break;
	}
}

/* Read TEXT in order until a command is done, or what is none, behind LIMIT bytes or more. */
static void shell_read(struct shell_scan *s, const char *text, const char *end, ptrdiff_t limit)
{
	s->text = s->at = s->begun = text;
	s->end = end;
	s->limit = limit;
	s->subshells = s->cases = s->missed = 0;
	s->in_pattern = false;
	s->after_heredoc = NULL;
	shell_forget(s);
	while (s->at < end && (s->command.words || s->at - text < s->limit)) {
		if (s->in_pattern)
			shell_read_pattern(s);
		else
			shell_step(s);
	}
	shell_finish(s);
}

void lw_shell_scan_nested(const struct shell_scan *s, const char *text, size_t size)
{
	struct shell_scan nested;

	if (s->depth == SHELL_DEPTH_MAX - 1)
		return;
	nested.reader = s->reader;
	nested.depth = s->depth + 1;
	shell_read(&nested, text, text + size, s->limit - (text - s->text));
}

void lw_shell_scan(const char *text, size_t size, const struct lw_shell_reader *reader)
{
	const bool whole = !reader->front || size <= reader->back;
	const ptrdiff_t front = (ptrdiff_t)reader->front;
	const char *end = text + size, *from, *to;
	struct shell_scan s;
	unsigned missed = 0;

	s.reader = reader;
	s.depth = 0;
	shell_read(&s, text, end, whole ? SHELL_NO_LIMIT : front);
	/* a command that takes all the rest of a long text is a quote that was misread */
	if (whole || (s.at == end && end - s.begun <= front))
		return;
	from = s.at == end ? s.begun : s.at;
	for (to = from; to < end - reader->back;)
		to = lw_shell_next_line(to, end, &missed);
	if (reader->gap)
		*reader->gap = (struct lw_shell_gap){ from, (size_t)(to - from) };
	shell_read(&s, to, end, SHELL_NO_LIMIT);
}

void lw_shell_skim(const char *text, size_t size, const struct lw_shell_reader *reader)
{
	const char *end = text + size, *line = text;
	unsigned wanted = 0, missed = 0;
	struct shell_scan s;

	s.reader = reader;
	s.depth = 0;
	for (unsigned lines = 0; lines < SHELL_SKIMMED_MAX && line < end; lines++) {
		const char *newline = shell_find(line, end, '\n');

		if (!reader->wants(reader->arg, line, (size_t)(newline - line))) {
			line = lw_shell_next_line(line, end, &missed);
			continue;
		}
		shell_read(&s, line, end, newline - line);
		line = s.at;
		if (++wanted == SHELL_WANTED_MAX)
			break;
	}
}
