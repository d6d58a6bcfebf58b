/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where subcommands write to: a file, or standard output. */
#ifndef LW_CLI_COMMON_OUTPUT_H
#define LW_CLI_COMMON_OUTPUT_H

#include "base/error.h"
#include "base/strbuf.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * PATH is a file that is written anew; "-" or NULL: standard output, in all of these. A plain
 * file, or the one that links lead to, is made beside and renamed: until all of it is written, what
 * was there stays. It never is cut in place: where nothing can be made beside it, nothing is
 * written. What is half written goes away with a process that is interrupted. Of two that write it
 * at once, the one that is closed last stays. What was read, as cli/common/origin.h has it, is
 * not written: -EEXIST.
 */
struct lw_output {
	FILE *to;
	char path[PATH_MAX];
	char beside[PATH_MAX]; /* "": a device, a pipe or standard output */
	int lock;              /* on what is beside, until it is renamed; or -1 */
};

/*
 * Could PATH be written, as far as can be tested without touching it? For commands that work
 * long before they write. -errno with ERR.
 */
int lw_output_check(const char *path, struct lw_error *err);
/*
 * Do one or more of the COUNT PATHS, of which those not given are NULL, lead to standard output?
 * -EINVAL with ERR when more than one does: what they hold would run together; or when two lead to
 * one plain file, in which the last alone would stay.
 */
int lw_output_shared(const char *const *paths, size_t count, bool *ret_stdout,
		     struct lw_error *err);
/* -errno with ERR. */
int lw_output_open(const char *path, struct lw_output *ret_output, struct lw_error *err);
/*
 * Close it unless it is standard output. RC, or -EIO with ERR when writing failed; then no
 * new file is left.
 */
int lw_output_close(struct lw_output *output, int rc, struct lw_error *err);

/* Make the folder DIR, unless it is there. -errno with ERR. */
int lw_output_folder(const char *dir, struct lw_error *err);

/*
 * Write what was made for PATH, and free it. -EIO with ERR; -ENOMEM with ERR when TEXT has an
 * error, or ROOT is NULL.
 */
int lw_output_text(const char *path, struct lw_strbuf *text, struct lw_error *err);
/* The same; where there is no file yet only its owner may read it. */
int lw_output_private(const char *path, struct lw_strbuf *text, struct lw_error *err);
int lw_output_json(const char *path, json_t *root, struct lw_error *err);

/*
 * How many bytes the first character of TEXT has, or 0 when it is none that JSON and XML allow:
 * no UTF-8, or a control character, DEL and those of two bytes included. File names may hold any
 * bytes.
 */
size_t lw_output_utf8(const char *text);
/* TEXT as JSON, with "?" for each byte that JSON does not allow. NULL: out of memory. */
json_t *lw_output_string(const char *text);
/* VALUE as JSON, null for NAN. NULL: out of memory. */
json_t *lw_output_real(double value);

/* RC, or -EIO with ERR when what was printed on standard output could not all be written. */
int lw_output_flush(int rc, struct lw_error *err);

#endif
