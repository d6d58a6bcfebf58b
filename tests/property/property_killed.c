/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whatever call of a write a daemon dies in, or that fails, a state file is old or new.
 */

/* write, fsync, fdatasync, rename and unlink are wrapped by the linker (tests/property/local.mk).
 */

#include "property/keepers.h"
#include "property/tap.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OLD  40
#define NEW  50
#define NEXT 60

enum how { DIES, FULL, BROKEN_DISK };
static const char *const how_names[] = { "it dies", "the disk is full", "the disk fails" };

#define MURDERED 99
#define REFUSED  98
#define DONE     97

static enum how how;
static unsigned calls, fatal_call; /* 0: none is */

/* Is this call the one? */
static bool strikes(void)
{
	return fatal_call && ++calls == fatal_call;
}

static int strike(void)
{
	if (how == DIES)
		_exit(MURDERED);
	errno = how == FULL ? ENOSPC : EIO;
	return -1;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	if (!strikes())
		return __real_write(fd, data, size);
	/* a part of it had reached the file */
	if (__real_write(fd, data, size / 2) < 0)
		return -1;
	return strike();
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	return strikes() ? strike() : __real_fsync(fd);
}

int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd)
{
	return strikes() ? strike() : __real_fdatasync(fd);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
	return strikes() ? strike() : __real_rename(from, to);
}

int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __wrap_unlink(const char *path)
{
	return strikes() ? strike() : __real_unlink(path);
}

/* ---- what is left behind ---- */

static char dir[64] = "/tmp/leeway-killed-XXXXXX";
static char last_error[512];

static void keep_error(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", line);
}

static const struct lw_log killed_log = { .write = keep_error, .level = LW_LOG_INFO };

static unsigned files_in_dir(void)
{
	DIR *stream = opendir(dir);
	unsigned count = 0;

	while (stream && readdir(stream))
		count++;
	if (stream)
		closedir(stream);
	return count > 2 ? count - 2 : 0;
}

static int remove_below(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	return ftw->level ? remove(path) : 0;
}

static void empty_dir(void)
{
	nftw(dir, remove_below, 8, FTW_DEPTH | FTW_PHYS);
}

/* Write NEW in a child that is struck at CALL. What it came to. */
static int write_struck(const struct keeper *keeper, const char *path, unsigned call)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		calls = 0;
		fatal_call = call;
		_exit(keeper->make(path, NEW) ? REFUSED : DONE);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int check_left(const struct keeper *keeper, const char *path, int came_to,
		      struct lw_strbuf *why)
{
	int64_t found;

	last_error[0] = '\0';
	found = keeper->load(path, &killed_log);
	if (*last_error)
		return BROKEN(why, "damaged: %s\n", last_error);
	if (found != OLD && found != NEW)
		return BROKEN(why, "%lld entries\n", (long long)found);
	/* what a step's part has is not lost where it cannot be merged */
	if ((came_to == REFUSED && found != OLD && !keeper->lines) ||
	    (came_to == DONE && found != NEW))
		return BROKEN(why, "%s, and there are %lld entries\n",
			      came_to == DONE ? "done" : "refused", (long long)found);
	if ((came_to == DONE || (came_to == REFUSED && !keeper->lines)) &&
	    files_in_dir() != keeper->files)
		return BROKEN(why, "%u files are left\n", files_in_dir());
	if (keeper->make(path, NEXT) || keeper->load(path, &killed_log) != NEXT)
		return BROKEN(why, "the next write does not mend it\n");
	if (files_in_dir() != keeper->files)
		return BROKEN(why, "%u files stay\n", files_in_dir());
	return 0;
}

/* Strike each call of a write in turn, until there are no more. */
static int every_call(const struct keeper *keeper, struct lw_strbuf *why)
{
	char path[128];
	int came_to = MURDERED, rc = 0;
	unsigned call = 0, hit = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, keeper->name);
	while (!rc && ++call < 100) {
		empty_dir();
		if (keeper->make(path, OLD))
			return BROKEN(why, "%s cannot be made\n", keeper->name);
		came_to = write_struck(keeper, path, call);
		if (came_to != MURDERED && came_to != REFUSED && came_to != DONE)
			rc = BROKEN(why, "the writer came to %d\n", came_to);
		else
			rc = check_left(keeper, path, came_to, why);
		if (rc)
			lw_strbuf_add(why, "%s, call %u, %s\n", keeper->name, call,
				      how_names[how]);
		/* that the folder cannot be synced is no error: look for further calls */
		if (came_to == DONE && call > 8)
			break;
		hit += came_to != DONE;
	}
	/* write, fsync, rename at least */
	if (!rc && hit < 3)
		rc = BROKEN(why, "%s: only %u calls were struck\n", keeper->name, hit);
	return rc;
}

static int struck(uint64_t seed, struct lw_strbuf *why)
{
	int rc = 0;

	how = (enum how)(seed % 3);
	/* settings are one entry, and have no old and new by number */
	for (unsigned i = 0; !rc && i < keeper_count; i++) {
		if (!keepers[i].stays)
			rc = every_call(&keepers[i], why);
	}
	return rc;
}

static const struct property properties[] = {
	{ "a write that dies or fails in any call leaves the old file or the new", struck, 3 },
};

int main(void)
{
	int rc;

	if (!mkdtemp(dir)) {
		perror(dir);
		return EXIT_FAILURE;
	}
	rc = run_properties(properties, 1);
	empty_dir();
	rmdir(dir);
	return rc;
}
