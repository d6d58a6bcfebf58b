/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where subcommands write to: a file, or standard output. */
#ifndef LW_TOOLS_OUTPUT_H
#define LW_TOOLS_OUTPUT_H

#include "base/error.h"
#include "base/strbuf.h"

#include <jansson.h>
#include <stdio.h>

/* PATH is a file that is written anew; "-" or NULL: standard output, in all of these. */

/* Open PATH for writing. NULL with ERR filled. */
FILE *lw_output_open(const char *path, struct lw_error *err);
/* Close it unless it is standard output. RC, or -EIO with ERR when writing failed. */
int lw_output_close(FILE *out, const char *path, int rc, struct lw_error *err);

/*
 * Write what was made for PATH, and free it. -EIO with ERR; -ENOMEM with ERR when TEXT has an
 * error, or ROOT is NULL.
 */
int lw_output_text(const char *path, struct lw_strbuf *text, struct lw_error *err);
int lw_output_json(const char *path, json_t *root, struct lw_error *err);

#endif
