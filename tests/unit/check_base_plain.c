/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/plain: what prints stays, and nothing else does. */
#include "base/plain.h"

#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *text, *plain;
} lines[] = {
	{ "", "" },
	{ "gpu[1-8] ~!", "gpu[1-8] ~!" },
	{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "a\nb\rc\td", "a?b?c?d" },
	{ "\x1b[31m\x07\x08\x7f", "?[31m???" },
	{ "\xc2\x85\xc2\x9b", "????" },		       /* next line; introducer of controls */
	{ "\xe2\x80\xa8\xe2\x80\xae", "??????" },      /* line separator; from right to left */
	{ "\xe2\x81\xa6\xef\xbb\xbf", "??????" },      /* isolate; byte order mark */
	{ "\xef\xbf\xbf", "???" },		       /* no character */
	{ "\xff\xfe\x80", "???" },		       /* no UTF-8 */
	{ "\xc0\x9b\xe0\x80\x9b", "?????" },	       /* longer than need be */
	{ "\xed\xa0\x80\xf4\x90\x80\x80", "???????" }, /* surrogate; beyond the last */
	{ "\xc3", "?" },			       /* cut off */
	{ "\xe2\x82 x", "?? x" },
};

TEST_EACH(lines_are_plain, LW_COUNT_OF(lines))
{
	char text[64];

	snprintf(text, sizeof(text), "%s", lines[_i].text);
	ck_assert_int_eq(lw_plain_is_line(text), !strcmp(lines[_i].text, lines[_i].plain));
	lw_plain_line(text);
	ck_assert_str_eq(text, lines[_i].plain);
	ck_assert(lw_plain_is_line(text));
}

TEST(texts_keep_their_lines)
{
	char text[] = "a\tb\n\x1b[2J\0\rc\n";

	lw_plain_lines(text, sizeof(text) - 1);
	ck_assert_int_eq(memcmp(text, "a\tb\n?[2J??c\n", sizeof(text)), 0);
}
