/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make untrusted texts safe for a log or a terminal. */
#include "base/plain.h"

#include <stdint.h>
#include <string.h>

/* The length of the UTF-8 character that begins with BYTE; 0: none does. */
static size_t plain_length_of(unsigned char byte)
{
	if (byte < 0x80)
		return 1;
	if (byte >= 0xc2 && byte < 0xe0)
		return 2;
	if (byte >= 0xe0 && byte < 0xf0)
		return 3;
	return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

/* The least that is written in so many bytes. */
static uint32_t plain_least_of(size_t length)
{
	return length == 4 ? 0x10000 : length == 3 ? 0x800 : length == 2 ? 0x80 : 0;
}

static bool plain_prints(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return false;
	/* U+200E and U+200F turn the direction, as do U+202A to U+202E and U+2066 to U+2069 */
	return c != 0x200e && c != 0x200f && !(c >= 0x2028 && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069) && c != 0xfeff && (c & 0xfffe) != 0xfffe;
}

/* The length of the character that TEXT begins with, if it prints; else 0. */
static size_t plain_printing(const char *text, size_t left)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = plain_length_of(*byte);
	uint32_t c = length > 1 ? *byte & (0x7fu >> length) : *byte;

	if (!length || length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (byte[i] & 0x3f);
	}
	return c >= plain_least_of(length) && plain_prints(c) ? length : 0;
}

static void plain_clean(char *text, size_t size, const char *keep)
{
	size_t at = 0;

	while (at < size) {
		size_t length = plain_printing(text + at, size - at);

		if (!length && (!text[at] || !strchr(keep, text[at])))
			text[at] = '?';
		at += length ? length : 1;
	}
}

void lw_plain_line(char *text)
{
	plain_clean(text, strlen(text), "");
}

void lw_plain_lines(char *text, size_t size)
{
	plain_clean(text, size, "\n\t");
}

bool lw_plain_is_line(const char *text)
{
	size_t left = strlen(text), length;

	for (; left; text += length, left -= length) {
		length = plain_printing(text, left);
		if (!length)
			return false;
	}
	return true;
}
