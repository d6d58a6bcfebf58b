/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a growing string; remembers the first failure so that callers check once. */
#ifndef LW_BASE_STRBUF_H
#define LW_BASE_STRBUF_H

#include <stddef.h>

struct lw_strbuf {
	char *text; /* NUL-terminated, or NULL while empty */
	size_t len;
	size_t room;
	int error; /* 0 or -ENOMEM; once set, additions do nothing */
};

#define LW_STRBUF_INIT                                                                           \
	{                                                                                        \
		NULL, 0, 0, 0                                                                    \
	}

void lw_strbuf_fini(struct lw_strbuf *sb);
void lw_strbuf_add(struct lw_strbuf *sb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void lw_strbuf_add_bytes(struct lw_strbuf *sb, const char *data, size_t size);
/* The text so far, "" when empty; valid until the next change. */
const char *lw_strbuf_text(const struct lw_strbuf *sb);

#endif
