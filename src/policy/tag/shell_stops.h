/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which of 16 or 64 bytes may end a plain word of a shell script; private to shell*.c. */
/*
 * The loop that looks at a word byte by byte guesses wrong where the word ends, once a word,
 * and that was most of what reading a script cost. So many bytes are told apart at once, as
 * simdjson does for JSON (Langdale and Lemire, "Parsing gigabytes of JSON per second", VLDB
 * Journal 28, 2019), and the ends of words are counted off the bits.
 */
#ifndef LW_POLICY_TAG_SHELL_STOPS_H
#define LW_POLICY_TAG_SHELL_STOPS_H

#include <stdint.h>
#include <string.h>

#define LW_SHELL_BLOCK 64

/*
 * Bytes that stop a word, and some more that are rare in one: all up to the blank, 0x22 to
 * 0x29 (quotes, $, &, parentheses), ; < > \ | and the backquote. Few comparisons tell these
 * from letters, digits and / - _ = . : and the reader looks twice at what it is given.
 */
static inline int lw_shell_may_stop(unsigned char c)
{
	return c <= 0x20 || (c >= 0x22 && c <= 0x29) || c == ';' || c == '<' || c == '>' ||
	       c == '\\' || c == '|' || c == '`';
}

static inline uint64_t lw_shell_stops_portable(const char *text)
{
	uint64_t stops = 0;

	for (unsigned i = 0; i < LW_SHELL_BLOCK; i++)
		stops |= (uint64_t)lw_shell_may_stop((unsigned char)text[i]) << i;
	return stops;
}

/* Bit N says that TEXT[N] is C; all of the 64 bytes are read. */
static inline uint64_t lw_shell_where_is_portable(const char *text, char c)
{
	uint64_t same = 0;

	for (unsigned i = 0; i < LW_SHELL_BLOCK; i++)
		same |= (uint64_t)(text[i] == c) << i;
	return same;
}

/* Bytes of the word at TEXT before a '=', as far as 16; so many are read. */
static inline unsigned lw_shell_word_len_portable(const char *text)
{
	unsigned len = 0;

	while (len < 16 && text[len] != '=' && !lw_shell_may_stop((unsigned char)text[len]))
		len++;
	return len;
}

/* Blanks and tabs at TEXT, as far as 16; so many bytes are read. */
static inline unsigned lw_shell_indent_portable(const char *text)
{
	unsigned len = 0;

	while (len < 16 && (text[len] == ' ' || text[len] == '\t'))
		len++;
	return len;
}

#ifdef __SSE2__ /* every x86-64 has it: nothing to ask for at run time */
#include <emmintrin.h>

/* Whether each byte of X lies in FIRST .. FIRST + SPAN. */
static inline __m128i lw_shell_in_span(__m128i x, int first, int span)
{
	__m128i from = _mm_sub_epi8(x, _mm_set1_epi8((char)first));

	return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)span)), from);
}

static inline uint64_t lw_shell_stops_16(const char *text)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)text);
	__m128i stop = lw_shell_in_span(x, 0, 0x20);

	stop = _mm_or_si128(stop, lw_shell_in_span(x, 0x22, 7));
	stop = _mm_or_si128(stop, lw_shell_in_span(x, ';', 1));
	stop = _mm_or_si128(stop, _mm_cmpeq_epi8(x, _mm_set1_epi8('>')));
	stop = _mm_or_si128(stop, _mm_cmpeq_epi8(x, _mm_set1_epi8('`')));
	/* a bit tells '\\' from '|' */
	x = _mm_and_si128(x, _mm_set1_epi8((char)0xdf));
	stop = _mm_or_si128(stop, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
	return (uint64_t)(unsigned)_mm_movemask_epi8(stop);
}

/* Bit N says that TEXT[N] may end a plain word; all of the 64 bytes are read. */
static inline uint64_t lw_shell_stops(const char *text)
{
	return lw_shell_stops_16(text) | lw_shell_stops_16(text + 16) << 16 |
	       lw_shell_stops_16(text + 32) << 32 | lw_shell_stops_16(text + 48) << 48;
}

static inline uint64_t lw_shell_is_16(const char *text, char c)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)text);

	return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(c)));
}

static inline uint64_t lw_shell_where_is(const char *text, char c)
{
	return lw_shell_is_16(text, c) | lw_shell_is_16(text + 16, c) << 16 |
	       lw_shell_is_16(text + 32, c) << 32 | lw_shell_is_16(text + 48, c) << 48;
}

static inline unsigned lw_shell_indent(const char *text)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)text);
	__m128i blank = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')),
				     _mm_cmpeq_epi8(x, _mm_set1_epi8('\t')));

	return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(blank));
}

static inline unsigned lw_shell_word_len(const char *text)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)text);
	unsigned equals = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('=')));

	return (unsigned)__builtin_ctzll(lw_shell_stops_16(text) | equals | 1 << 16);
}
#else
static inline uint64_t lw_shell_where_is(const char *text, char c)
{
	return lw_shell_where_is_portable(text, c);
}

static inline unsigned lw_shell_indent(const char *text)
{
	return lw_shell_indent_portable(text);
}

static inline unsigned lw_shell_word_len(const char *text)
{
	return lw_shell_word_len_portable(text);
}

static inline uint64_t lw_shell_stops(const char *text)
{
	return lw_shell_stops_portable(text);
}
#endif

#endif
