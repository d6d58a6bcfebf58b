/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the tagger does with many bytes, or patterns, at once is as one by one. */
#include "policy/tag/shell_masks.h"
#include "policy/tag/shell_scan.h"
#include "policy/tag/tag_index.h"
#include "property/prng.h"
#include "property/tap.h"

#include <inttypes.h>
#include <string.h>

/* ---- patterns ---- */

static char low(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* As slow and plain as can be. */
static bool matches(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
	if (!*pattern || !*text)
		return !*pattern && !*text;
	return low(*pattern) == low(*text) && matches(pattern + 1, text + 1);
}

static void make_word(struct prng *prng, bool pattern, char *word)
{
	uint32_t len = prng_between(prng, 1, pattern ? 7 : 12);

	for (uint32_t i = 0; i < len; i++)
		word[i] = pattern && prng_chance(prng, 25) ? '*'
							   : "abAB-_ "[prng_between(prng, 0, 6)];
	word[len] = '\0';
}

static void note_hit(void *arg, uint32_t id)
{
	bool *hits = arg;

	hits[id] = true;
}

#define PATTERNS 40

static int index_finds_what_matches(uint64_t seed, struct lw_strbuf *why)
{
	char pattern[PATTERNS][8], word[16];
	struct prng prng = { seed };
	struct lw_tag_index index;
	int rc = 0;

	lw_tag_index_init(&index);
	for (uint16_t i = 0; i < PATTERNS; i++) {
		make_word(&prng, true, pattern[i]);
		rc |= lw_tag_index_add(&index, i % 2, pattern[i], strlen(pattern[i]), i);
		/* and again, with what is found already */
		if (i == PATTERNS / 2 || i == PATTERNS - 1)
			rc |= lw_tag_index_seal(&index, seed % LW_TAG_INDEX_SPACES);
	}
	for (int round = 0; !rc && round < 50; round++) {
		bool hits[PATTERNS] = { false };

		make_word(&prng, false, word);
		lw_tag_index_find(&index, round % 2, word, strlen(word), note_hit, hits);
		for (int i = 0; !rc && i < PATTERNS; i++) {
			if (hits[i] != (i % 2 == round % 2 && matches(pattern[i], word)))
				rc = BROKEN(why, "%s and %s: found %d\n", pattern[i], word,
					    hits[i]);
			else if (hits[i] &&
				 !lw_tag_index_may_begin(&index, round % 2, word, strlen(word)))
				rc = BROKEN(why, "%s may begin %s\n", word, pattern[i]);
		}
	}
	lw_tag_index_fini(&index);
	return rc;
}

/* ---- bytes ---- */

/* Sixteen bytes at once are told apart as one by one are, and nothing that ends a word is missed.
 */
static int stops_are_alike(uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	char text[LW_SHELL_BLOCK];
	uint64_t stops;

	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = (char)prng_between(&prng, 0, 255);
	stops = lw_shell_stops(text);
	if (stops != lw_shell_stops_portable(text))
		return BROKEN(why, "%016" PRIx64 " and %016" PRIx64 "\n", stops,
			      lw_shell_stops_portable(text));
	for (unsigned i = 0; i < sizeof(text); i++)
		if (kind_of(text[i]) != ORDINARY && !(stops >> i & 1))
			return BROKEN(why, "byte %d is passed over\n", text[i]);
	return 0;
}

#ifdef LW_SHELL_WIDE
LW_SHELL_WIDE static bool told_wide_is(const char *text, const struct lw_shell_masks *masks)
{
	struct lw_shell_masks wide = lw_shell_masks_32(text);

	return !memcmp(&wide, masks, sizeof(wide));
}

/* Where the processor can, 32 bytes at once. */
static bool wide_is(const char *text, const struct lw_shell_masks *masks)
{
	return !__builtin_cpu_supports("avx2") || told_wide_is(text, masks);
}
#else
static bool wide_is(const char *text, const struct lw_shell_masks *masks)
{
	(void)text;
	(void)masks;
	return true;
}
#endif

/* A line that is passed over as a whole is told by 64 bytes at once, as one by one. */
static int masks_are_alike(uint64_t seed, struct lw_strbuf *why)
{
	static const char letters[] = "\n \t\r;|&()'\"$#<>\\`a=";
	struct prng prng = { seed };
	struct lw_shell_masks fast, slow;
	char text[LW_SHELL_BLOCK];

	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = prng_chance(&prng, 50) ? letters[prng_between(&prng, 0, 18)]
						 : (char)prng_between(&prng, 0, 255);
	fast = lw_shell_masks(text);
	slow = lw_shell_masks_portable(text);
	if (memcmp(&fast, &slow, sizeof(fast)) || !wide_is(text, &slow) ||
	    lw_shell_where_is(text, '\n') != lw_shell_where_is_portable(text, '\n') ||
	    lw_shell_line_events(text) != lw_shell_line_events_portable(text) ||
	    lw_shell_word_len(text) != lw_shell_word_len_portable(text) ||
	    lw_shell_indent(text) != lw_shell_indent_portable(text))
		return BROKEN(why, "%.64s\n", text);
	return 0;
}

/* As the C library's: memchr(), memrchr(), memcmp() and memmem(). */
static int bytes_are_found(uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	size_t size = (size_t)prng_between(&prng, 0, 60), len;
	char text[64], word[4], other[64];
	const char *end = text + size, *hit;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)prng_between(&prng, 'a', 'c' + prng_chance(&prng, 50) * 10);
	for (size_t i = 0; i < sizeof(word); i++)
		word[i] = (char)prng_between(&prng, 'a', 'c');
	len = (size_t)prng_between(&prng, 1, sizeof(word));
	memcpy(other, text, sizeof(other));
	other[prng_between(&prng, 0, sizeof(other) - 1)] = 'a';
	hit = memchr(text, *word, size);
	if (lw_tag_find(text, end, *word) != (hit ? hit : end) ||
	    lw_tag_find_last(text, end, *word) != memrchr(text, *word, size) ||
	    lw_tag_equal(text, other, size) != !memcmp(text, other, size) ||
	    lw_tag_contains(text, end, word, len) != (memmem(text, size, word, len) != NULL))
		return BROKEN(why, "%.4s, %zu of it, in %.*s\n", word, len, (int)size, text);
	return 0;
}

static const struct property properties[] = {
	{ "what may end a word is seen, by 16 bytes and by one", stops_are_alike, 2000 },
	{ "64 bytes at once are what they are one by one", masks_are_alike, 2000 },
	{ "bytes are found as the C library finds them", bytes_are_found, 5000 },
	{ "the index finds the patterns that match, and no others", index_finds_what_matches,
	  2000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
