/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a reader of shell scripts wishes to do with commands, asked once a word. */
#include "policy/tag/load.h"
#include "policy/tag/shell_scan.h"

/* of which the last says what to do */
#define KEY_BYTES 15
#define WISH_SHIFT 56
#define NOT_SAID   UINT32_MAX

/* All of a word: its first eight bytes, and the others; what it has not is 0. */
struct key {
	uint64_t low, high;
};

static uint64_t byte(const char *text, uint32_t at)
{
	return (uint64_t)(unsigned char)text[at] << 8 * at;
}

/* Of 1 to 15 bytes; some are read twice, and none behind them. */
LW_TAG_HOT static struct key key_of(const char *text, uint32_t len)
{
	struct key key = { 0, 0 };

	if (len > 8) {
		key.low = lw_tag_load_8(text);
		key.high = lw_tag_load_8(text + len - 8) >> 8 * (16 - len);
	} else if (len == 8) {
		key.low = lw_tag_load_8(text);
	} else if (len >= 4) {
		key.low = lw_tag_load_4(text) |
			  (uint64_t)lw_tag_load_4(text + len - 4) << 8 * (len - 4);
	} else {
		key.low = byte(text, 0) | byte(text, len / 2) | byte(text, len - 1);
	}
	return key;
}

/* Words are kept in pairs: the first of the two that KEY may be one of, of SLOTS. */
static unsigned pair_of(struct key key, unsigned slots)
{
	uint64_t mixed = (key.low ^ key.high << 7) * UINT64_C(0x9e3779b97f4a7c15);

	return (unsigned)(mixed >> 32) & (slots - 2);
}

/* 0 when KEPT is about KEY. */
static inline uint64_t difference(const struct lw_shell_wished *kept, struct key key)
{
	return (kept->low ^ key.low) | (kept->high ^ key.high) << (64 - WISH_SHIFT);
}

static bool is_for(const struct lw_shell_wished *kept, struct key key)
{
	return !difference(kept, key);
}

/* All bits when VALUE is not 0: a comparison would become a jump. */
static inline uint64_t spread(uint64_t value)
{
	return -((value | -value) >> 63);
}

/* What the one of PAIR that is about KEY says, or NOT_SAID. Which it is is anybody's guess. */
static inline uint32_t said(const struct lw_shell_wished *pair, struct key key)
{
	uint64_t not_first = spread(difference(pair, key));
	uint64_t neither = not_first & spread(difference(pair + 1, key));
	uint64_t high = pair->high ^ ((pair->high ^ pair[1].high) & not_first);

	return (uint32_t)(high >> WISH_SHIFT) | (uint32_t)neither;
}

static void keep(struct lw_shell_wished *at, struct key key, enum lw_shell_wish wish)
{
	at->low = key.low;
	at->high = key.high | (uint64_t)wish << WISH_SHIFT;
}

/*
 * Scripts begin their commands with few different words, so what was said is kept. The key
 * in two words: as one it is put together again from memory, which waits for both.
 */
LW_TAG_HOT static enum lw_shell_wish ask(struct scanner *s, uint64_t low, uint64_t high,
					 const struct lw_shell_word *word)
{
	struct key key = { low, high };
	struct lw_shell_wished *pair = &s->wished[pair_of(key, LW_SHELL_WISHES)];
	uint32_t kept = said(pair, key);
	enum lw_shell_wish wish;

	if (kept != NOT_SAID)
		return (enum lw_shell_wish)kept;
	wish = s->reader->wants(s->reader->arg, word);
	keep(pair + (pair->low && !pair[1].low), key, wish);
	return wish;
}

/* Whether WORD, which stands in the text, has the operand behind it that makes it count. */
LW_TAG_HOT static bool has_operand(const struct scanner *s, const struct lw_shell_word *word)
{
	const char *operand = s->reader->operand, *at = word->text + word->len;
	size_t len = operand ? strlen(operand) : 0;

	if (!len || word->text < s->base || at >= s->limit || (size_t)(s->limit - at) < len + 2)
		return false;
	return *at == ' ' && lw_tag_equal(at + 1, operand, len) &&
	       (at[len + 1] == ' ' || at[len + 1] == '\n');
}

static enum lw_shell_wish with_operand(const struct scanner *s, const struct lw_shell_word *word,
				       enum lw_shell_wish wish)
{
	return wish == LW_SHELL_SKIP && has_operand(s, word) ? LW_SHELL_READ : wish;
}

static inline enum lw_shell_wish look_up(struct scanner *s, struct key key,
					 const struct lw_shell_word *word)
{
	const struct lw_shell_known *known = s->reader->known;
	uint32_t kept = known ? said(&known->word[pair_of(key, LW_SHELL_KNOWN)], key) : NOT_SAID;

	return kept != NOT_SAID ? (enum lw_shell_wish)kept
				: with_operand(s, word, ask(s, key.low, key.high, word));
}

void lw_shell_know(struct lw_shell_known *known, const struct lw_shell_word *word,
		   enum lw_shell_wish wish)
{
	struct lw_shell_wished *pair;
	struct key key;

	if (!word->len || word->len > KEY_BYTES)
		return;
	key = key_of(word->text, word->len);
	pair = &known->word[pair_of(key, LW_SHELL_KNOWN)];
	pair += pair->low && !is_for(pair, key);
	if (!pair->low || is_for(pair, key))
		keep(pair, key, wish);
}

LW_TAG_HOT enum lw_shell_wish lw_shell_wish_for(struct scanner *s,
						const struct lw_shell_word *word)
{
	if (!word->len || word->len > KEY_BYTES)
		return with_operand(s, word, s->reader->wants(s->reader->arg, word));
	return look_up(s, key_of(word->text, word->len), word);
}
