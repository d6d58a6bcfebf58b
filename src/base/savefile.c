/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: small files that must survive a crash: versioned, checksummed, renamed into place. */
#include "base/savefile.h"

#include "base/crc32.h"
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_MAX 128
/* far above any state of ours; a larger size in a header is damage */
#define PAYLOAD_MAX ((size_t)1 << 30)

/*
 * Write the header line into BUF and return its length. The same text is made again
 * when a file is read, so that a header is either exactly ours or damaged.
 */
static size_t savefile_print_header(char *buf, const char *kind, unsigned version,
				    const void *data, size_t size)
{
	size_t len = (size_t)snprintf(buf, HEADER_MAX, "lw-%.32s %u %zu ", kind, version, size);
	uint32_t crc = lw_crc32_add(lw_crc32(buf, len), data, size);

	return len + (size_t)snprintf(buf + len, HEADER_MAX - len, "%08" PRIx32 "\n", crc);
}

static int savefile_write_both(int fd, const char *header, const void *data, size_t size)
{
	int rc = lw_write_all(fd, header, strlen(header));

	return rc ? rc : lw_write_all(fd, data, size);
}

static int savefile_write_and_rename(const char *path, const char *header, const void *data,
				     size_t size)
{
	char temp[PATH_MAX];
	int fd = lw_create_beside(path, 0600, temp, sizeof(temp)), rc;

	if (fd < 0)
		return fd;
	rc = lw_replace_by(path, temp, fd, true, savefile_write_both(fd, header, data, size));
	close(fd);
	return rc;
}

/* A rename would put a plain file in the place of a device, such as /dev/null. */
static bool savefile_may_replace(const char *path)
{
	struct stat st;

	return lstat(path, &st) || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode);
}

int lw_savefile_write(const char *path, const char *kind, unsigned version, const void *data,
		      size_t size, struct lw_error *err)
{
	char header[HEADER_MAX];
	int rc;

	if (!savefile_may_replace(path))
		return lw_error_set(err, -EINVAL, "%s: cannot write: not a regular file", path);
	savefile_print_header(header, kind, version, data, size);
	rc = savefile_write_and_rename(path, header, data, size);
	if (rc)
		return lw_error_set(err, rc, "%s: cannot write: %s", path, strerror(-rc));
	lw_sync_dir_of(path);
	return 0;
}

int lw_savefile_print(const char *kind, unsigned version, const void *data, size_t size,
		      struct lw_strbuf *out)
{
	char header[HEADER_MAX];

	lw_strbuf_add_bytes(out, header,
			    savefile_print_header(header, kind, version, data, size));
	lw_strbuf_add_bytes(out, data, size);
	return out->error;
}

static int savefile_check_header(const struct lw_savefile *file, char *text, size_t got,
				 const char **ret_payload, size_t *ret_size, struct lw_error *err)
{
	const char *path = file->path, *kind = file->kind;
	char header[HEADER_MAX], format[64];
	char *end = memchr(text, '\n', got < HEADER_MAX ? got : HEADER_MAX);
	unsigned long long found, size;
	size_t len, follow;

	if (!end)
		return lw_error_set(err, -EBADMSG, "%s: no header line", path);
	len = (size_t)(end + 1 - text);
	follow = got - len;
	snprintf(format, sizeof(format), "lw-%.32s %%10llu %%20llu ", kind);
	if (sscanf(text, format, &found, &size) != 2)
		return lw_error_set(err, -EBADMSG, "%s: not an lw-%s file", path, kind);
	if (size != follow)
		return lw_error_set(err, -EBADMSG, "%s: header says %llu bytes, %zu follow", path,
				    size, follow);
	if (found > UINT_MAX ||
	    savefile_print_header(header, kind, (unsigned)found, end + 1, follow) != len ||
	    memcmp(header, text, len) != 0)
		return lw_error_set(err, -EBADMSG, "%s: checksum does not match", path);
	if (!found)
		return lw_error_set(err, -EBADMSG, "%s: no file has version 0", path);
	if (found > file->version)
		return lw_error_set(err, -ENOTSUP, "%s: version %llu is newer than ours (%u)",
				    path, found, file->version);
	*ret_payload = end + 1;
	*ret_size = follow;
	return 0;
}

static int savefile_read_file(const char *path, char **ret_file, size_t *ret_size,
			      struct lw_error *err)
{
	/* not blocking: a FIFO in the file's place must not hang the daemon */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *file = NULL;
	int rc = 0;

	if (fd < 0) {
		rc = -errno;
		return lw_error_set(err, rc, "%s: cannot open: %s", path, strerror(-rc));
	}
	if (fstat(fd, &st))
		rc = -errno;
	else if (!S_ISREG(st.st_mode) || (size_t)st.st_size > PAYLOAD_MAX)
		rc = -EBADMSG;
	else if (!(file = malloc((size_t)st.st_size + 1)))
		rc = -ENOMEM;
	else
		rc = lw_read_all(fd, file, (size_t)st.st_size, ret_size);
	close(fd);
	if (rc) {
		free(file);
		return lw_error_set(err, rc, "%s: cannot read: %s", path,
				    rc == -EBADMSG ? "not a regular file, or far too large"
						   : strerror(-rc));
	}
	file[*ret_size] = '\0';
	*ret_file = file;
	return 0;
}

int lw_savefile_read(const char *path, const char *kind, unsigned version, char **ret_data,
		     size_t *ret_size, struct lw_error *err)
{
	const struct lw_savefile wanted = { path, kind, version };
	size_t size = 0;
	char *file = NULL;
	int rc = savefile_read_file(path, &file, &size, err);

	return rc ? rc : lw_savefile_take(&wanted, file, size, ret_data, ret_size, err);
}

int lw_savefile_take(const struct lw_savefile *file, char *text, size_t size, char **ret_data,
		     size_t *ret_size, struct lw_error *err)
{
	const char *payload = NULL;
	size_t follow = 0;
	int rc = savefile_check_header(file, text, size, &payload, &follow, err);

	if (rc) {
		free(text);
		return rc;
	}
	memmove(text, payload, follow);
	text[follow] = '\0';
	*ret_data = text;
	*ret_size = follow;
	return 0;
}

int lw_savefile_set_aside(const char *path, const char *why, int64_t *stamp, struct lw_error *err)
{
	int64_t free_stamp = *stamp;
	char aside[PATH_MAX];
	struct stat st;
	int rc;

	do {
		if (snprintf(aside, sizeof(aside), "%s.%s-%" PRId64, path, why, free_stamp) >=
		    (int)sizeof(aside))
			return lw_error_set(err, -ENAMETOOLONG, "%s: path too long", path);
	} while (!lstat(aside, &st) && ++free_stamp);
	if (rename(path, aside)) {
		rc = -errno;
		return lw_error_set(err, rc, "%s: cannot set aside: %s", path, strerror(-rc));
	}
	*stamp = free_stamp;
	return 0;
}
