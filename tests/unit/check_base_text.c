/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/error, base/strbuf and base/log. */
#include "base/error.h"
#include "base/fold.h"
#include "base/grow.h"
#include "base/log.h"
#include "base/strbuf.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct seen {
	unsigned lines;
	enum lw_log_level level;
	char line[2048];
};

static void remember(void *arg, enum lw_log_level level, const char *line)
{
	struct seen *seen = arg;

	seen->lines++;
	seen->level = level;
	snprintf(seen->line, sizeof(seen->line), "%s", line);
}

TEST(error_returns_its_code)
{
	struct lw_error err = { "old" };

	ck_assert_int_eq(lw_error_set(&err, -EINVAL, "%s is %d", "x", 7), -EINVAL);
	ck_assert_str_eq(err.text, "x is 7");
	ck_assert_int_eq(lw_error_prefix(&err, -EIO, "%s:%d: ", "f", 3), -EIO);
	ck_assert_str_eq(err.text, "f:3: x is 7");
	ck_assert_int_eq(lw_error_set(NULL, -ENOENT, "nobody reads it"), -ENOENT);
	ck_assert_int_eq(lw_error_prefix(NULL, -ENOENT, "nobody reads it"), -ENOENT);
}

/* What others wrote begins no line in errors and logs, and tells a terminal nothing. */
TEST(errors_and_logs_are_plain)
{
	struct seen seen = { 0 };
	const struct lw_log log = { .write = remember, .arg = &seen, .level = LW_LOG_INFO };
	struct lw_error err;

	lw_error_set(&err, -EINVAL, "no job \"%s\"", "a\x1b[2J\nb\tc\x7f\xc2\x9bm");
	ck_assert_str_eq(err.text, "no job \"a?[2J?b?c???m\"");
	lw_error_prefix(&err, -EINVAL, "%s: ", "\r\xc3\xa9\xff");
	ck_assert_str_eq(err.text, "?\xc3\xa9?: no job \"a?[2J?b?c???m\"");
	lw_log_info(&log, "%s", "one\ntwo\x1b");
	ck_assert_str_eq(seen.line, "one?two?");
}

/* Lengths of the text and of a prefix put before it. */
static const struct {
	size_t text, prefix;
} cuts[] = {
	{ 0, 0 },
	{ 0, 5 },
	{ LW_ERROR_MAX - 1, 0 },
	{ LW_ERROR_MAX, 0 },
	{ 2 * LW_ERROR_MAX, 5 },
	{ 10, LW_ERROR_MAX - 11 },
	{ 10, LW_ERROR_MAX - 10 },
	{ 10, LW_ERROR_MAX - 1 },
	{ 10, LW_ERROR_MAX },
	{ 10, 2 * LW_ERROR_MAX },
};

TEST_EACH(error_is_cut_at_its_size, LW_COUNT_OF(cuts))
{
	char text[2 * LW_ERROR_MAX + 1] = "", prefix[2 * LW_ERROR_MAX + 1] = "";
	char want[4 * LW_ERROR_MAX + 2];
	struct lw_error err;

	memset(text, 't', cuts[_i].text);
	memset(prefix, 'p', cuts[_i].prefix);
	snprintf(want, sizeof(want), "%s%s", prefix, text);
	want[LW_ERROR_MAX - 1] = '\0';
	lw_error_set(&err, -1, "%s", text);
	lw_error_prefix(&err, -1, "%s", prefix);
	ck_assert_str_eq(err.text, want);
}

TEST(strbuf_grows)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	ck_assert_str_eq(lw_strbuf_text(&sb), "");
	for (int i = 0; i < 1000; i++)
		lw_strbuf_add(&sb, "%04d,", i);
	ck_assert_int_eq(sb.error, 0);
	ck_assert_uint_eq(sb.len, 5000);
	ck_assert_uint_eq(strlen(lw_strbuf_text(&sb)), 5000);
	ck_assert_str_eq(sb.text + 4995, "0999,");
	lw_strbuf_fini(&sb);
	ck_assert_str_eq(lw_strbuf_text(&sb), "");
	lw_strbuf_fini(&sb);
}

