/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words and numbers of a history's text, for history_text.c and speed_text.c alone. */
#ifndef LW_PREDICTOR_HISTORY_SCAN_H
#define LW_PREDICTOR_HISTORY_SCAN_H

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "predictor/history_table.h"
#include "tagger/tag.h"

/* The parser's position; every read checks the end first. */
struct scan {
	const char *at;
	const char *end;
	uint32_t line;
	struct lw_error *err;
};

static inline const char *tag_name(uint32_t tag)
{
	return tag == LW_HABIT_UNTAGGED ? "untagged" : lw_tag_class_name((enum lw_tag_class)tag);
}

static inline int history_bad(struct scan *scan, const char *what)
{
	return lw_error_set(scan->err, -EBADMSG, "line %" PRIu32 ": %s", scan->line, what);
}

/* Take WORD if it comes next. */
static inline bool history_take(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
		return false;
	scan->at += length;
	return true;
}

/* A decimal number from 0 to MAX, without a sign or a needless zero. */
static inline bool take_number(struct scan *scan, uint64_t max, uint64_t *ret_value)
{
	const char *start = scan->at;
	uint64_t value = 0;

	while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9') {
		uint64_t digit = (uint64_t)(*scan->at - '0');

		if (value > (max - digit) / 10 || digit > max)
			return false;
		value = value * 10 + digit;
		scan->at++;
	}
	if (scan->at == start || (*start == '0' && scan->at - start > 1))
		return false;
	*ret_value = value;
	return true;
}

static inline bool take_tag(struct scan *scan, uint32_t *ret_tag)
{
	const char *space = memchr(scan->at, ' ', (size_t)(scan->end - scan->at));
	int class;

	if (history_take(scan, "untagged")) {
		*ret_tag = LW_HABIT_UNTAGGED;
		return true;
	}
	class = space ? lw_tag_class_parse(scan->at, (size_t)(space - scan->at)) : -EINVAL;
	if (class < 0)
		return false;
	*ret_tag = (uint32_t) class;
	scan->at = space;
	return true;
}

static inline bool take_field(struct scan *scan, uint64_t max, uint32_t *ret_value)
{
	uint64_t value;

	if (!history_take(scan, " ") || !take_number(scan, max, &value))
		return false;
	*ret_value = (uint32_t)value;
	return true;
}

/* The lines of the table of speeds: doc/dev/format-history.txt. */
void lw_speeds_print(const struct lw_speeds *speeds, struct lw_strbuf *out);
/* All lines from here on. -EBADMSG with ERR naming the line; -ENOMEM. */
int lw_speeds_parse(struct scan *scan, uint64_t stamp_max, struct lw_speeds *speeds);

#endif
