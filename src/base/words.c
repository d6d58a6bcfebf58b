/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one word of Leeway's in a text that others write too. */
#include "base/words.h"

#include <errno.h>
#include <string.h>

const char *lw_words_find(const char *text, const char *prefix, size_t *ret_len)
{
	size_t prefix_len = strlen(prefix);

	while (text && *text) {
		size_t len = strcspn(text, " ");

		if (len >= prefix_len && !memcmp(text, prefix, prefix_len)) {
			*ret_len = len;
			return text;
		}
		text += len;
		text += strspn(text, " ");
	}
	return NULL;
}

int lw_words_put(const char *text, const char *prefix, const char *word, char *buf, size_t size)
{
	size_t word_len = strlen(word);
	size_t head, old_len = 0, tail, space;
	const char *old;

	if (!text)
		text = "";
	old = lw_words_find(text, prefix, &old_len);
	head = old ? (size_t)(old - text) : strlen(text);
	tail = strlen(text) - head - old_len;
	space = !old && head && text[head - 1] != ' ';
	if (head + space + word_len + tail >= size) {
		if (size)
			buf[0] = '\0';
		return -ENOSPC;
	}
	memcpy(buf, text, head);
	memset(buf + head, ' ', space);
	memcpy(buf + head + space, word, word_len);
	memcpy(buf + head + space + word_len, text + head + old_len, tail);
	buf[head + space + word_len + tail] = '\0';
	return 0;
}

bool lw_words_has(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (text && *text) {
		size_t word_len = strcspn(text, LW_WORDS_SEPARATORS);

		if (word_len == len && !memcmp(text, word, len))
			return true;
		text += word_len;
		text += strspn(text, LW_WORDS_SEPARATORS);
	}
	return false;
}
