/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: many patterns against one short text at once; private to tag*.c. */
/*
 * The idea of a filter on short pieces before a full comparison is that of Wu and Manber
 * ("A fast algorithm for multi-pattern searching", TR-94-17, University of Arizona, 1994).
 * The tables are few and small on purpose: between two submissions slurmctld does much else,
 * and what is not in its caches any more has to be fetched again.
 */
#include "policy/tag/tag_index.h"

#include "base/grow.h"
#include "policy/tag/bytes.h"
#include "policy/tag/hot.h"
#include "policy/tag/load.h"

#include <errno.h>
#include <string.h>

#define KEY_BYTES  4
#define GRAM_BYTES 3

enum form {
	EXACT,
	PREFIX,   /* abc* */
	INFIX,    /* *abc* */
	SUFFIX,   /* *abc */
	WILDCARD, /* any other */
};

#define TEXT_BITS 20
#define LEN_BITS  12
#define ID_BITS   9

/* A pattern as it was added. */
struct lw_tag_pattern {
	uint32_t key;
	uint32_t text : TEXT_BITS; /* where it begins in the text of all */
	uint32_t len : LEN_BITS;
	uint16_t next; /* of the same chain */
	uint16_t id : ID_BITS;
	uint16_t form : 3;
	uint16_t space : 4;
};

/*
 * A pattern as it is found. Those of a chain lie behind each other, with their texts: there are
 * a thousand, of which a script leads to a dozen, and each takes one line of cache or two.
 */
struct record {
	uint32_t key;
	uint16_t id : ID_BITS;
	uint16_t form : 3;
	uint16_t space : 4;
	uint16_t len : LEN_BITS;
	uint16_t is_last : 1; /* of the chain */
	char text[];
};

/* What heads of chains count in. */
#define UNIT 16

_Static_assert(sizeof(struct record) == 8, "a record is larger than it needs to be");
_Static_assert(LW_TAG_INDEX_IDS == 1 << ID_BITS && LW_TAG_INDEX_SPACES == 1 << 4,
	       "ids or spaces have no room");

