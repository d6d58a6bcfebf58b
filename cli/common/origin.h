/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a page, an image or a JSON was made with: version, command line, inputs. */
#ifndef LW_CLI_COMMON_ORIGIN_H
#define LW_CLI_COMMON_ORIGIN_H

#include "base/strbuf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The one of this process. A command line begins it anew, with no input; ARGV[0] is the
 * subcommand, and is told as "leeway ARGV[0]".
 */
void lw_origin_begin(int argc, char **argv);
/*
 * The command has read FILE, perhaps not for the first time; SHA256 is that of its bytes, NULL:
 * not known.
 */
void lw_origin_add(const char *file, const char *sha256);
/* The same, of what was read as SIZE bytes of TEXT. */
void lw_origin_add_text(const char *file, const char *text, size_t size);
/* The same, of a plain file that is read again for it. */
void lw_origin_add_file(const char *file);

struct stat;
/* Is that one of the plain files it has read, as far as they are still there? */
bool lw_origin_has(const struct stat *st);

/*
 * Append a blank and WORD, as a shell takes it back; what does not print as bash does, $'\033'.
 */
void lw_origin_add_word(struct lw_strbuf *sb, const char *word);

/* Add it as lines of text: the version, the command line, and a line an input. */
void lw_origin_describe(struct lw_strbuf *sb);
/* An object with version, command and inputs; NULL: out of memory. */
json_t *lw_origin_json(void);

#endif
