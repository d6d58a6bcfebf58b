/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a word of items, "leeway:why=v:1,at:17", in a comment that others write too. */
#include "base/items.h"

#include <errno.h>
#include <string.h>

const char *lw_items_find(const char *comment, const char *start)
{
	const char *at = comment;

	while (at && (at = strstr(at, start))) {
		if (at == comment || strchr(LW_ITEMS_BLANKS, at[-1]))
			return at;
		at++;
	}
	return NULL;
}

int lw_items_read(const char *comment, const char *start, char *items, size_t size)
{
	const char *at = lw_items_find(comment, start);
	size_t len;

	if (!at)
		return -ENOENT;
	at += strlen(start);
	len = strcspn(at, LW_ITEMS_BLANKS);
	if (len >= size || strncmp(at, "v:", 2) != 0)
		return -EINVAL;
	memcpy(items, at, len);
	items[len] = '\0';
	return strcmp(items, "v:1") == 0 || strncmp(items, "v:1,", 4) == 0 ? 0 : -ENOTSUP;
}

char *lw_items_next(char **rest, char **ret_value)
{
	char *item = strsep(rest, ","), *value = item ? strchr(item, ':') : NULL;

	if (value)
		*value++ = '\0';
	*ret_value = value;
	return item;
}
