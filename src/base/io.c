/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read and write whole files, although read() and write() may stop early. */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many that write one file at once, or leftovers of others that may not be touched. */
#define BESIDE_MAX 100

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

/*
 * A process that still writes the file has it locked. 0: NAME is free now; -EBUSY: another
 * process has it. Where files cannot be locked (some network file systems), all are taken for
 * left over.
 */
static int io_remove_leftover(const char *name)
{
	struct stat there, opened;
	int fd, rc = 0;

	if (lstat(name, &there))
		return errno == ENOENT ? 0 : -errno;
	/* none of ours is anything else; a FIFO would keep us waiting */
	if (!S_ISREG(there.st_mode))
		return unlink(name) ? -errno : 0;
	fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -EBUSY;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		rc = -EBUSY;
	else if (fstat(fd, &opened) || lstat(name, &there) || opened.st_ino != there.st_ino)
		rc = 0; /* renamed meanwhile: it is not left over */
	else if (unlink(name) && errno != ENOENT)
		rc = -EBUSY;
	close(fd);
	return rc;
}

/* A new file that no process takes for left over: it is locked, and still has its name. */
static int io_create_own(const char *name, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	struct stat st;

	if (fd < 0)
		return errno == EEXIST ? -EBUSY : -errno;
	if ((flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) || fstat(fd, &st) ||
	    !st.st_nlink) {
		close(fd);
		return -EBUSY;
	}
	return fd;
}

int lw_create_beside(const char *path, mode_t mode, char *ret_name, size_t size)
{
	int rc = -EBUSY;

	for (int i = 0; i < BESIDE_MAX && rc == -EBUSY; i++) {
		int len = i ? snprintf(ret_name, size, "%s.leeway-new%d", path, i)
			    : snprintf(ret_name, size, "%s.leeway-new", path);

		if (len < 0 || (size_t)len >= size)
			return -ENAMETOOLONG;
		rc = io_remove_leftover(ret_name);
		if (!rc)
			rc = io_create_own(ret_name, mode);
	}
	return rc;
}

int lw_replace_by(const char *path, const char *beside, int fd, bool synced, int rc)
{
	/* what cannot be synced, as on some file systems of others, is written all the same */
	if (!rc && synced && fsync(fd) && errno != EINVAL && errno != EROFS)
		rc = -errno;
	if (!rc && rename(beside, path))
		rc = -errno;
	if (rc)
		unlink(beside);
	return rc;
}

int lw_replace_file(const char *path, mode_t mode, const char *data, size_t size)
{
	char beside[PATH_MAX];
	int fd = lw_create_beside(path, mode, beside, sizeof(beside)), rc;

	if (fd < 0)
		return fd;
	rc = lw_replace_by(path, beside, fd, false, lw_write_all(fd, data, size));
	close(fd);
	return rc;
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
