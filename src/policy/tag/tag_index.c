/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: many patterns against one short text at once; private to tag*.c. */
/*
 * The idea of a filter on short pieces before a full comparison is that of Wu and Manber
 * ("A fast algorithm for multi-pattern searching", TR-94-17, University of Arizona, 1994).
 * The tables are small on purpose: between two submissions slurmctld does much else, and
 * what is not in its caches any more has to be fetched again.
 */
#include "policy/tag/tag_index.h"

#include "base/grow.h"

#include <errno.h>
#include <string.h>

#define KEY_BYTES  4
#define GRAM_BYTES 3
/* keys of what a text ends in hang in the same table as keys of what it begins with */
#define END_SALT UINT32_C(0x5bd1e995)

enum form {
	EXACT,
	PREFIX,   /* abc* */
	INFIX,    /* *abc* */
	SUFFIX,   /* *abc */
	WILDCARD, /* any other */
};

struct lw_tag_pattern {
	const char *text;
	uint32_t key;
	uint16_t len;
	uint16_t id;
	uint16_t next; /* of the same head */
	uint8_t form;
};

/* not tolower(): no locale has a say here */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (a[i] != b[i] && lower(a[i]) != lower(b[i]))
			return false;
	return true;
}

/* In the same order of bytes on every machine, as the keys of fewer are made. */
static uint32_t load(const char *text)
{
	uint32_t value;

	memcpy(&value, text, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap32(value);
#endif
	return value;
}

/* The first LEN bytes, at most 4, with a case bit that says nothing set in each. */
static uint32_t key_of(const char *text, unsigned len)
{
	uint32_t key = 0;

	if (len == KEY_BYTES)
		return load(text) | 0x20202020;
	for (unsigned i = 0; i < len; i++)
		key |= (uint32_t)(unsigned char)text[i] << (8 * i);
	return key | 0x20202020;
}

static uint32_t mix(uint32_t key)
{
	return key * UINT32_C(0x9e3779b1);
}

static unsigned head_of(uint32_t key)
{
	return mix(key) >> 26;
}

static unsigned gram_of(uint32_t key)
{
	return mix(key) >> 20;
}

/* Going back to the last '*' alone is enough, so this is at most LEN * pattern steps. */
static bool matches(const struct lw_tag_pattern *p, const char *text, size_t len)
{
	const char *pattern = p->text, *end = p->text + p->len, *star = NULL;
	size_t i = 0, retry = 0;

	while (i < len) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			retry = i;
		} else if (pattern < end && lower(*pattern) == lower(text[i])) {
			pattern++;
			i++;
		} else if (star) {
			pattern = star;
			i = ++retry;
		} else {
			return false;
		}
		if (star == end)
			return true;
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

/* Whether P, found by the bytes of TEXT at AT, matches TEXT as a whole. */
static bool confirmed(const struct lw_tag_pattern *p, const char *text, size_t len, size_t at)
{
	switch (p->form) {
	case EXACT:
		return len == p->len && same(p->text, text, len);
	case PREFIX:
		return len >= p->len - 1U && same(p->text, text, p->len - 1U);
	case INFIX:
		return len - at >= p->len - 2U && same(p->text + 1, text + at, p->len - 2U);
	case SUFFIX:
		return len >= p->len - 1U &&
		       same(p->text + 1, text + len - (p->len - 1U), p->len - 1U);
	default:
		return matches(p, text, len);
	}
}

static void find_chain(const struct lw_tag_index *index, uint16_t first, uint32_t key,
		       const char *text, size_t len, size_t at, lw_tag_hit_f hit, void *arg)
{
	for (uint16_t i = first; i != LW_TAG_INDEX_NONE; i = index->pattern[i].next) {
		const struct lw_tag_pattern *p = &index->pattern[i];

		if (p->key == key && confirmed(p, text, len, at))
			hit(arg, p->id);
	}
}

/* The three bytes at AT of LEN, read as four where there are as many. */
static uint32_t gram_at(const char *text, size_t len, size_t at)
{
	if (at + KEY_BYTES > len)
		return key_of(text + at, GRAM_BYTES);
	return (load(text + at) & 0xffffff) | 0x20202020;
}

static void find_floating(const struct lw_tag_index *index, const char *text, size_t len,
			  lw_tag_hit_f hit, void *arg)
{
	if (!index->has_floating)
		return;
	for (size_t at = 0; at + GRAM_BYTES <= len; at++) {
		uint32_t key = gram_at(text, len, at);
		unsigned gram = gram_of(key);

		if (index->grams[gram / 64] >> (gram % 64) & 1)
			find_chain(index, index->floating[head_of(key)], key, text, len, at, hit,
				   arg);
	}
}

/* Whether a pattern hangs on KEY; most words end their way here. */
static bool is_key(const struct lw_tag_index *index, uint32_t key)
{
	unsigned gram = gram_of(key);

	return index->keys[gram / 64] >> (gram % 64) & 1;
}

/* Whether anchored patterns are worth a look by the first N bytes of a text of LEN. */
static bool has_length(const struct lw_tag_index *index, unsigned n, size_t len)
{
	return (len == n ? index->lengths : index->longer) >> (n - 1) & 1;
}

static uint32_t end_key(const char *text, size_t len)
{
	return key_of(text + len - KEY_BYTES, KEY_BYTES) ^ END_SALT;
}

static bool may_end(const struct lw_tag_index *index, const char *text, size_t len)
{
	return index->has_ends && len >= KEY_BYTES && is_key(index, end_key(text, len));
}

void lw_tag_index_find(const struct lw_tag_index *index, const char *text, size_t len,
		       lw_tag_hit_f hit, void *arg)
{
	if (!len)
		return;
	if (len > LW_TAG_INDEX_TEXT_MAX)
		len = LW_TAG_INDEX_TEXT_MAX;
	for (unsigned n = 1; n <= KEY_BYTES && n <= len; n++) {
		uint32_t key;

		if (!has_length(index, n, len))
			continue;
		key = key_of(text, n);
		if (is_key(index, key))
			find_chain(index, index->anchored[head_of(key)], key, text, len, 0, hit,
				   arg);
	}
	if (may_end(index, text, len)) {
		uint32_t key = end_key(text, len);

		find_chain(index, index->anchored[head_of(key)], key, text, len, 0, hit, arg);
	}
	find_floating(index, text, len, hit, arg);
	for (uint16_t i = index->always; i != LW_TAG_INDEX_NONE; i = index->pattern[i].next)
		if (matches(&index->pattern[i], text, len))
			hit(arg, index->pattern[i].id);
}

static void note(void *arg, uint32_t id)
{
	bool *found = arg;

	(void)id;
	*found = true;
}

bool lw_tag_index_may_begin(const struct lw_tag_index *index, const char *text, size_t len)
{
	bool found = index->always != LW_TAG_INDEX_NONE || may_end(index, text, len);

	if (len && len < KEY_BYTES && index->pairs >> head_of(key_of(text, (unsigned)len)) & 1)
		return true;
	for (unsigned n = 1; n <= KEY_BYTES && n <= len; n++)
		if (has_length(index, n, len) && is_key(index, key_of(text, n)))
			return true;
	if (!found)
		find_floating(index, text, len, note, &found);
	return found;
}

uint16_t lw_tag_index_exact(const struct lw_tag_index *index, const char *text, size_t len)
{
	unsigned n = len < KEY_BYTES ? (unsigned)len : KEY_BYTES;
	uint32_t key = key_of(text, n);

	if (!len || !is_key(index, key))
		return LW_TAG_INDEX_NONE;
	for (uint16_t i = index->anchored[head_of(key)]; i != LW_TAG_INDEX_NONE;
	     i = index->pattern[i].next) {
		const struct lw_tag_pattern *p = &index->pattern[i];

		if (p->key == key && p->len == len && !memcmp(p->text, text, len))
			return p->id;
	}
	return LW_TAG_INDEX_NONE;
}

/* ---- adding ---- */

static enum form form_of(const char *pattern, size_t len)
{
	const char *star = memchr(pattern, '*', len);
	const char *more =
		star ? memchr(star + 1, '*', (size_t)(pattern + len - star - 1)) : NULL;

	if (!star)
		return EXACT;
	if (!more)
		return star == pattern + len - 1 ? PREFIX : star == pattern ? SUFFIX : WILDCARD;
	return star == pattern && more == pattern + len - 1 ? INFIX : WILDCARD;
}

static void put_first(uint16_t *head, struct lw_tag_pattern *p, uint16_t at)
{
	p->next = *head;
	*head = at;
}

/* How many bytes P has from AT on before a '*'. */
static size_t literal_at(const struct lw_tag_pattern *p, size_t at)
{
	const char *star = at < p->len ? memchr(p->text + at, '*', p->len - at) : NULL;

	if (at >= p->len)
		return 0;
	return star ? (size_t)(star - p->text) - at : p->len - at;
}

/* Hang pattern AT where a text leads to it. */
static void hang(struct lw_tag_index *index, uint16_t at)
{
	struct lw_tag_pattern *p = &index->pattern[at];
	size_t first = literal_at(p, 0), behind = literal_at(p, 1);

	if (first) {
		unsigned n = first < KEY_BYTES ? (unsigned)first : KEY_BYTES;

		p->key = key_of(p->text, n);
		index->lengths |= (uint8_t)(1U << (n - 1));
		if (n == KEY_BYTES || p->form != EXACT)
			index->longer |= (uint8_t)(1U << (n - 1));
		index->keys[gram_of(p->key) / 64] |= UINT64_C(1) << (gram_of(p->key) % 64);
		for (unsigned i = 1; i < n; i++)
			if (p->text[i] == ' ')
				index->pairs |= UINT64_C(1) << head_of(key_of(p->text, i));
		put_first(&index->anchored[head_of(p->key)], p, at);
	} else if (p->form == SUFFIX && behind >= KEY_BYTES) {
		p->key = end_key(p->text, p->len);
		index->has_ends = true;
		index->keys[gram_of(p->key) / 64] |= UINT64_C(1) << (gram_of(p->key) % 64);
		put_first(&index->anchored[head_of(p->key)], p, at);
	} else if (behind >= GRAM_BYTES) {
		p->key = key_of(p->text + 1, GRAM_BYTES);
		index->grams[gram_of(p->key) / 64] |= UINT64_C(1) << (gram_of(p->key) % 64);
		index->has_floating = true;
		put_first(&index->floating[head_of(p->key)], p, at);
	} else {
		put_first(&index->always, p, at);
	}
}

int lw_tag_index_add(struct lw_tag_index *index, const char *pattern, size_t len, uint16_t id)
{
	if (index->patterns >= LW_TAG_INDEX_NONE || len > UINT16_MAX)
		return -ENOSPC;
	if (lw_grow((void **)&index->pattern, &index->room, index->patterns + 1,
		    sizeof(*index->pattern)))
		return -ENOMEM;
	index->pattern[index->patterns] = (struct lw_tag_pattern){
		.text = pattern,
		.len = (uint16_t)len,
		.id = id,
		.form = (uint8_t)form_of(pattern, len),
	};
	hang(index, (uint16_t)index->patterns++);
	return 0;
}

void lw_tag_index_init(struct lw_tag_index *index)
{
	memset(index, 0, sizeof(*index));
	memset(index->anchored, 0xff, sizeof(index->anchored));
	memset(index->floating, 0xff, sizeof(index->floating));
	index->always = LW_TAG_INDEX_NONE;
}

void lw_tag_index_fini(struct lw_tag_index *index)
{
	free(index->pattern);
	lw_tag_index_init(index);
}
