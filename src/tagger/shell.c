/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the simple commands of a shell script, found without running it. */
#include "tagger/shell_scan.h"

#define DEPTH_MAX 4

/*
 * What a command is, beside its bytes, in bytes that may be read, when nobody wants it. That
 * is more than its work: it tells nothing, and long scripts are full of such.
 */
#define SKIPPED_COST 96
/* What reading a command that is wanted, and a word of it, costs beside its bytes, in bytes. */
#define COMMAND_COST 32
#define WORD_COST    12

static bool all_digits(const struct lw_shell_word *word)
{
	for (uint32_t i = 0; i < word->len; i++)
		if (word->text[i] < '0' || word->text[i] > '9')
			return false;
	return word->len > 0;
}

static bool is(const struct lw_shell_word *word, const char *text, uint32_t len)
{
	return word->len == len && !memcmp(word->text, text, len);
}

static void forget(struct scanner *s)
{
	s->command.words = 0;
	s->command.heredoc = NULL;
	s->command.heredoc_len = 0;
	s->used = 0;
	s->drop_next = false;
	s->unwanted = false;
}

/* Work that is done brings the end of what may be read nearer. */
static void pay(struct scanner *s)
{
	size_t cost = s->unwanted ? SKIPPED_COST
				  : COMMAND_COST + WORD_COST * (size_t)s->command.words;

	if (s->back < s->text_end)
		s->end -= cost < (size_t)(s->end - s->at) ? cost : (size_t)(s->end - s->at);
}

static void finish(struct scanner *s)
{
	if (s->command.words) {
		if (!s->unwanted)
			s->reader->found(s->reader->arg, &s->command);
		pay(s);
	}
	forget(s);
}

/* Whether WORD, the first of a command, is to be kept. */
static bool begin_command(struct scanner *s, const struct lw_shell_word *word)
{
	enum lw_shell_wish wish = LW_SHELL_READ;

	s->begun = word->raw;
	if (s->cases && is(word, "esac", 4))
		s->cases--;
	if (s->reader->wants)
		wish = wish_for(s, word);
	s->unwanted = wish == LW_SHELL_SKIP;
	return wish != LW_SHELL_DROP;
}

/* "case X in": what follows is a pattern. */
static void look_for_case(struct scanner *s)
{
	if (!is(&s->command.word[2], "in", 2) || !is(&s->command.word[0], "case", 4))
		return;
	finish(s);
	s->cases++;
	s->in_pattern = true;
}

/* What stands at P in a command that nobody wants: behind it, or NULL where it ends a word. */
static const char *pass_piece(struct scanner *s, const char *p)
{
	switch (kind_of(*p)) {
	case SINGLE_QUOTE:
		return past(s, find(s, p + 1, '\''));
	case BACKSLASH:
		return p + 2 < s->end ? p + 2 : s->end;
	case BACKQUOTE:
		s->at = p;
		lw_shell_read_backquoted(s);
		return s->at;
	case DOLLAR:
		if (!opens_substitution(s, p))
			return p + 1;
		s->at = p;
		lw_shell_read_substitution(s);
		return s->at;
	default:
		return NULL;
	}
}

/* In a command that nobody wants only what changes the meaning of later text counts. */
static void pass_words(struct scanner *s)
{
	const char *p = s->at, *piece = NULL, *next; /* PIECE: what stands behind quotes */

	while (p < s->end) {
		enum kind kind = kind_of(*p);

		if (kind == BLANK || kind == ORDINARY ||
		    (kind == HASH && (p == piece || kind_of(p[-1]) < BLANK))) {
			p++;
			continue;
		}
		if (kind == NEWLINE)
			break;
		next = kind == DOUBLE_QUOTE ? past(s, lw_shell_find_quote(s, p + 1))
					    : pass_piece(s, p);
		if (!next)
			break;
		/* a word does not go on behind a newline that is taken out */
		p = piece = next;
		if (p[-1] == '\n')
			piece = NULL;
	}
	s->at = p;
	s->used = 0;
}

static void skip_blanks(struct scanner *s)
{
	while (s->at < s->end && kind_at(s) == BLANK)
		s->at++;
}

static void add_word(struct scanner *s)
{
	struct lw_shell_word word = lw_shell_read_word(s);

	/* the number in 2>file names a descriptor */
	if (s->at < s->end && kind_at(s) == REDIRECT && all_digits(&word))
		return;
	if (s->drop_next) {
		s->drop_next = false;
		return;
	}
	if (!s->command.words && !begin_command(s, &word)) {
		s->used = 0;
		return;
	}
	if (s->command.words < LW_SHELL_WORDS_MAX)
		s->command.word[s->command.words++] = word;
	if (s->command.words == 3)
		look_for_case(s);
	skip_blanks(s);
	if (s->unwanted)
		pass_words(s);
}

static bool wants_directive(const struct scanner *s, const char *text, size_t len)
{
	const char *part = s->reader->directive;

	return len > 8 && !memcmp(text, "#SBATCH ", 8) &&
	       (!part || memmem(text, len, part, strlen(part)));
}

/* A comment takes nothing from what may be read. */
static void read_comment(struct scanner *s)
{
	const char *newline = find_before(s->at, s->text_end, '\n');
	size_t len = (size_t)(newline - s->at), left;

	if (!s->command.words && wants_directive(s, s->at, len)) {
		add_word(s);
		return;
	}
	left = (size_t)(s->text_end - s->end);
	s->end += left < len ? left : len;
	s->at = newline < s->end ? newline : s->end;
}

