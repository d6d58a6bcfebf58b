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
#define YES	  "yes"

struct writing {
	char *text;
	size_t size, len;
};

/* What did not fit shows in len. */
#define WRITE(out, ...)                                                                          \
	((out)->len +=                                                                           \
	 (size_t)snprintf((out)->len < (out)->size ? (out)->text + (out)->len : NULL,            \
			  (out)->len < (out)->size ? (out)->size - (out)->len : 0, __VA_ARGS__))

static void sharemark_write_percent(struct writing *out, const char *name, uint32_t thousandths)
{
	WRITE(out, ",%s:%" PRIu32, name, thousandths / 10);
	if (thousandths % 10)
		WRITE(out, ".%" PRIu32, thousandths % 10);
}

static void sharemark_write_use(struct writing *out, const struct lw_share_use *use)
{
	if (use->has_util)
		sharemark_write_percent(out, "util", use->util);
	if (use->has_sm)
		sharemark_write_percent(out, "sm", use->sm);
	if (use->has_mem)
		WRITE(out, ",mem:%" PRIu32 "M", use->mem_mib);
}

int lw_sharemark_print(const struct lw_sharemark *mark, char *buf, size_t size)
{
	struct writing out = { .text = buf, .size = size };

	WRITE(&out, LW_SHAREMARK_PREFIX "%s", mark->parts ? mark->gres : "none");
	if (mark->parts)
		WRITE(&out, ":%" PRIu32, mark->parts);
	WRITE(&out, ",was:%s", mark->was);
	sharemark_write_use(&out, &mark->use);
	if (mark->mem_warn || mark->mem_hard)
		WRITE(&out, ",limit:%" PRIu32 "/%" PRIu32 "/%" PRIu32, mark->mem_warn,
		      mark->mem_hard, mark->of);
	if (mark->left[0])
		WRITE(&out, ",left:%s", mark->left);
	if (mark->lend_s)
		WRITE(&out, ",lend:%" PRIu32, mark->lend_s);
	if (mark->idle)
		WRITE(&out, ",idle:" YES);
	if (mark->guest)
		WRITE(&out, ",guest:" YES);
	return out.len < size ? 0 : -ENOSPC;
}

/* LEN letters of TEXT; false where there are none or no room for them. */
static bool sharemark_copy_letters(char *to, size_t size, const char *text, size_t len)
{
	if (!len || len >= size)
		return false;
	memcpy(to, text, len);
	to[len] = '\0';
	return true;
}

/* All of the LEN letters of TEXT are a number of 1 or more. */
static bool sharemark_read_count(uint32_t *value, const char *text, size_t len)
{
	const char *at = text;
	uint64_t number;

	if (!lw_number_take(&at, UINT32_MAX, &number) || at != text + len || !number)
		return false;
	*value = (uint32_t)number;
	return true;
}

/* "900/970/10", LEN letters. */
static bool sharemark_read_limits(struct lw_sharemark *mark, const char *text, size_t len)
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
	mark->of = (uint32_t)value[2];
	return at == text + len;
}

/* "20" or "20.5" percent, LEN letters, as thousandths. */
static bool sharemark_read_percent(uint32_t *thousandths, const char *text, size_t len)
{
	const char *at = text;
	uint64_t whole, tenth = 0;

	if (!lw_number_take(&at, 100, &whole))
		return false;
	if (*at == '.' && (at++, !lw_number_take(&at, 9, &tenth)))
		return false;
	*thousandths = (uint32_t)(10 * whole + tenth);
	return *thousandths <= WHOLE && at == text + len;
}

/* "1000M", LEN letters. */
static bool sharemark_read_memory(uint32_t *mib, const char *text, size_t len)
{
	const char *at = text;
	uint64_t number;

	if (!lw_number_take(&at, LW_SHARE_MIB_MAX, &number) || *at++ != 'M')
		return false;
	*mib = (uint32_t)number;
	return at == text + len;
}

static bool sharemark_is_yes(const char *text, size_t len)
{
	return len == strlen(YES) && !memcmp(text, YES, len);
}

/* "shard:4", or "none". */
static bool sharemark_read_parts(struct lw_sharemark *mark, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	size_t name = colon ? (size_t)(colon - text) : len;

	if (!colon)
		return len == 4 && !memcmp(text, "none", 4);
	return sharemark_copy_letters(mark->gres, sizeof(mark->gres), text, name) &&
	       sharemark_read_count(&mark->parts, colon + 1, len - name - 1);
}

/* Does TEXT, *LEN letters, begin with FRONT? Then what is behind it. */
static bool sharemark_take_key(const char **text, size_t *len, const char *front)
{
	size_t own = strlen(front);

	if (*len < own || memcmp(*text, front, own) != 0)
		return false;
	*text += own;
	*len -= own;
	return true;
}

/* One "key:value" of LEN letters; one that is not known is passed over. */
static bool sharemark_read_item(struct lw_sharemark *mark, const char *text, size_t len)
{
	struct lw_share_use *use = &mark->use;

	if (sharemark_take_key(&text, &len, "was:"))
		return sharemark_copy_letters(mark->was, sizeof(mark->was), text, len);
	if (sharemark_take_key(&text, &len, "util:"))
		return use->has_util = sharemark_read_percent(&use->util, text, len);
	if (sharemark_take_key(&text, &len, "sm:"))
		return use->has_sm = sharemark_read_percent(&use->sm, text, len);
	if (sharemark_take_key(&text, &len, "mem:"))
		return use->has_mem = sharemark_read_memory(&use->mem_mib, text, len);
	if (sharemark_take_key(&text, &len, "limit:"))
		return sharemark_read_limits(mark, text, len);
	if (sharemark_take_key(&text, &len, "left:"))
		return sharemark_copy_letters(mark->left, sizeof(mark->left), text, len);
	if (sharemark_take_key(&text, &len, "lend:"))
		return sharemark_read_count(&mark->lend_s, text, len);
	if (sharemark_take_key(&text, &len, "idle:"))
		return mark->idle = sharemark_is_yes(text, len);
	if (sharemark_take_key(&text, &len, "guest:"))
		return mark->guest = sharemark_is_yes(text, len);
	return len > 0;
}

int lw_sharemark_read(const char *admin_comment, struct lw_sharemark *ret_mark)
{
	struct lw_sharemark mark = { .gres = "" };
	size_t len = 0, item;
	const char *text = lw_words_find(admin_comment, LW_SHAREMARK_PREFIX, &len);
	const char *end = text ? text + len : NULL;

	if (!text)
		return -ENOENT;
	text += strlen(LW_SHAREMARK_PREFIX);
	item = strcspn(text, ", ");
	if (!sharemark_read_parts(&mark, text, item))
		return -EINVAL;
	for (text += item; text < end; text += item) {
		text++;
		item = strcspn(text, ", ");
		if (!sharemark_read_item(&mark, text, item))
			return -EINVAL;
	}
	if (!mark.was[0])
		return -EINVAL;
	*ret_mark = mark;
	return 0;
}

struct lw_sharemark lw_sharemark_leaving(const struct lw_sharemark *mark, const char *why)
{
	struct lw_sharemark left = { .gres = "" };

	snprintf(left.was, sizeof(left.was), "%s:%" PRIu32, mark->gres, mark->parts);
	snprintf(left.left, sizeof(left.left), "%s", why);
	return left;
}

void lw_sharemark_all_parts(const struct lw_sharemark *mark, char buf[LW_SHAREMARK_GRES])
{
	snprintf(buf, LW_SHAREMARK_GRES, "%s:%" PRIu32, mark->gres, mark->of);
}
