/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words broken into lines. */
#include "base/fold.h"

#include <stdbool.h>
#include <string.h>

void lw_fold(const char *text, const char *indent, size_t width, struct lw_strbuf *out)
{
	const char *newline = strrchr(lw_strbuf_text(out), '\n');
	const char *last = newline ? newline + 1 : lw_strbuf_text(out);
	bool begun = strcmp(last, indent) != 0;
	size_t column = strlen(last);

	while (*text) {
		size_t len = strcspn(text, " ");

		if (begun && width && column + 1 + len > width) {
			lw_strbuf_add(out, "\n%s", indent);
			column = strlen(indent);
		} else if (begun) {
			lw_strbuf_add(out, " ");
			column++;
		}
		begun = true;
		lw_strbuf_add_bytes(out, text, len);
		column += len;
		text += len;
		text += *text == ' ';
	}
}
