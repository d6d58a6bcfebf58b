/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: an error text for users, beside the -Exxx code for callers. */
#include "base/error.h"

#include "base/plain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int lw_error_set(struct lw_error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	lw_plain_line(err->text);
	return code;
}

int lw_error_prefix(struct lw_error *err, int code, const char *fmt, ...)
{
	char old[LW_ERROR_MAX];
	va_list ap;
	int len;

	if (!err)
		return code;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	len = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	if (len >= 0 && (size_t)len < sizeof(err->text))
		snprintf(err->text + len, sizeof(err->text) - (size_t)len, "%s", old);
	lw_plain_line(err->text);
	return code;
}
