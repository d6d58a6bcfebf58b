/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: manual pages, for tests that they know all there is. */
#ifndef LW_TESTS_MANUAL_H
#define LW_TESTS_MANUAL_H

#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANUAL_MAX 65536

/* The text of doc/man/NAME; the caller frees it. */
static inline char *manual_read(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[1024], *text = calloc(1, MANUAL_MAX);
	FILE *stream;

	ck_assert_ptr_nonnull(text);
	snprintf(path, sizeof(path), "%s/doc/man/%s", top ? top : ".", name);
	stream = fopen(path, "r");
	ck_assert_msg(stream != NULL, "%s cannot be read", path);
	ck_assert_uint_gt(fread(text, 1, MANUAL_MAX - 1, stream), 0);
	fclose(stream);
	return text;
}

/* WORD as troff wants what people type: its hyphens escaped. */
static inline void manual_escape(const char *word, char *buf, size_t size)
{
	size_t len = 0;

	for (; *word && len + 3 < size; word++) {
		if (*word == '-')
			buf[len++] = '\\';
		buf[len++] = *word;
	}
	buf[len] = '\0';
}

#endif
