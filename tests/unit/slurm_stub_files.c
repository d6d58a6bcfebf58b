/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: calls that touch a file, which may take for ever, noted if a lock of Slurm is held. */

/* The linker wraps them (tests/unit/local-slurm.mk) wherever our own code calls them. */

#include "unit/slurm_stub.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#define WRAP(writes, type, name, params, args)                                                   \
	type __real_##name params;                                                               \
	type __wrap_##name params;                                                               \
	type __wrap_##name params                                                                \
	{                                                                                        \
		stub_touch(#name, writes);                                                       \
		return __real_##name args;                                                       \
	}

WRAP(false, int, access, (const char *path, int mode), (path, mode))
WRAP(false, int, stat, (const char *path, struct stat *st), (path, st))
WRAP(false, int, lstat, (const char *path, struct stat *st), (path, st))
WRAP(true, int, fsync, (int fd), (fd))
WRAP(true, int, rename, (const char *from, const char *to), (from, to))
WRAP(true, int, unlink, (const char *path), (path))
WRAP(false, DIR *, opendir, (const char *path), (path))
WRAP(false, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(false, void *, dlopen, (const char *path, int mode), (path, mode))
WRAP(false, char *, realpath, (const char *path, char *real), (path, real))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	stub_touch("open", flags & O_CREAT);
	return __real_open(path, flags, mode);
}
