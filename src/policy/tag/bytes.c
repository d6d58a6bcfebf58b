/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find and compare bytes without the C library; private to this folder. */
#include "policy/tag/bytes.h"

#include "policy/tag/hot.h"
#include "policy/tag/load.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

LW_TAG_HOT const char *lw_tag_find(const char *from, const char *end, char c)
{
#ifdef __SSE2__
	const __m128i wanted = _mm_set1_epi8(c);

	for (; end - from >= 16; from += 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)from);
		unsigned hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, wanted));

		if (hits)
			return from + __builtin_ctz(hits);
	}
#endif
	while (from < end && *from != c)
		from++;
	return from;
}

LW_TAG_HOT const char *lw_tag_find_last(const char *from, const char *end, char c)
{
#ifdef __SSE2__
	const __m128i wanted = _mm_set1_epi8(c);

	for (; end - from >= 16; end -= 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)(end - 16));
		unsigned hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, wanted));

		if (hits)
			return end - 16 + (31 - __builtin_clz(hits));
	}
#endif
	while (end > from)
		if (*--end == c)
			return end;
	return NULL;
}

LW_TAG_HOT bool lw_tag_equal(const char *a, const char *b, size_t len)
{
	for (; len >= 8; a += 8, b += 8, len -= 8)
		if (lw_tag_load_8(a) != lw_tag_load_8(b))
			return false;
	while (len && *a == *b) {
		a++;
		b++;
		len--;
	}
	return !len;
}

LW_TAG_HOT bool lw_tag_contains(const char *from, const char *end, const char *word, size_t len)
{
	while ((size_t)(end - from) >= len) {
		from = lw_tag_find(from, end, *word);
		if ((size_t)(end - from) < len)
			break;
		if (lw_tag_equal(from, word, len))
			return true;
		from++;
	}
	return false;
}

LW_TAG_HOT bool lw_tag_begins(const char *text, const char *prefix)
{
	while (*prefix && *text == *prefix) {
		text++;
		prefix++;
	}
	return !*prefix;
}

LW_TAG_HOT size_t lw_tag_span(const char *text, const char *stops)
{
	const char *p = text, *stop;

	for (; *p; p++)
		for (stop = stops; *stop; stop++)
			if (*p == *stop)
				return (size_t)(p - text);
	return (size_t)(p - text);
}