TEST(strbuf_takes_bytes)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_strbuf_add_bytes(&sb, NULL, 0);
	ck_assert_str_eq(lw_strbuf_text(&sb), "");
	lw_strbuf_add_bytes(&sb, "a\0b", 3);
	ck_assert_uint_eq(sb.len, 3);
	ck_assert_mem_eq(sb.text, "a\0b", 4);
	/* one byte at a time across the first size of its memory */
	for (int i = 0; i < 600; i++)
		lw_strbuf_add_bytes(&sb, "x", 1);
	ck_assert_uint_eq(sb.len, 603);
	ck_assert_int_eq(sb.text[603], '\0');
	lw_strbuf_fini(&sb);
}

TEST(strbuf_remembers_its_failure)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_strbuf_add(&sb, "kept");
	lw_strbuf_add_bytes(&sb, "x", SIZE_MAX - 2);
	ck_assert_int_eq(sb.error, -ENOMEM);
	lw_strbuf_add(&sb, " dropped");
	lw_strbuf_add_bytes(&sb, "dropped", 7);
	ck_assert_str_eq(lw_strbuf_text(&sb), "kept");
	lw_strbuf_fini(&sb);
	ck_assert_int_eq(sb.error, 0);
}

TEST(log_keeps_to_its_level)
{
	struct seen seen = { 0 };
	struct lw_log log = { remember, &seen, LW_LOG_INFO };

	lw_log_debug(&log, "not wanted");
	ck_assert_uint_eq(seen.lines, 0);
	lw_log_info(&log, "cycle %d", 12);
	ck_assert_uint_eq(seen.lines, 1);
	ck_assert_int_eq(seen.level, LW_LOG_INFO);
	ck_assert_str_eq(seen.line, "cycle 12");
	lw_log_error(&log, "%s", "bad");
	ck_assert_int_eq(seen.level, LW_LOG_ERROR);
	ck_assert_str_eq(seen.line, "bad");
	log.write = NULL;
	lw_log_error(&log, "nobody writes it");
	lw_log_error(NULL, "nobody writes it");
	ck_assert_uint_eq(seen.lines, 2);
}

TEST(log_cuts_a_long_line)
{
	struct seen seen = { 0 };
	struct lw_log log = { remember, &seen, LW_LOG_DEBUG };
	char text[4096] = "";

	memset(text, 'x', sizeof(text) - 1);
	lw_log_warn(&log, "%s", text);
	ck_assert_uint_eq(strlen(seen.line), 1023);
}

TEST(grow_doubles_and_keeps)
{
	uint32_t *items = NULL, room = 0, moves = 0;
	volatile size_t huge = SIZE_MAX / 16;

	for (uint32_t i = 0; i < 10000; i++) {
		uint32_t before = room;

		ck_assert_int_eq(lw_grow((void **)&items, &room, i + 1, sizeof(*items)), 0);
		moves += room != before;
		ck_assert_uint_gt(room, i);
		items[i] = i;
	}
	for (uint32_t i = 0; i < 10000; i++)
		ck_assert_uint_eq(items[i], i);
	ck_assert_uint_le(moves, 11);
	/* too large for the address space, which the compiler must not see coming */
	ck_assert_int_eq(lw_grow((void **)&items, &room, UINT32_MAX, huge), -ENOMEM);
	ck_assert_uint_eq(items[9999], 9999);
	free(items);
}

/* Words, how wide a line may be, and the lines behind "f:" */
static const struct {
	const char *text;
	size_t width;
	const char *lines;
} folds[] = {
	{ "", 10, "f:" },
	{ "ab cd ef gh", 0, "f: ab cd ef gh" },
	{ "ab cd ef gh", 8, "f: ab cd\n  ef gh" },
	{ "ab cd ef gh", 7, "f: ab\n  cd ef\n  gh" },
	{ "ab abcdefghij c d", 7, "f: ab\n  abcdefghij\n  c d" },
	{ "abcdefghij", 7, "f:\n  abcdefghij" },
	{ "ab  cd ", 20, "f: ab  cd" },
};

TEST_EACH(words_are_folded, LW_COUNT_OF(folds))
{
	struct lw_strbuf out = LW_STRBUF_INIT;

	lw_strbuf_add(&out, "a long line before\nf:");
	lw_fold(folds[_i].text, "  ", folds[_i].width, &out);
	ck_assert_str_eq(strchr(lw_strbuf_text(&out), '\n') + 1, folds[_i].lines);
	lw_strbuf_fini(&out);
}
