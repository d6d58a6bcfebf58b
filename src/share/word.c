/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the word in AdminComment that says by what a job shares a GPU. */
#include "share/word.h"

#include "base/number.h"
#include "base/words.h"
#include "share/known.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct writing {
	char *text;
	size_t size, len;
};

/* Room for one more is not asked for before: what did not fit shows in len. */
#define WRITE(out, ...)                                                                          \
	((out)->len += (size_t)snprintf((out)->len < (out)->size ? (out)->text + (out)->len      \
								 : NULL,                         \
					(out)->len < (out)->size ? (out)->size - (out)->len : 0, \
					__VA_ARGS__))

static void write_share(struct writing *out, const char *name, uint32_t thousandths)
{
	WRITE(out, ",%s:%" PRIu32, name, thousandths / 10);
	if (thousandths % 10)
		WRITE(out, ".%" PRIu32, thousandths % 10);
}

bool lw_share_word_print(const char *gres, const char *was, const struct lw_share_word *word,
			 char *ret_text, size_t size)
{
	struct writing out = { .text = ret_text, .size = size };

	WRITE(&out, LW_SHARE_WORD "%s:%" PRIu32 ",was:%s", gres, word->parts, was);
	if (word->use.has_util)
		write_share(&out, "util", word->use.util);
	if (word->use.has_sm)
		write_share(&out, "sm", word->use.sm);
	if (word->use.has_mem)
		WRITE(&out, ",mem:%" PRIu32 "M", word->use.mem_mib);
	if (word->mem_hard)
		WRITE(&out, ",limit:%" PRIu32 "/%" PRIu32 "/%" PRIu32, word->mem_warn,
		      word->mem_hard, word->of);
	return out.len < size;
}

/* "20" or "20.5" percent, as thousandths, up to what ends a field. */
static bool take_share(const char *at, uint32_t *ret_share)
{
	uint64_t whole, tenth = 0;

	if (!lw_number_take(&at, 100, &whole))
		return false;
	if (*at == '.' && (at++, !lw_number_take(&at, 9, &tenth)))
		return false;
	*ret_share = (uint32_t)(10 * whole + tenth);
	return *ret_share <= 1000 && (!*at || strchr(", ", *at));
}

static bool take_memory(const char *at, uint32_t *ret_mib)
{
	uint64_t mib;

	if (!lw_number_take(&at, LW_SHARE_MIB_MAX, &mib) || *at++ != 'M')
		return false;
	*ret_mib = (uint32_t)mib;
	return !*at || strchr(", ", *at);
}

static bool word_begins(const char *at, const char *front, const char **ret_rest)
{
	size_t len = strlen(front);

	*ret_rest = at + len;
	return strncmp(at, front, len) == 0;
}

/* One field behind the parts; those that are none of ours say nothing of use. */
static bool take_field(const char *at, struct lw_share_use *use)
{
	const char *rest;

	if (word_begins(at, "util:", &rest))
		return use->has_util = take_share(rest, &use->util);
	if (word_begins(at, "sm:", &rest))
		return use->has_sm = take_share(rest, &use->sm);
	if (word_begins(at, "mem:", &rest))
		return use->has_mem = take_memory(rest, &use->mem_mib);
	return true;
}

/* "shard:4" and what is behind it, up to a blank. */
static bool take_word(const char *at, struct lw_share_word *word)
{
	size_t len = strcspn(at, ": ,");
	uint64_t parts;

	memset(word, 0, sizeof(*word));
	at += len;
	if (!len || *at++ != ':' || !lw_number_take(&at, UINT32_MAX, &parts) || !parts)
		return false;
	word->parts = (uint32_t)parts;
	while (*at == ',') {
		if (!take_field(++at, &word->use))
			return false;
		at += strcspn(at, ", ");
	}
	return !*at || *at == ' ';
}

bool lw_share_word_find(const char *comment, struct lw_share_word *ret_word)
{
	size_t len;
	const char *at = lw_words_find(comment, LW_SHARE_WORD, &len);

	return at && take_word(at + strlen(LW_SHARE_WORD), ret_word);
}
