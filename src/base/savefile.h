/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: small files that must survive a crash: versioned, checksummed, renamed into place. */
#ifndef LW_BASE_SAVEFILE_H
#define LW_BASE_SAVEFILE_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A save file is one header line, "lw-KIND VERSION BYTES CRC32\n", and then BYTES bytes of
 * payload. CRC32 (IEEE 802.3, eight hex digits) covers the header before it and the payload, so
 * that a damaged version or size is noticed too.
 */

/*
 * Write the payload to a file beside PATH (lw_create_beside() of base/io.h), fsync and rename,
 * so that PATH is always either the old or a new file, even with two writers. Mode 0600. Returns
 * 0 or -errno with ERR; then PATH is unchanged. -EINVAL: PATH is not a regular file.
 */
int lw_savefile_write(const char *path, const char *kind, unsigned version, const void *data,
		      size_t size, struct lw_error *err);

/* Append the contents of such a file with that payload to OUT. 0 or -ENOMEM. */
int lw_savefile_print(const char *kind, unsigned version, const void *data, size_t size,
		      struct lw_strbuf *out);

/*
 * Read PATH back. *ret_data is malloc'ed, NUL-terminated one byte past *ret_size, and the
 * caller's to free. -ENOENT: no file. -EBADMSG: no such file, cut short, damaged, or of version
 * 0 (ERR says which). -ENOTSUP: a version above VERSION.
 */
int lw_savefile_read(const char *path, const char *kind, unsigned version, char **ret_data,
		     size_t *ret_size, struct lw_error *err);

/* What a file must be, and its name for ERR. */
struct lw_savefile {
	const char *path, *kind;
	unsigned version;
};

/*
 * The same for TEXT, the whole content of a file: SIZE bytes and a NUL. TEXT, malloc'ed, becomes
 * *ret_data, or is freed.
 */
int lw_savefile_take(const struct lw_savefile *file, char *text, size_t size, char **ret_data,
		     size_t *ret_size, struct lw_error *err);

/*
 * Move a file to PATH.WHY-STAMP, so that an administrator can look at it and the next write does
 * not lose it. WHY is a word: "damaged", "newer". STAMP is the caller's time; if that name is
 * taken it becomes the next free number. 0 or -errno with ERR; then nothing has changed.
 */
int lw_savefile_set_aside(const char *path, const char *why, int64_t *stamp,
			  struct lw_error *err);

#endif
