/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what each of 64 bytes of a shell script is, as bits; private to shell*.c. */
/*
 * Most lines of a script are shorter than 64 bytes, so that all that stands in one is known
 * from a few words of bits, without a jump that could be guessed wrong. After Langdale and
 * Lemire, "Parsing gigabytes of JSON per second" (VLDB Journal 28, 2019). This is most of what
 * passing over a line costs, so processors that can compare 32 bytes at once do.
 */
#ifndef LW_POLICY_TAG_SHELL_MASKS_H
#define LW_POLICY_TAG_SHELL_MASKS_H

#include "policy/tag/shell_stops.h"

/* Bit N is about byte N. */
struct lw_shell_masks {
	uint64_t newline;
	uint64_t blank; /* and tabs, and carriage returns */
	uint64_t semicolon;
	uint64_t joint;       /* | & */
	uint64_t open, close; /* parentheses */
	uint64_t single_quote, double_quote;
	uint64_t dollar;
	uint64_t hash;
	uint64_t less, greater;
	uint64_t escape; /* a backslash, or a backquote */
};

static inline struct lw_shell_masks lw_shell_masks_portable(const char *text)
{
	struct lw_shell_masks m = { 0 };

	for (unsigned i = 0; i < LW_SHELL_BLOCK; i++) {
		char c = text[i];

		m.newline |= (uint64_t)(c == '\n') << i;
		m.blank |= (uint64_t)(c == ' ' || c == '\t' || c == '\r') << i;
		m.semicolon |= (uint64_t)(c == ';') << i;
		m.joint |= (uint64_t)(c == '|' || c == '&') << i;
		m.open |= (uint64_t)(c == '(') << i;
		m.close |= (uint64_t)(c == ')') << i;
		m.single_quote |= (uint64_t)(c == '\'') << i;
		m.double_quote |= (uint64_t)(c == '"') << i;
		m.dollar |= (uint64_t)(c == '$') << i;
		m.hash |= (uint64_t)(c == '#') << i;
		m.less |= (uint64_t)(c == '<') << i;
		m.greater |= (uint64_t)(c == '>') << i;
		m.escape |= (uint64_t)(c == '\\' || c == '`') << i;
	}
	return m;
}

/* Where lines end, or "<<" may open a here-document. */
static inline uint64_t lw_shell_line_events_portable(const char *text)
{
	uint64_t events = 0;

	for (unsigned i = 0; i < LW_SHELL_BLOCK; i++)
		events |= (uint64_t)(text[i] == '\n' || text[i] == '<') << i;
	return events;
}

#ifdef __SSE2__
#include <immintrin.h>

static inline __m128i lw_shell_same(__m128i x, char c)
{
	return _mm_cmpeq_epi8(x, _mm_set1_epi8(c));
}

static inline __m128i lw_shell_either(__m128i x, char c, char d)
{
	return _mm_or_si128(lw_shell_same(x, c), lw_shell_same(x, d));
}

static inline __m128i lw_shell_blank(__m128i x)
{
	return _mm_or_si128(lw_shell_either(x, ' ', '\t'), lw_shell_same(x, '\r'));
}

static inline uint64_t lw_shell_bits(__m128i a, __m128i b, __m128i c, __m128i d)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(a) |
	       (uint64_t)(unsigned)_mm_movemask_epi8(b) << 16 |
	       (uint64_t)(unsigned)_mm_movemask_epi8(c) << 32 |
	       (uint64_t)(unsigned)_mm_movemask_epi8(d) << 48;
}

static inline uint64_t lw_shell_where(const __m128i x[4], char c)
{
	return lw_shell_bits(lw_shell_same(x[0], c), lw_shell_same(x[1], c),
			     lw_shell_same(x[2], c), lw_shell_same(x[3], c));
}

static inline uint64_t lw_shell_where_either(const __m128i x[4], char c, char d)
{
	return lw_shell_bits(lw_shell_either(x[0], c, d), lw_shell_either(x[1], c, d),
			     lw_shell_either(x[2], c, d), lw_shell_either(x[3], c, d));
}

static inline uint64_t lw_shell_line_events(const char *text)
{
	const __m128i *from = (const __m128i *)(const void *)text;
	const __m128i x[4] = { _mm_loadu_si128(from), _mm_loadu_si128(from + 1),
			       _mm_loadu_si128(from + 2), _mm_loadu_si128(from + 3) };

	return lw_shell_where_either(x, '\n', '<');
}

