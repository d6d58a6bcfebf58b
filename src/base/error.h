/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: an error text for people, beside the -Exxx code for machines. */
#ifndef LW_BASE_ERROR_H
#define LW_BASE_ERROR_H

#define LW_ERROR_MAX 400

struct lw_error {
	char text[LW_ERROR_MAX];
};

/*
 * Write a text into ERR (which may be NULL) and return CODE, so that a failure
 * is one line: return lw_error_set(err, -EINVAL, "%s:%d: ...", ...).
 * Too long a text is cut, and what does not print becomes '?' (base/plain.h).
 */
int lw_error_set(struct lw_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Put a prefix such as a path before the text ERR already holds; returns CODE.
 */
int lw_error_prefix(struct lw_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