/* What a pattern is found by: they all hang in one table, and are told apart by this. */
enum role {
	BEGIN,
	END,
	FLOAT,
	ROLES,
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

/* The first LEN bytes, at most 4, with a case bit that says nothing set in each. */
static uint32_t key_of(const char *text, unsigned len)
{
	uint32_t key = 0;

	if (len == KEY_BYTES)
		return lw_tag_load_4(text) | 0x20202020;
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
	return mix(key) / (UINT32_MAX / LW_TAG_INDEX_HEADS + 1);
}

static unsigned pair_of(uint32_t key)
{
	return mix(key) >> 26;
}

static unsigned bit_of(uint32_t key)
{
	return mix(key) / (UINT32_MAX / LW_TAG_INDEX_KEYS + 1);
}

/* The same bytes in another place or space are another key. */
static uint32_t salted(uint32_t key, unsigned space, enum role role)
{
	return key + (space * ROLES + role + 1) * UINT32_C(0x5bd1e995);
}

/* Going back to the last '*' alone is enough, so this is at most LEN * pattern steps. */
LW_TAG_HOT static bool matches(const char *pattern, size_t pattern_len, const char *text,
			       size_t len)
{
	const char *end = pattern + pattern_len, *star = NULL;
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

static size_t record_size(size_t len)
{
	return (sizeof(struct record) + len + sizeof(uint32_t) - 1) / sizeof(uint32_t) *
	       sizeof(uint32_t);
}

/* The first record of the chain that KEY leads to, or NULL. */
static const struct record *first_record(const struct lw_tag_index *index, uint32_t key)
{
	uint16_t head = index->head[head_of(key)];

	return head == LW_TAG_INDEX_NONE ? NULL
					 : (const void *)(index->records + (size_t)head * UNIT);
}

static const struct record *next_record(const struct record *r)
{
	return r->is_last ? NULL : (const void *)((const char *)r + record_size(r->len));
}

/*
 * Whether P, found by the bytes of TEXT at AT, matches TEXT as a whole. One comparison for all
 * forms: each of its own would be more code to fetch, and jumps to guess.
 */
LW_TAG_HOT static bool confirmed(const struct record *p, const char *text, size_t len, size_t at)
{
	size_t begun = p->form == INFIX || p->form == SUFFIX; /* with a '*' */
	size_t open = p->form == PREFIX || p->form == INFIX;  /* at the end */
	size_t known = p->len - begun - open;

	if (p->form == WILDCARD)
		return matches(p->text, p->len, text, len);
	at = p->form == INFIX ? at : 0;
	if (len - at < known || (p->form == EXACT && len != known))
		return false;
	at = p->form == SUFFIX ? len - known : at;
	return same(p->text + begun, text + at, known);
}

/* Whether a pattern hangs on KEY; most words end their way here. */
static bool is_key(const struct lw_tag_index *index, uint32_t key)
{
	unsigned bit = bit_of(key);

	return index->keys[bit / 64] >> (bit % 64) & 1;
}

/* Follow those that hang on KEY, salted for SPACE. */
LW_TAG_HOT static void find_chain(const struct lw_tag_index *index, unsigned space, uint32_t key,
				  const char *text, size_t len, size_t at, lw_tag_hit_f hit,
				  void *arg)
{
	for (const struct record *p = first_record(index, key); p; p = next_record(p))
		if (p->key == key && p->space == space && confirmed(p, text, len, at))
			hit(arg, p->id);
}

/* The three bytes at AT of LEN, read as four where there are as many. */
static uint32_t gram_at(const char *text, size_t len, size_t at)
{
	if (at + KEY_BYTES > len)
		return key_of(text + at, GRAM_BYTES);
	return (lw_tag_load_4(text + at) & 0xffffff) | 0x20202020;
}

LW_TAG_HOT static void find_floating(const struct lw_tag_index *index, unsigned space,
				     const char *text, size_t len, lw_tag_hit_f hit, void *arg)
{
	if (!index->space[space].has_floating)
		return;
	for (size_t at = 0; at + GRAM_BYTES <= len; at++) {
		uint32_t key = salted(gram_at(text, len, at), space, FLOAT);

		if (is_key(index, key))
			find_chain(index, space, key, text, len, at, hit, arg);
	}
}

/* How many of the first bytes of a text of LEN anchored patterns are found by: bit N - 1 for N.
 */
static unsigned lengths_for(const struct lw_tag_space *space, size_t len)
{
	if (len > KEY_BYTES)
		return space->longer;
	return (space->longer & ((1U << (len - 1)) - 1)) | (space->lengths & 1U << (len - 1));
}

static uint32_t begin_key(unsigned space, const char *text, unsigned n)
{
	return salted(key_of(text, n), space, BEGIN);
}

/* Of a word of three bytes and the blank behind it. */
static uint32_t pair_key(unsigned space, const char *text)
{
	const char pair[KEY_BYTES] = { text[0], text[1], text[2], ' ' };

	return begin_key(space, pair, KEY_BYTES);
}

static uint32_t end_key(unsigned space, const char *text, size_t len)
{
	return salted(key_of(text + len - KEY_BYTES, KEY_BYTES), space, END);
}

LW_TAG_HOT void lw_tag_index_find(const struct lw_tag_index *index, unsigned space,
				  const char *text, size_t len, lw_tag_hit_f hit, void *arg)
{
	const struct lw_tag_space *about = &index->space[space];
	uint32_t key;

	if (!len)
		return;
	if (len > LW_TAG_INDEX_TEXT_MAX)
		len = LW_TAG_INDEX_TEXT_MAX;
	for (unsigned bits = lengths_for(about, len); bits; bits &= bits - 1) {
		key = begin_key(space, text, (unsigned)__builtin_ctz(bits) + 1);
		if (is_key(index, key))
			find_chain(index, space, key, text, len, 0, hit, arg);
	}
	if (about->has_ends && len >= KEY_BYTES) {
		key = end_key(space, text, len);
		if (is_key(index, key))
			find_chain(index, space, key, text, len, 0, hit, arg);
	}
	find_floating(index, space, text, len, hit, arg);
	for (uint16_t i = about->always; i != LW_TAG_INDEX_NONE; i = index->pattern[i].next) {
		const struct lw_tag_pattern *p = &index->pattern[i];

		if (matches(index->text + p->text, p->len, text, len))
			hit(arg, p->id);
	}
}

LW_TAG_HOT static void note(void *arg, uint32_t id)
{
	bool *found = arg;

	(void)id;
	*found = true;
}

/* Whether P matches TEXT, or may match it with a blank and more behind it. */
LW_TAG_HOT static bool goes_on(const struct record *p, const char *text, size_t len)
{
	if (p->form == WILDCARD || confirmed(p, text, len, 0))
		return true;
	return (p->form == EXACT || p->form == PREFIX) && p->len > len && p->text[len] == ' ' &&
	       same(p->text, text, len);
}

/* Whether one that hangs on KEY, salted for SPACE, does so. */
LW_TAG_HOT static bool any_goes_on(const struct lw_tag_index *index, unsigned space, uint32_t key,
				   const char *text, size_t len)
{
	if (!is_key(index, key))
		return false;
	for (const struct record *p = first_record(index, key); p; p = next_record(p))
		if (p->key == key && p->space == space && goes_on(p, text, len))
			return true;
	return false;
}

LW_TAG_HOT bool lw_tag_index_may_begin(const struct lw_tag_index *index, unsigned space,
				       const char *text, size_t len)
{
	const struct lw_tag_space *about = &index->space[space];
	bool found = about->always != LW_TAG_INDEX_NONE;

	if (!len)
		return found;
	if (len > LW_TAG_INDEX_TEXT_MAX)
		len = LW_TAG_INDEX_TEXT_MAX;
	if (len == KEY_BYTES - 1 && any_goes_on(index, space, pair_key(space, text), text, len))
		return true;
	if (len < KEY_BYTES - 1 && about->pairs >> pair_of(key_of(text, (unsigned)len)) & 1)
		return true;
	for (unsigned bits = lengths_for(about, len); bits; bits &= bits - 1)
		if (any_goes_on(index, space,
				begin_key(space, text, (unsigned)__builtin_ctz(bits) + 1), text,
				len))
			return true;
	if (about->has_ends && len >= KEY_BYTES &&
	    any_goes_on(index, space, end_key(space, text, len), text, len))
		return true;
	if (!found)
		find_floating(index, space, text, len, note, &found);
	return found;
}

LW_TAG_HOT uint16_t lw_tag_index_exact(const struct lw_tag_index *index, unsigned space,
				       const char *text, size_t len)
{
	uint32_t key;

	if (!len)
		return LW_TAG_INDEX_NONE;
	key = begin_key(space, text, len < KEY_BYTES ? (unsigned)len : KEY_BYTES);
	if (!is_key(index, key))
		return LW_TAG_INDEX_NONE;
	for (const struct record *p = first_record(index, key); p; p = next_record(p))
		if (p->key == key && p->space == space && p->len == len &&
		    lw_tag_equal(p->text, text, len))
			return p->id;
	return LW_TAG_INDEX_NONE;
}

LW_TAG_HOT void lw_tag_index_prefetch(const struct lw_tag_index *index)
{
	lw_tag_prefetch(index, offsetof(struct lw_tag_index, pattern));
	lw_tag_prefetch(index->records, index->first_size);
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

/* How many bytes of PATTERN there are from AT on before a '*'. */
static size_t literal_at(const char *pattern, size_t len, size_t at)
{
	const char *star = at < len ? memchr(pattern + at, '*', len - at) : NULL;

	if (at >= len)
		return 0;
	return star ? (size_t)(star - pattern) - at : len - at;
}

/* Note what is asked of an anchored PATTERN's space before it is looked for: N bytes of key. */
static void note_anchored(struct lw_tag_space *space, const char *pattern, enum form form,
			  unsigned n)
{
	space->lengths |= (uint8_t)(1U << (n - 1));
	if (n == KEY_BYTES || form != EXACT)
		space->longer |= (uint8_t)(1U << (n - 1));
	for (unsigned i = 1; i < n; i++)
		if (pattern[i] == ' ')
			space->pairs |= UINT64_C(1) << pair_of(key_of(pattern, i));
}

/* Hang P, whose number is AT, where a text leads to it. */
static void hang(struct lw_tag_index *index, struct lw_tag_pattern *p, uint16_t at)
{
	struct lw_tag_space *space = &index->space[p->space];
	const char *text = index->text + p->text;
	size_t first = literal_at(text, p->len, 0), behind = literal_at(text, p->len, 1);

	if (first) {
		unsigned n = first < KEY_BYTES ? (unsigned)first : KEY_BYTES;

		p->key = begin_key(p->space, text, n);
		note_anchored(space, text, (enum form)p->form, n);
	} else if (p->form == SUFFIX && behind >= KEY_BYTES) {
		p->key = end_key(p->space, text, p->len);
		space->has_ends = true;
	} else if (behind >= GRAM_BYTES) {
		p->key = salted(key_of(text + 1, GRAM_BYTES), p->space, FLOAT);
		space->has_floating = true;
	} else {
		put_first(&space->always, p, at);
		return;
	}
	index->keys[bit_of(p->key) / 64] |= UINT64_C(1) << (bit_of(p->key) % 64);
	put_first(&index->chain[head_of(p->key)], p, at);
}

int lw_tag_index_add(struct lw_tag_index *index, unsigned space, const char *pattern, size_t len,
		     uint16_t id)
{
	struct lw_tag_pattern *p;
	uint32_t units;

	if (space >= LW_TAG_INDEX_SPACES || id >= LW_TAG_INDEX_IDS)
		return -EINVAL;
	/* a pattern may be the only one of its chain */
	units = (uint32_t)(record_size(len) / UNIT + 1);
	if (len >= 1 << LEN_BITS || index->units + units > LW_TAG_INDEX_NONE)
		return -ENOSPC;
	if (lw_grow((void **)&index->pattern, &index->room, index->patterns + 1,
		    sizeof(*index->pattern)) ||
	    lw_grow((void **)&index->text, &index->text_room,
		    index->text_size + (uint32_t)len + 1, 1))
		return -ENOMEM;
	p = &index->pattern[index->patterns];
	*p = (struct lw_tag_pattern){
		.text = index->text_size & ((1U << TEXT_BITS) - 1),
		.len = (uint32_t)len & ((1U << LEN_BITS) - 1),
		.id = id & (LW_TAG_INDEX_IDS - 1),
		.form = form_of(pattern, len) & 7,
		.space = space & (LW_TAG_INDEX_SPACES - 1),
	};
	memcpy(index->text + p->text, pattern, len);
	index->text_size += (uint32_t)len;
	index->units += units;
	hang(index, p, (uint16_t)index->patterns++);
	return 0;
}

/* Write the patterns of CHAIN to TO as records; where they end. */
static char *write_chain(const struct lw_tag_index *index, uint16_t chain, char *to)
{
	for (uint16_t i = chain; i != LW_TAG_INDEX_NONE; i = index->pattern[i].next) {
		const struct lw_tag_pattern *p = &index->pattern[i];
		struct record *r = (void *)to;

		*r = (struct record){
			.key = p->key,
			.id = p->id,
			.form = p->form,
			.space = p->space,
			.len = p->len,
			.is_last = p->next == LW_TAG_INDEX_NONE,
		};
		memcpy(r->text, index->text + p->text, p->len);
		to += record_size(p->len);
	}
	return to;
}

/* Whether CHAIN has a pattern of SPACE, or SPACE is none. */
static bool has_space(const struct lw_tag_index *index, uint16_t chain, unsigned space)
{
	bool found = space == LW_TAG_INDEX_SPACES;

	for (uint16_t i = chain; !found && i != LW_TAG_INDEX_NONE; i = index->pattern[i].next)
		found = index->pattern[i].space == space;
	return found;
}

/* Write the chains with a pattern of SPACE that RECORDS has not yet, from TO on. */
static char *write_chains(struct lw_tag_index *index, unsigned space, char *records, char *to)
{
	for (unsigned i = 0; i < LW_TAG_INDEX_HEADS; i++) {
		if (index->head[i] != LW_TAG_INDEX_NONE || index->chain[i] == LW_TAG_INDEX_NONE ||
		    !has_space(index, index->chain[i], space))
			continue;
		index->head[i] = (uint16_t)((to - records) / UNIT);
		to = write_chain(index, index->chain[i], to);
		to += -(to - records) & (UNIT - 1);
	}
	return to;
}

int lw_tag_index_seal(struct lw_tag_index *index, unsigned first)
{
	char *records = calloc((size_t)index->units + 1, UNIT), *to = records;

	if (!records)
		return -ENOMEM;
	memset(index->head, 0xff, sizeof(index->head));
	to = write_chains(index, first, records, to);
	index->first_size = (uint32_t)(to - records);
	write_chains(index, LW_TAG_INDEX_SPACES, records, to);
	free(index->records);
	index->records = records;
	return 0;
}

void lw_tag_index_init(struct lw_tag_index *index)
{
	memset(index, 0, sizeof(*index));
	memset(index->head, 0xff, sizeof(index->head));
	memset(index->chain, 0xff, sizeof(index->chain));
	for (int i = 0; i < LW_TAG_INDEX_SPACES; i++)
		index->space[i].always = LW_TAG_INDEX_NONE;
}

void lw_tag_index_fini(struct lw_tag_index *index)
{
	free(index->records);
	free(index->pattern);
	free(index->text);
	lw_tag_index_init(index);
}