/* All of the 64 bytes at TEXT are read. */
static inline struct lw_shell_masks lw_shell_masks(const char *text)
{
	const __m128i *from = (const __m128i *)(const void *)text;
	const __m128i x[4] = { _mm_loadu_si128(from), _mm_loadu_si128(from + 1),
			       _mm_loadu_si128(from + 2), _mm_loadu_si128(from + 3) };

	return (struct lw_shell_masks){
		.newline = lw_shell_where(x, '\n'),
		.blank = lw_shell_bits(lw_shell_blank(x[0]), lw_shell_blank(x[1]),
				       lw_shell_blank(x[2]), lw_shell_blank(x[3])),
		.semicolon = lw_shell_where(x, ';'),
		.joint = lw_shell_where_either(x, '|', '&'),
		.open = lw_shell_where(x, '('),
		.close = lw_shell_where(x, ')'),
		.single_quote = lw_shell_where(x, '\''),
		.double_quote = lw_shell_where(x, '"'),
		.dollar = lw_shell_where(x, '$'),
		.hash = lw_shell_where(x, '#'),
		.less = lw_shell_where(x, '<'),
		.greater = lw_shell_where(x, '>'),
		.escape = lw_shell_where_either(x, '\\', '`'),
	};
}

/* The same by 32 bytes, for a processor with AVX2. */
#define LW_SHELL_WIDE __attribute__((target("avx2")))

LW_SHELL_WIDE static inline uint64_t lw_shell_wide_bits(__m256i a, __m256i b)
{
	return (uint64_t)(unsigned)_mm256_movemask_epi8(a) |
	       (uint64_t)(unsigned)_mm256_movemask_epi8(b) << 32;
}

LW_SHELL_WIDE static inline __m256i lw_shell_wide_same(__m256i x, char c)
{
	return _mm256_cmpeq_epi8(x, _mm256_set1_epi8(c));
}

LW_SHELL_WIDE static inline __m256i lw_shell_wide_either(__m256i x, char c, char d)
{
	return _mm256_or_si256(lw_shell_wide_same(x, c), lw_shell_wide_same(x, d));
}

LW_SHELL_WIDE static inline __m256i lw_shell_wide_blank(__m256i x)
{
	return _mm256_or_si256(lw_shell_wide_either(x, ' ', '\t'), lw_shell_wide_same(x, '\r'));
}

LW_SHELL_WIDE static inline uint64_t lw_shell_wide_where(__m256i x, __m256i y, char c)
{
	return lw_shell_wide_bits(lw_shell_wide_same(x, c), lw_shell_wide_same(y, c));
}

LW_SHELL_WIDE static inline uint64_t lw_shell_wide_where_either(__m256i x, __m256i y, char c,
								char d)
{
	return lw_shell_wide_bits(lw_shell_wide_either(x, c, d), lw_shell_wide_either(y, c, d));
}

LW_SHELL_WIDE static inline struct lw_shell_masks lw_shell_masks_32(const char *text)
{
	const __m256i *from = (const __m256i *)(const void *)text;
	const __m256i x = _mm256_loadu_si256(from), y = _mm256_loadu_si256(from + 1);

	return (struct lw_shell_masks){
		.newline = lw_shell_wide_where(x, y, '\n'),
		.blank = lw_shell_wide_bits(lw_shell_wide_blank(x), lw_shell_wide_blank(y)),
		.semicolon = lw_shell_wide_where(x, y, ';'),
		.joint = lw_shell_wide_where_either(x, y, '|', '&'),
		.open = lw_shell_wide_where(x, y, '('),
		.close = lw_shell_wide_where(x, y, ')'),
		.single_quote = lw_shell_wide_where(x, y, '\''),
		.double_quote = lw_shell_wide_where(x, y, '"'),
		.dollar = lw_shell_wide_where(x, y, '$'),
		.hash = lw_shell_wide_where(x, y, '#'),
		.less = lw_shell_wide_where(x, y, '<'),
		.greater = lw_shell_wide_where(x, y, '>'),
		.escape = lw_shell_wide_where_either(x, y, '\\', '`'),
	};
}
#else
static inline uint64_t lw_shell_line_events(const char *text)
{
	return lw_shell_line_events_portable(text);
}

static inline struct lw_shell_masks lw_shell_masks(const char *text)
{
	return lw_shell_masks_portable(text);
}
#endif

#endif
