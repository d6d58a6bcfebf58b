/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lines, words and numbers out of a text, for the snapshot reader. */
#include "planner/text/text_scan.h"

#include <errno.h>
#include <string.h>

/* No more of a bad word than this goes into a message. */
#define SHOWN_MAX 60

static bool text_scan_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void text_scan_skip_blanks(struct lw_text_word *line)
{
	while (line->len && text_scan_is_blank(*line->at)) {
		line->at++;
		line->len--;
	}
}

bool lw_text_next_line(struct lw_text_in *in, struct lw_text_word *ret_line)
{
	struct lw_text_word line;

	while (*in->rest) {
		line.at = in->rest;
		line.len = strcspn(in->rest, "\n");
		in->rest += line.len;
		if (*in->rest)
			in->rest++;
		in->line++;
		/* the end of a line is LF or CR LF */
		if (line.len && line.at[line.len - 1] == '\r')
			line.len--;
		text_scan_skip_blanks(&line);
		if (!line.len || *line.at == '#')
			continue;
		*ret_line = line;
		return true;
	}
	return false;
}

bool lw_text_next_word(struct lw_text_word *line, struct lw_text_word *ret_word)
{
	size_t len = 0;

	text_scan_skip_blanks(line);
	if (!line->len)
		return false;
	while (len < line->len && !text_scan_is_blank(line->at[len]))
		len++;
	*ret_word = (struct lw_text_word){ line->at, len };
	line->at += len;
	line->len -= len;
	return true;
}

bool lw_text_cut(struct lw_text_word *word, char c, struct lw_text_word *ret_head)
{
	const char *found = word->len ? memchr(word->at, c, word->len) : NULL;
	struct lw_text_word whole = *word;

	if (!found) {
		*ret_head = whole;
		*word = (struct lw_text_word){ whole.at + whole.len, 0 };
		return false;
	}
	*ret_head = (struct lw_text_word){ whole.at, (size_t)(found - whole.at) };
	*word = (struct lw_text_word){ found + 1, whole.len - ret_head->len - 1 };
	return true;
}

bool lw_text_is(const struct lw_text_word *word, const char *text)
{
	return word->len == strlen(text) && !memcmp(word->at, text, word->len);
}

bool lw_text_skip(struct lw_text_word *word, const char *prefix)
{
	size_t len = strlen(prefix);

	if (word->len < len || memcmp(word->at, prefix, len))
		return false;
	word->at += len;
	word->len -= len;
	return true;
}

bool lw_text_number(const struct lw_text_word *word, uint64_t max, uint64_t *ret_value)
{
	uint64_t value = 0, digit;

	if (!word->len)
		return false;
	for (size_t i = 0; i < word->len; i++) {
		if (word->at[i] < '0' || word->at[i] > '9')
			return false;
		digit = (uint64_t)(word->at[i] - '0');
		if (digit > max || value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*ret_value = value;
	return true;
}

bool lw_text_time(const struct lw_text_word *word, int64_t *ret_time_s)
{
	struct lw_text_word digits = *word;
	bool negative = lw_text_skip(&digits, "-");
	uint64_t value;

	if (!lw_text_number(&digits, LW_TEXT_TIME_MAX_S, &value))
		return false;
	*ret_time_s = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

bool lw_text_range(const struct lw_text_word *word, uint32_t max, uint32_t *ret_low,
		   uint32_t *ret_high)
{
	struct lw_text_word high = *word, low;
	bool two = lw_text_cut(&high, '-', &low);
	uint64_t from, to;

	if (!lw_text_number(&low, max, &from))
		return false;
	to = from;
	if (two && !lw_text_number(&high, max, &to))
		return false;
	if (to < from)
		return false;
	*ret_low = (uint32_t)from;
	*ret_high = (uint32_t)to;
	return true;
}

int lw_text_fail(const struct lw_text_in *in, const char *field, const char *what,
		 const struct lw_text_word *word)
{
	char shown[SHOWN_MAX + 1];
	size_t len = word && word->len < SHOWN_MAX ? word->len : SHOWN_MAX;

	if (!word)
		return lw_error_set(in->err, -EINVAL, "%s:%u: %s: %s", in->name, in->line,
				    field, what);
	/*
	 * Control characters would garble the reader's terminal. A char may have a sign or none
	 * (aarch64): bytes that are not ASCII are shown the same on both.
	 */
	for (size_t i = 0; i < len; i++)
		shown[i] = word->at[i] >= ' ' && word->at[i] < 0x7f ? word->at[i] : '?';
	shown[len] = '\0';
	return lw_error_set(in->err, -EINVAL, "%s:%u: %s: %s '%s'", in->name, in->line,
			    field, what, shown);
}
