/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a growing string; remembers the first failure so that callers check once. */
#include "base/strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int strbuf_make_room(struct lw_strbuf *sb, size_t more)
{
	size_t room = sb->room ? sb->room : 256;
	char *text;

	if (sb->error)
		return sb->error;
	if (more > SIZE_MAX / 4 - sb->len)
		return sb->error = -ENOMEM;
	while (room < sb->len + more + 1)
		room *= 2;
	if (room == sb->room)
		return 0;
	text = realloc(sb->text, room);
	if (!text)
		return sb->error = -ENOMEM;
	sb->text = text;
	sb->room = room;
	return 0;
}

void lw_strbuf_fini(struct lw_strbuf *sb)
{
	free(sb->text);
	*sb = (struct lw_strbuf)LW_STRBUF_INIT;
}

void lw_strbuf_add(struct lw_strbuf *sb, const char *fmt, ...)
{
	va_list ap;
	int need;

	va_start(ap, fmt);
	need = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (need < 0 && !sb->error)
		sb->error = -ENOMEM; /* above INT_MAX */
	if (need < 0 || strbuf_make_room(sb, (size_t)need))
		return;
	va_start(ap, fmt);
	vsnprintf(sb->text + sb->len, (size_t)need + 1, fmt, ap);
	va_end(ap);
	sb->len += (size_t)need;
}

void lw_strbuf_add_bytes(struct lw_strbuf *sb, const char *data, size_t size)
{
	if (!size || strbuf_make_room(sb, size))
		return;
	memcpy(sb->text + sb->len, data, size);
	sb->len += size;
	sb->text[sb->len] = '\0';
}

const char *lw_strbuf_text(const struct lw_strbuf *sb)
{
	return sb->text ? sb->text : "";
}
