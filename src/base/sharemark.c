/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the word in a job's admin_comment that says which part of a GPU it was given. */
#include "base/sharemark.h"

#include "base/number.h"
#include "base/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WHOLE     1000
#define PARTS_MAX 10000

int lw_sharemark_print(const struct lw_sharemark *mark, char *buf, size_t size)
{
	char limit[48] = "", left[32] = "";
	int len;

	if (mark->mem_warn || mark->mem_hard)
		snprintf(limit, sizeof(limit), ",limit:%" PRIu32 "/%" PRIu32 "/%" PRIu32,
			 mark->mem_warn, mark->mem_hard, mark->parts);
	if (mark->left[0])
		snprintf(left, sizeof(left), ",left:%s", mark->left);
	len = snprintf(buf, size, LW_SHAREMARK_PREFIX "%s,was:%s%s%s", mark->has, mark->was, limit,
		       left);
	return len < 0 || (size_t)len >= size ? -ENOSPC : 0;
}

/* LEN letters of TEXT; false where there are none or no room for them. */
static bool copy_letters(char *to, size_t size, const char *text, size_t len)
{
	if (!len || len >= size)
		return false;
	memcpy(to, text, len);
	to[len] = '\0';
	return true;
}

/* "900/970/10", LEN letters. */
static bool read_limits(struct lw_sharemark *mark, const char *text, size_t len)
{
	uint64_t value[3];
	const char *at = text;

	for (int i = 0; i < 3; i++) {
		if (!lw_number_take(&at, i < 2 ? WHOLE : PARTS_MAX, &value[i]))
			return false;
		if (i < 2 && *at++ != '/')
			return false;
	}
	mark->mem_warn = (uint32_t)value[0];
	mark->mem_hard = (uint32_t)value[1];
	mark->parts = (uint32_t)value[2];
	return at == text + len;
}

/* One "key:value" of LEN letters; one that is not known is passed over. */
static bool read_item(struct lw_sharemark *mark, const char *text, size_t len)
{
	if (len > 4 && !memcmp(text, "was:", 4))
		return copy_letters(mark->was, sizeof(mark->was), text + 4, len - 4);
	if (len > 6 && !memcmp(text, "limit:", 6))
		return read_limits(mark, text + 6, len - 6);
	if (len > 5 && !memcmp(text, "left:", 5))
		return copy_letters(mark->left, sizeof(mark->left), text + 5, len - 5);
	return len > 0;
}

int lw_sharemark_read(const char *admin_comment, struct lw_sharemark *ret_mark)
{
	struct lw_sharemark mark = { .has = "" };
	size_t len = 0, item;
	const char *text = lw_words_find(admin_comment, LW_SHAREMARK_PREFIX, &len);
	const char *end = text ? text + len : NULL;

	if (!text)
		return -ENOENT;
	text += strlen(LW_SHAREMARK_PREFIX);
	item = strcspn(text, ", ");
	if (!copy_letters(mark.has, sizeof(mark.has), text, item))
		return -EINVAL;
	for (text += item; text < end; text += item) {
		text++;
		item = strcspn(text, ", ");
		if (!read_item(&mark, text, item))
			return -EINVAL;
	}
	if (!mark.was[0])
		return -EINVAL;
	*ret_mark = mark;
	return 0;
}

struct lw_sharemark lw_sharemark_leaving(const struct lw_sharemark *mark, const char *why)
{
	struct lw_sharemark left = { .has = "none" };

	memcpy(left.was, mark->has, sizeof(left.was));
	snprintf(left.left, sizeof(left.left), "%s", why);
	return left;
}

void lw_sharemark_all_parts(const struct lw_sharemark *mark, char buf[LW_SHAREMARK_GRES])
{
	snprintf(buf, LW_SHAREMARK_GRES, "%.*s:%" PRIu32, (int)strcspn(mark->has, ":"), mark->has,
		 mark->parts);
}
