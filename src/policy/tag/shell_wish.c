/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a reader of shell scripts wishes to do with commands, asked once a word. */
#include "policy/tag/load.h"
#include "policy/tag/shell_scan.h"

#define KEY_BYTES 16

/* All of a word: its first eight bytes, and the others; what it has not is 0. */
struct key {
	uint64_t low, high;
};

static uint64_t byte(const char *text, uint32_t at)
{
	return (uint64_t)(unsigned char)text[at] << 8 * at;
}

/* Of 1 to 16 bytes; some are read twice, and none behind them. */
static struct key key_of(const char *text, uint32_t len)
{
	struct key key = { 0, 0 };

	if (len > 8) {
		key.low = lw_tag_load_8(text);
		key.high = lw_tag_load_8(text + len - 8) >> 8 * (KEY_BYTES - len);
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

/* The same when 16 bytes may be read: then there is no need to tell lengths apart. */
static struct key key_near(const char *text, uint32_t len)
{
	uint32_t low = len < 8 ? len : 8;
	uint64_t all = ~UINT64_C(0), more = len > 8;

	return (struct key){
		.low = lw_tag_load_8(text) & all >> (64 - 8 * low),
		.high = lw_tag_load_8(text + 8) & -more & all >> (more * (128 - 8 * (uint64_t)len)),
	};
}

static unsigned slot_of(struct key key)
{
	uint64_t mixed = (key.low ^ key.high << 7) * UINT64_C(0x9e3779b97f4a7c15);

	return (unsigned)(mixed >> 32) % LW_SHELL_WISHES;
}

/* Scripts begin their commands with few different words, so what was said is kept, in pairs. */
static enum lw_shell_wish look_up(struct scanner *s, struct key key,
				  const struct lw_shell_word *word)
{
	struct lw_shell_wished *kept = &s->wished[slot_of(key)],
			       *other = &s->wished[slot_of(key) ^ 1];
	enum lw_shell_wish wish;

	if (kept->low == key.low && kept->high == key.high)
		return kept->wish;
	if (other->low == key.low && other->high == key.high)
		return other->wish;
	wish = s->reader->wants(s->reader->arg, word);
	if (kept->low && !other->low)
		kept = other;
	*kept = (struct lw_shell_wished){ key.low, key.high, wish };
	return wish;
}

enum lw_shell_wish lw_shell_wish_for(struct scanner *s, const struct lw_shell_word *word)
{
	if (!word->len || word->len > KEY_BYTES)
		return s->reader->wants(s->reader->arg, word);
	return look_up(s, key_of(word->text, word->len), word);
}

enum lw_shell_wish lw_shell_wish_near(struct scanner *s, const struct lw_shell_word *word)
{
	if (word->len > KEY_BYTES)
		return s->reader->wants(s->reader->arg, word);
	return look_up(s, key_near(word->text, word->len), word);
}
