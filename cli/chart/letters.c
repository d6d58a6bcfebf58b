/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words in a drawing: how wide they are, about, and where a line of them ends. */
#include "cli/chart/letters.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ELLIPSIS "…"

/* Not in the midst of a letter of UTF-8. */
static bool begins_letter(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t letters(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += begins_letter(text[i]);
	return n;
}

double lw_letters_width(const char *text, double width)
{
	return width * (double)letters(text, strlen(text));
}

/* The bytes of the first N letters. */
static size_t bytes_of(const char *text, size_t n)
{
	size_t i = 0;

	for (; text[i]; i++)
		if (begins_letter(text[i]) && n-- == 0)
			break;
	return i;
}

size_t lw_letters_line(const char *text, double width, double room)
{
	size_t most = bytes_of(text, room > width ? (size_t)(room / width) : 1), len = most;

	if (!text[most])
		return most;
	while (len && text[len] != ' ')
		len--;
	return len ? len : most;
}

const char *lw_letters_rest(const char *text, size_t len)
{
	text += len;
	return text + strspn(text, " ");
}

unsigned lw_letters_lines(const char *text, double width, double room)
{
	unsigned n = 1;

	for (;;) {
		text = lw_letters_rest(text, lw_letters_line(text, width, room));
		if (!*text)
			return n;
		n++;
	}
}

void lw_letters_cut(const char *text, size_t size, char *buf)
{
	size_t len = strlen(text);

	if (len < size) {
		memcpy(buf, text, len + 1);
		return;
	}
	len = size - sizeof(ELLIPSIS);
	while (len && !begins_letter(text[len]))
		len--;
	memcpy(buf, text, len);
	memcpy(buf + len, ELLIPSIS, sizeof(ELLIPSIS));
}

void lw_letters_fit(const char *text, double width, double room, size_t size, char *buf)
{
	size_t most = room > 2 * width ? (size_t)(room / width) : 2, len;

	lw_letters_cut(text, size, buf);
	len = bytes_of(buf, most);
	if (!buf[len])
		return;
	len = bytes_of(buf, most - 1);
	if (len + sizeof(ELLIPSIS) <= size)
		memcpy(buf + len, ELLIPSIS, sizeof(ELLIPSIS));
}
