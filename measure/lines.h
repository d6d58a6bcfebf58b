/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a text file, plain or gzip, line by line. */
#ifndef LW_MEASURE_LINES_H
#define LW_MEASURE_LINES_H

#include "base/error.h"
#include "measure/sha256.h"

#include <stddef.h>
#include <stdint.h>

/* The largest text that is read: no end of it is waited for. */
#define LW_LINES_MAX ((size_t)1 << 31)

struct lw_lines {
	char *text;                  /* the whole file, NUL-terminated */
	char *next;                  /* where the next line starts */
	uint32_t number;             /* of the line given out last, from 1 */
	char sha256[LW_SHA256_TEXT]; /* of the file, as it is there */
};

/*
 * Read all of PATH ("-" is standard input), unpacking gzip when it is, and passing over a byte
 * order mark. 0 or -errno
 * with ERR filled; -EINVAL when it holds a NUL byte and so is no text, -EFBIG when it does not
 * end within LW_LINES_MAX.
 */
int lw_lines_open(struct lw_lines *lines, const char *path, struct lw_error *err);
/* The same of the open file FD, which PATH is in messages; it stays open. */
int lw_lines_of_fd(struct lw_lines *lines, int fd, const char *path, struct lw_error *err);
void lw_lines_fini(struct lw_lines *lines);

/* The next line without its end (LF or CR LF), writable, or NULL at the end. */
char *lw_lines_next(struct lw_lines *lines);

/*
 * Cut LINE at each SEPARATOR into at most MAX fields. Returns how many there are,
 * which may be more than MAX; only the first MAX are in ret_fields.
 */
uint32_t lw_lines_split(char *line, char separator, char **ret_fields, uint32_t max);

#endif