static void read_redirection(struct scanner *s)
{
	size_t left = (size_t)(s->end - s->at);

	if (left > 2 && !memcmp(s->at, "<<<", 3)) {
		s->at += 3;
		s->drop_next = !s->unwanted;
	} else if (left > 1 && !memcmp(s->at, "<<", 2)) {
		lw_shell_read_heredoc(s);
	} else if (left > 1 && s->at[1] == '(') {
		/* <( ) stands for a file name */
		s->at++;
	} else {
		while (s->at < s->end && strchr("<>&|", *s->at) && *s->at)
			s->at++;
		s->drop_next = !s->unwanted;
	}
}

static struct lw_shell_word *last_word(struct scanner *s)
{
	return &s->command.word[s->command.words - 1];
}

static bool ends_in_equals(struct scanner *s)
{
	const struct lw_shell_word *last = last_word(s);

	return last->len && last->text[last->len - 1] == '=';
}

static void read_open(struct scanner *s)
{
	s->at++;
	if (s->command.words && ends_in_equals(s)) {
		/* an array: data, not a command, which may come to be one */
		s->at = past(s, lw_shell_find_close(s, s->at));
		last_word(s)->raw_len = (uint32_t)(s->at - last_word(s)->raw);
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
	s->newlines++;
	if (s->after_heredoc)
		s->at = s->after_heredoc < s->end ? s->after_heredoc : s->end;
	s->after_heredoc = NULL;
	finish(s);
	skip_blanks(s);
}

static void read_separator(struct scanner *s)
{
	char c = *s->at++;

	if (c == '&' && s->at < s->end && *s->at == '>')
		return; /* a redirection */
	finish(s);
	if (c == ';' && s->cases && s->at < s->end && *s->at == ';') {
		s->at++;
		s->in_pattern = true;
	}
}

/* "a|b)" of case; esac stands where a pattern may. */
static void read_pattern(struct scanner *s)
{
	while (s->at < s->end && (kind_at(s) == BLANK || kind_at(s) == NEWLINE))
		s->at++;
	if (s->end - s->at >= 4 && !memcmp(s->at, "esac", 4)) {
		s->cases--;
		s->at += 4;
	} else if (s->at < s->end && *s->at == '#') {
		s->at = find(s, s->at, '\n');
		return;
	} else {
		s->at = past(s, find(s, s->at, ')'));
	}
	s->in_pattern = false;
}

static void read_other(struct scanner *s)
{
	if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] == '\n')
		s->at += 2;
	else if (s->unwanted)
		pass_words(s);
	else
		add_word(s);
}

static void step(struct scanner *s)
{
	switch (kind_at(s)) {
	case BLANK:
		while (++s->at < s->end && kind_at(s) == BLANK)
			;
		break;
	case NEWLINE:
		read_newline(s);
		break;
	case SEPARATOR:
		read_separator(s);
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
	case HASH:
		read_comment(s);
		break;
	default:
		read_other(s);
		break;
	}
}

void lw_shell_read_line(struct scanner *s)
{
	while (s->at < s->end && !s->newlines)
		step(s);
	finish(s);
}

void lw_shell_start(struct scanner *s, const char *text, const char *end, const char *back,
		    const char *text_end)
{
	s->at = s->begun = text;
	s->end = end;
	s->back = back;
	s->text_end = text_end;
	s->after_heredoc = NULL;
	s->subshells = 0;
	s->cases = 0;
	s->newlines = 0;
	s->in_pattern = false;
	forget(s);
}

/* A command that is cut short is left as it is. */
static void read_all(struct scanner *s)
{
	while (s->at < s->end) {
		if (s->in_pattern)
			read_pattern(s);
		else
			step(s);
	}
	if (s->end == s->text_end)
		finish(s);
}

/* Pass over what lies before BACK; where reading goes on, not in the middle of a command. */
static const char *pass_middle(struct scanner *s, const char *back)
{
	const char *begun = s->command.words ? s->begun : s->at, *from;

	if (s->at >= back)
		return begun;
	from = lw_shell_pass_heredocs(s->at, back, s->text_end);
	if (s->reader->gap)
		*s->reader->gap = (struct lw_shell_gap){ begun, (size_t)(from - begun) };
	return from;
}

static void scan(const char *text, size_t size, unsigned depth,
		 const struct lw_shell_reader *reader)
{
	const char *end = text + size, *front = end, *back = end;
	struct scanner s;

	if (depth >= DEPTH_MAX || !size)
		return;
	s.reader = reader;
	s.depth = depth;
	s.missed_heredocs = 0;
	if (!depth && reader->front && size > reader->back) {
		back = end - reader->back;
		front = size > reader->front ? text + reader->front : end;
	}
	lw_shell_start(&s, text, front, back, end);
	read_all(&s);
	if (s.at >= end)
		return;
	s.missed_heredocs = 0;
	lw_shell_start(&s, pass_middle(&s, back), end, end, end);
	read_all(&s);
}

void lw_shell_scan_nested(const struct scanner *s, const char *text, size_t size)
{
	scan(text, size, s->depth + 1, s->reader);
}

void lw_shell_scan(const char *text, size_t size, const struct lw_shell_reader *reader)
{
	scan(text, size, 0, reader);
}
