/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for the LD_PRELOAD of slurmctld and slurmd: a disk that fails, a death inside a write. */

/*
 * It looks at calls that concern StateSaveLocation, while there are these files:
 *
 *	/run/chaos/disk	 one word: full, readonly, broken, or slow (each fsync takes 5 s)
 *	/run/chaos/spool the same of the spool of slurmd
 *	/run/chaos/die	 a number and a name: slurmctld dies in that call of those which write a
 *			 file of StateSaveLocation whose name begins so, a write when it is half
 *			 done. The file goes before, so that it dies once; which call and file it
 *			 was is added to /run/chaos/died.
 *
 * Times are of the machine, not of the cluster.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STATE "/var/lib/slurm/state/"
#define SPOOL "/var/spool/slurmd/"
#define DISK  "/run/chaos/disk"
#define SPOOL_DISK "/run/chaos/spool"
#define DIE   "/run/chaos/die"
#define DIED  "/run/chaos/died"

static int is_in(const char *path, const char *dir)
{
	return !strncmp(path, dir, strlen(dir));
}

static void path_of(int fd, char path[256])
{
	char name[64];
	long len;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	len = syscall(SYS_readlink, name, path, 255);
	path[len > 0 ? len : 0] = '\0';
}

/* The first line of a small file; "" if there is none. Not by open(), which is below. */
static void line_of(const char *file, char line[64])
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
	long len = fd < 0 ? 0 : syscall(SYS_read, fd, line, 63);

	line[len > 0 ? len : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* Is the disk that PATH is on WORD? */
static int disk_is(const char *path, const char *word)
{
	char line[64] = "";

	if (is_in(path, STATE))
		line_of(DISK, line);
	else if (is_in(path, SPOOL))
		line_of(SPOOL_DISK, line);
	return !strcmp(line, word);
}

/* 0, or an errno for a call that changes what is on the disk. */
static int disk_error(const char *path)
{
	if (!is_in(path, STATE) && !is_in(path, SPOOL))
		return 0;
	return disk_is(path, "full")       ? ENOSPC
	       : disk_is(path, "readonly") ? EROFS
	       : disk_is(path, "broken")   ? EIO
					   : 0;
}

static void note_death(const char *call, const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, DIED, O_WRONLY | O_APPEND | O_CLOEXEC);
	char line[320];
	int len = snprintf(line, sizeof(line), "%s %s\n", call, path + strlen(STATE));

	syscall(SYS_write, fd, line, len);
}

/* Is CALL, of PATH, the one to die in? */
static int is_last(const char *call, const char *path)
{
	static int calls;
	char line[64], name[48] = "";
	int last;

	if (!is_in(path, STATE))
		return 0;
	line_of(DIE, line);
	if (sscanf(line, "%d %47s", &last, name) < 1) {
		calls = 0;
		return 0;
	}
	if (!is_in(path + strlen(STATE), name) ||
	    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) < last)
		return 0;
	if (syscall(SYS_unlinkat, AT_FDCWD, DIE, 0))
		return 0;
	note_death(call, path);
	return 1;
}

static void die(void)
{
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

ssize_t write(int fd, const void *data, size_t size)
{
	int saved = errno, error;
	char path[256];

	path_of(fd, path);
	if (is_last("write", path)) {
		syscall(SYS_write, fd, data, size / 2);
		die();
	}
	error = disk_error(path);
	errno = error ? error : saved;
	return error ? -1 : syscall(SYS_write, fd, data, size);
}

int fsync(int fd)
{
	const struct timespec time = { .tv_sec = 5 };
	char path[256];

	path_of(fd, path);
	if (is_last("fsync", path))
		die();
	if (disk_is(path, "slow"))
		syscall(SYS_nanosleep, &time, NULL);
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	int error = disk_error(to);

	if (is_last("rename", to))
		die();
	errno = error ? error : errno;
	return error ? -1 : (int)syscall(SYS_rename, from, to);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;
	int error;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE)) /* nobody looks at a mode that was not given */
		mode = va_arg(args, mode_t);
	va_end(args);
	if ((flags & O_CREAT) && is_last("open", path))
		die();
	error = flags & O_CREAT ? disk_error(path) : 0;
	errno = error ? error : errno;
	return error ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int creat(const char *path, mode_t mode)
{
	return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* A name goes, or comes beside another, even on a full disk. */
static int name_error(const char *path)
{
	int error = disk_error(path);

	return error == ENOSPC ? 0 : error;
}

int link(const char *from, const char *to)
{
	int error = name_error(to);

	if (is_last("link", to))
		die();
	errno = error ? error : errno;
	return error ? -1 : (int)syscall(SYS_link, from, to);
}

int unlink(const char *path)
{
	int error = name_error(path);

	if (is_last("unlink", path))
		die();
	errno = error ? error : errno;
	return error ? -1 : (int)syscall(SYS_unlink, path);
}
