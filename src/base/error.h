/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: an error text for users, beside the -Exxx code for callers. */
#ifndef LW_BASE_ERROR_H
#define LW_BASE_ERROR_H

#define LW_ERROR_MAX 400

struct lw_error {
	char text[LW_ERROR_MAX];
};

/*
 * Write a text into ERR (which may be NULL) and return CODE, so that a failure is one line:
 * return lw_error_set(err, -EINVAL, "%s:%d: ...", ...). A text that is too long is cut, and
 * characters that do not print become '?' (base/plain.h).
 */
int lw_error_set(struct lw_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put a prefix such as a path before the text in ERR; returns CODE. */
int lw_error_prefix(struct lw_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
