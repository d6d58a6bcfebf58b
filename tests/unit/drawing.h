/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a drawing of cli/chart shows: its words, and where its curves go. */
#ifndef LW_TESTS_DRAWING_H
#define LW_TESTS_DRAWING_H

#include "unit/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Of a letter, of its font's size: narrower than the toolkit takes them to be. */
#define DRAWING_LETTER 0.58
#define DRAWING_WORDS  200

struct drawing_word {
	char text[160];
	double left, top, right, bottom;
};

struct drawing {
	struct drawing_word words[DRAWING_WORDS];
	uint32_t count;
	double width, height;
};

/* The number of attribute NAME in the tag that begins at TAG; OTHERWISE if it has none. */
static inline double drawing_number(const char *tag, const char *name, double otherwise)
{
	char wanted[40];
	const char *end = strchr(tag, '>'), *found;

	snprintf(wanted, sizeof(wanted), " %s=\"", name);
	found = strstr(tag, wanted);
	return found && found < end ? atof(found + strlen(wanted)) : otherwise;
}

static inline bool drawing_has(const char *tag, const char *what)
{
	const char *found = strstr(tag, what);

	return found && found < strchr(tag, '>');
}

/* As many as are seen: what is escaped is one. */
static inline size_t drawing_letters(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (text[i] == '&')
			i += strcspn(text + i, ";");
	}
	return n;
}

/* An image of one chart. */
__attribute__((noinline, unused)) static void drawing_read(const char *svg,
							   struct drawing *drawing)
{
	double font = drawing_number(strstr(svg, "<svg"), "font-size", 0);

	memset(drawing, 0, sizeof(*drawing));
	drawing->width = drawing_number(strstr(svg, "<svg"), "width", 0);
	drawing->height = drawing_number(strstr(svg, "<svg"), "height", 0);
	for (const char *tag = svg; (tag = strstr(tag, "<text ")); tag++) {
		struct drawing_word *word = &drawing->words[drawing->count++];
		const char *text = strchr(tag, '>') + 1;
		size_t len = (size_t)(strstr(text, "</text>") - text);
		double size = drawing_number(tag, "font-size", font);
		double width = (double)drawing_letters(text, len) * size *
			       (DRAWING_LETTER + (drawing_has(tag, "bold") ? 0.06 : 0));

		ck_assert_uint_le(drawing->count, DRAWING_WORDS);
		snprintf(word->text, sizeof(word->text), "%.*s", (int)len, text);
		word->left = drawing_number(tag, "x", 0);
		if (drawing_has(tag, "\"middle\""))
			word->left -= width / 2;
		if (drawing_has(tag, "\"end\""))
			word->left -= width;
		word->right = word->left + width;
		word->bottom = drawing_number(tag, "y", 0) + 0.2 * size;
		word->top = word->bottom - 0.95 * size;
	}
}

/* No word is on another, or outside. */
static inline void drawing_check(const struct drawing *drawing)
{
	for (uint32_t i = 0; i < drawing->count; i++) {
		const struct drawing_word *a = &drawing->words[i];

		ck_assert_msg(a->left >= 0 && a->top >= 0 && a->right <= drawing->width &&
				      a->bottom <= drawing->height,
			      "\"%s\" is outside", a->text);
		for (uint32_t k = 0; k < i; k++) {
			const struct drawing_word *b = &drawing->words[k];

			ck_assert_msg(a->left >= b->right || b->left >= a->right ||
					      a->top >= b->bottom || b->top >= a->bottom,
				      "\"%s\" and \"%s\" are on each other", a->text, b->text);
		}
	}
}

static inline const struct drawing_word *drawing_find(const struct drawing *drawing,
						      const char *text)
{
	for (uint32_t i = 0; i < drawing->count; i++)
		if (strcmp(drawing->words[i].text, text) == 0)
			return &drawing->words[i];
	return NULL;
}

#endif
