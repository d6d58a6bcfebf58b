/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lines of a shell script that nobody wants, told and passed over as a whole. */
/*
 * The reader that goes from word to word guesses wrong a dozen times a command, and most of
 * the commands of a long script are nothing to its caller. Here a line is looked at as
 * bits. What it cannot be sure of it leaves to the reader of words, which would find the
 * same: tests compare them.
 */
#include "policy/tag/shell_masks.h"
#include "policy/tag/shell_scan.h"

/* As deep as parentheses are followed: less than the reader of words does. */
#define DEPTH_MAX 3
/* What is read at once of a line, and of a word behind it. */
#define ROOM (LW_SHELL_BLOCK + 32)
/* Lines that are skimmed. */
#define LINES_MAX 2048
/* After so many lines in a row that had to be read, only each of so many is tried. */
#define ENOUGH 4
#define RARELY 4

/* One line, up to its newline. */
struct line {
	const char *text;
	struct lw_shell_masks m;
	uint64_t all;       /* its bits */
	uint64_t shown;     /* those that no quotes hide */
	uint64_t separator; /* those that end a command */
	uint64_t inside;    /* $( ) */
	uint64_t function;  /* the second parenthesis of "name()" */
	unsigned len;
};

static unsigned first_of(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static uint64_t below(unsigned bit)
{
	return (UINT64_C(1) << bit) - 1;
}

/* Each bit is whether an odd number of bits stands up to it. */
static uint64_t odd_up_to(uint64_t bits)
{
	bits ^= bits << 1;
	bits ^= bits << 2;
	bits ^= bits << 4;
	bits ^= bits << 8;
	bits ^= bits << 16;
	return bits ^ bits << 32;
}

/* From FROM on, the first that is no blank. */
static uint64_t past_blanks(const struct line *line, uint64_t from)
{
	return (from + line->m.blank) & ~line->m.blank;
}

/* Quotes of one kind may stand in those of the other; false when it is not so simple. */
static bool hide_quoted(struct line *line)
{
	uint64_t single = line->m.single_quote & line->all;
	uint64_t both = line->m.double_quote & line->all;
	uint64_t hidden = odd_up_to(both);

	if (single & ~hidden) {
		hidden = odd_up_to(single);
		if (both & ~hidden)
			return false;
	}
	line->shown = line->all & ~hidden;
	return !(hidden >> line->len & 1);
}

/* ">&" and ">|" are one redirection; "&>", ">(" and what is longer are left alone. */
static bool tell_redirections(struct line *line)
{
	uint64_t greater = line->m.greater & line->shown;
	uint64_t joined = line->m.joint & greater << 1;

	line->separator = (line->m.semicolon | line->m.joint) & line->shown & ~joined;
	return !(line->separator & (greater >> 1 | joined << 1)) &&
	       !(line->m.open & (greater | joined) << 1);
}

/*
 * Substitutions that end on the line, "$((" among them, and "name()". Other parentheses may
 * be patterns, arrays or subshells.
 */
LW_TAG_HOT static bool follow_parentheses(struct line *line)
{
	uint64_t open = line->m.open & line->shown, close = line->m.close & line->shown;
	uint64_t substitution = open & line->m.dollar << 1, plain[DEPTH_MAX + 1], begin = 0;
	unsigned depth = 0;

	if (!(open | close))
		return true;
	if (((line->m.open | line->m.close) & line->all & ~line->shown) ||
	    (line->m.single_quote & line->all && line->m.double_quote & line->all))
		return false;
	if (!substitution && close == open << 1 && !(open & (open - 1))) {
		line->function = close;
		return true;
	}
	for (uint64_t left = open | close; left; left &= left - 1) {
		uint64_t bit = left & -left;

		if (bit & open) {
			if (depth == DEPTH_MAX)
				return false;
			plain[depth] = bit & ~substitution;
			if (plain[depth] && (!depth || !(substitution & bit >> 1)))
				return false;
			begin = depth++ ? begin : bit;
		} else {
			if (!depth || (plain[--depth] && !(close & bit << 1)))
				return false;
			if (!depth)
				line->inside |= bit - begin;
		}
	}
	return !depth;
}

/* Each '#' that begins a comment; inside a word, as in "$#", it is as any letter. */
static uint64_t comments_of(const struct line *line)
{
	const struct lw_shell_masks *m = &line->m;
	uint64_t ends = m->blank | m->semicolon | m->joint | m->open | m->close | m->less |
			m->greater;

	return m->hash & (ends << 1 | 1) & line->shown;
}

/* Find where the line ends and what in it counts; false when it needs to be read. */
LW_TAG_HOT static bool look_at(struct line *line)
{
	if (!line->m.newline)
		return false;
	line->len = first_of(line->m.newline);
	line->all = below(line->len);
	return !(line->m.escape & line->all) && hide_quoted(line) &&
	       !(line->m.less & line->shown) && !comments_of(line) && tell_redirections(line) &&
	       follow_parentheses(line);
}

/*
 * Whether nobody wants a command of the line. *ret_commands is how many there are, but for
 * those in substitutions.
 */
LW_TAG_HOT static bool is_unwanted(struct scanner *s, const struct line *line,
				   unsigned *ret_commands)
{
	const struct lw_shell_masks *m = &line->m;
	uint64_t ends = m->newline | m->blank | m->semicolon | m->joint | m->close;
	uint64_t stops =
		ends | m->open | m->single_quote | m->double_quote | m->dollar | m->greater;
	uint64_t nothing = m->semicolon | m->joint | m->open | m->close | ~line->all;
	uint64_t behind = line->separator | (m->open & line->shown) | line->function;
	uint64_t begins = past_blanks(line, behind << 1 | 1) & ~nothing;

	bool named = !line->function;

	*ret_commands = 0;
	while (begins) {
		unsigned at = first_of(begins), end = first_of(stops & ~below(at));
		struct lw_shell_word word = { .text = line->text + at, .len = end - at };
		enum lw_shell_wish wish;

		begins &= begins - 1;
		if (end == at)
			return false;
		if (m->open & line->function >> 1 & UINT64_C(1) << end) {
			if (line->text[end - 1] == '=')
				return false;
			named = true;
			continue;
		}
		if (!(ends >> end & 1))
			return false;
		wish = lw_shell_wish_for(s, &word);
		if (wish == LW_SHELL_READ)
			return false;
		if (wish == LW_SHELL_DROP)
			begins |= past_blanks(line, UINT64_C(1) << end) & ~nothing;
		else
			*ret_commands += !(line->inside >> at & 1);
	}
	return named;
}

/* A comment gives back what it takes of what may be read. */
LW_TAG_HOT static bool pass_comment(struct scanner *s, const char *text)
{
	const char *newline;
	size_t len, left = (size_t)(s->text_end - s->end);

	newline = find_before(text, s->text_end, '\n');
	len = (size_t)(newline - text);
	if (lw_shell_wants_directive(s, text, len))
		return false;
	s->end += left < len ? left : len;
	s->at = newline < s->end ? newline + 1 : s->end;
	return true;
}

#ifdef __SSE2__
/* Few processors need it: it is not among what is asked for. */
__attribute__((noinline)) static void tell_by_16(struct line *line)
{
	line->m = lw_shell_masks(line->text);
}

LW_TAG_HOT LW_SHELL_WIDE static void tell_by_32(struct line *line)
{
	line->m = lw_shell_masks_32(line->text);
}

/* Tell the bytes of the line apart. */
static void tell(struct line *line)
{
	if (__builtin_cpu_supports("avx2"))
		tell_by_32(line);
	else
		tell_by_16(line);
}
#else
static void tell(struct line *line)
{
	line->m = lw_shell_masks(line->text);
}
#endif

LW_TAG_HOT static bool pass_line(struct scanner *s)
{
	struct line line; /* zeros in it would be overwritten */
	unsigned commands;
	size_t cost;
	uint64_t first;

	if (*s->at == '#')
		return pass_comment(s, s->at);
	line.text = s->at;
	line.inside = line.function = 0;
	tell(&line);
	first = past_blanks(&line, 1);
	if (first & line.m.hash)
		return pass_comment(s, line.text + first_of(first));
	if (!look_at(&line) || !is_unwanted(s, &line, &commands))
		return false;
	cost = s->back < s->text_end ? (size_t)commands * LW_SHELL_SKIPPED_COST : 0;
	if ((size_t)(s->end - line.text) < line.len + 2 + cost)
		return false;
	s->at += line.len + 1;
	s->end -= cost;
	return true;
}

LW_TAG_HOT void lw_shell_pass_lines(struct scanner *s)
{
	if (s->depth || s->cases || !s->reader->wants || s->reader->every_word ||
	    (s->read_lines++ >= ENOUGH && s->read_lines % RARELY))
		return;
	while (s->at < s->end && s->limit - s->at >= ROOM && pass_line(s))
		s->read_lines = 0;
}

/* ---- lines that are only skimmed ---- */

/* Whether the line at P begins with a wanted word, behind such as "then". */
LW_TAG_LONG static bool begins_wanted(struct scanner *s, const char *p)
{
	enum lw_shell_wish wish;

	do {
		struct lw_shell_word word;

		p += lw_shell_indent(p);
		word = (struct lw_shell_word){ .text = p, .len = lw_shell_word_len(p) };
		if (!word.len || word.len == 16 || p[word.len] == '(' || p[word.len] == '=')
			return false;
		wish = lw_shell_wish_for(s, &word);
		p += word.len;
	} while (wish == LW_SHELL_DROP && s->limit - p >= ROOM);
	return wish == LW_SHELL_READ;
}

/* The line behind that at P, and behind what here-documents it has. */
LW_TAG_LONG static const char *next_line_of(struct scanner *s, const char *p)
{
	while (s->end - p >= ROOM) {
		uint64_t events = lw_shell_line_events(p);
		const char *behind;

		if (!events) {
			p += LW_SHELL_BLOCK;
			continue;
		}
		p += first_of(events);
		if (*p == '\n')
			return p + 1;
		if (p[1] == '<' && s->missed_heredocs < LW_SHELL_MISSED_MAX) {
			behind = lw_shell_past_heredoc(p, s->end);
			if (behind > p)
				return behind;
			s->missed_heredocs++;
		}
		p += 1 + (p[1] == '<');
	}
	return s->end;
}

LW_TAG_LONG bool lw_shell_next_wanted(struct scanner *s)
{
	while (s->end - s->at >= ROOM && s->skimmed++ < LINES_MAX) {
		if (begins_wanted(s, s->at))
			return true;
		s->at = next_line_of(s, s->at);
	}
	return false;
}
