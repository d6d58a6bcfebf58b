/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: many patterns against one short text at once; private to tag*.c. */
#ifndef LW_POLICY_TAG_TAG_INDEX_H
#define LW_POLICY_TAG_TAG_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_TAG_INDEX_SPACES 16
#define LW_TAG_INDEX_IDS    512
#define LW_TAG_INDEX_HEADS  1024
#define LW_TAG_INDEX_KEYS   32768
#define LW_TAG_INDEX_NONE   UINT16_MAX
/* Texts are looked at this far. */
#define LW_TAG_INDEX_TEXT_MAX 256

struct lw_tag_pattern;

/* What is known of all patterns of one space. */
struct lw_tag_space {
	uint64_t pairs;  /* hashes of first words of two, when shorter than a key */
	uint16_t always; /* those with too little to find them by */
	bool has_floating, has_ends;
	uint8_t lengths; /* of anchored keys: bit N - 1 for N bytes */
	uint8_t longer;  /* of those that match longer texts too */
};

/*
 * Patterns are case-blind and know one wildcard, '*'. One that begins with a letter is
 * found by its first four bytes; one that begins with '*' by the first three behind it,
 * of which a bit map says whether they are worth a look. So a text costs little more than
 * its length, however many patterns there are. Patterns of several spaces, which do not
 * see each other, share the tables: what is not in the processor's caches is fetched for
 * all of them at once. To be set up by lw_tag_index_init(), filled, and sealed.
 */
struct lw_tag_index {
	struct lw_tag_space space[LW_TAG_INDEX_SPACES];
	uint64_t keys[LW_TAG_INDEX_KEYS / 64]; /* hashes of what patterns are found by */
	uint16_t head[LW_TAG_INDEX_HEADS];     /* where the records of a chain begin */
	char *records;                         /* chain by chain, from lw_tag_index_seal() */
	/* what was added */
	struct lw_tag_pattern *pattern;
	char *text; /* of all patterns, without anything between */
	uint32_t patterns, room, text_size, text_room;
	uint32_t first_size; /* of the records that most scripts lead to */
	uint32_t units;      /* that the records may take */
	uint16_t chain[LW_TAG_INDEX_HEADS];
};

typedef void (*lw_tag_hit_f)(void *arg, uint32_t id);

void lw_tag_index_init(struct lw_tag_index *index);
void lw_tag_index_fini(struct lw_tag_index *index);

/*
 * Add PATTERN, of LEN bytes, to SPACE as ID; it is found when the index is sealed again. 0,
 * -ENOMEM, -EINVAL for no such space or id, -ENOSPC above 4095 bytes, or 1 MiB of all patterns,
 * where each takes at most 32 bytes beside its own.
 */
int lw_tag_index_add(struct lw_tag_index *index, unsigned space, const char *pattern, size_t len,
		     uint16_t id);

/*
 * Have all that was added found, and lie together where one key leads to it; space FIRST is what
 * most scripts lead to. 0 or -ENOMEM, and then what was found before still is.
 */
int lw_tag_index_seal(struct lw_tag_index *index, unsigned first);

/* Call HIT for every pattern of SPACE that matches TEXT; twice for an id with two that do. */
void lw_tag_index_find(const struct lw_tag_index *index, unsigned space, const char *text,
		       size_t len, lw_tag_hit_f hit, void *arg);

/*
 * Whether a text that begins with TEXT may match an anchored pattern of SPACE, or any text
 * a floating one: false is certain, true is not.
 */
bool lw_tag_index_may_begin(const struct lw_tag_index *index, unsigned space, const char *text,
			    size_t len);

/* The id of the pattern of SPACE that is exactly TEXT, in its case, or LW_TAG_INDEX_NONE. */
uint16_t lw_tag_index_exact(const struct lw_tag_index *index, unsigned space, const char *text,
			    size_t len);

/*
 * Have the tables fetched into the processor's caches, all at once: one line after the
 * other, as each is needed, takes many times as long.
 */
void lw_tag_index_prefetch(const struct lw_tag_index *index);

#endif
