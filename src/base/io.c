/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read and write whole files, whatever read() and write() do in between. */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int lw_read_all(int fd, char *buf, size_t size, size_t *ret_got)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, buf + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	*ret_got = got;
	return 0;
}

int lw_write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		/* a device that takes nothing must not keep us here for ever */
		if (n <= 0)
			return n ? -errno : -EIO;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

int lw_create_anew(const char *path, mode_t mode)
{
	int fd;

	if (unlink(path) && errno != ENOENT)
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	return fd < 0 ? -errno : fd;
}

int lw_dir_of(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/');
	/* the root is its own */
	size_t len = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;

	if (len >= size || size < sizeof("."))
		return -ENAMETOOLONG;
	snprintf(buf, size, "%.*s", len ? (int)len : 1, len ? path : ".");
	return 0;
}

void lw_sync_dir_of(const char *path)
{
	char dir[PATH_MAX];
	int fd;

	if (lw_dir_of(path, dir, sizeof(dir)))
		return;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}
