/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: a disk that fails it, and a death inside a write of ours. */

/*
 * It looks at calls that concern StateSaveLocation, while there are these files:
 *
 *	/run/chaos/disk	 one word: full, readonly, broken, or slow (each fsync takes 5 s)
 *	/run/chaos/die	 a number: slurmctld dies in that call of a write of Leeway's files, a
 *			 write when it is half done. The file goes before, so that it dies once.
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
#define OURS  STATE "leeway_"
#define DISK  "/run/chaos/disk"
#define DIE   "/run/chaos/die"

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

/* The first word of a small file; "" if there is none. Not by open(), which is below. */
static void word_of(const char *file, char word[32])
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
	long len = fd < 0 ? 0 : syscall(SYS_read, fd, word, 31);

	word[len > 0 ? len : 0] = '\0';
	word[strcspn(word, " \n")] = '\0';
	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* The disk as it is to be: 0, or an errno for a call that changes what is on it. */
static int disk_error(const char *path)
{
	char word[32];

	if (!is_in(path, STATE))
		return 0;
	word_of(DISK, word);
	return !strcmp(word, "full")       ? ENOSPC
	       : !strcmp(word, "readonly") ? EROFS
	       : !strcmp(word, "broken")   ? EIO
					   : 0;
}

/* Is this the call of ours to die in? */
static int is_last(const char *path)
{
	static int calls;
	char word[32];

	if (!is_in(path, OURS))
		return 0;
	word_of(DIE, word);
	if (!*word) {
		calls = 0;
		return 0;
	}
	if (++calls < atoi(word))
		return 0;
	syscall(SYS_unlinkat, AT_FDCWD, DIE, 0);
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
	if (is_last(path)) {
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
	char path[256], word[32];

	path_of(fd, path);
	if (is_last(path))
		die();
	word_of(DISK, word);
	if (is_in(path, STATE) && !strcmp(word, "slow"))
		syscall(SYS_nanosleep, &time, NULL);
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	int error = disk_error(to);

	if (is_last(to))
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
	if ((flags & O_CREAT) && is_last(path))
		die();
	error = flags & O_CREAT ? disk_error(path) : 0;
	errno = error ? error : errno;
	return error ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
