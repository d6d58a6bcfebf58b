/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whatever call of a write a daemon dies in, or that fails, a state file is old or new.
 */

/* write, fsync, fdatasync, rename and unlink are wrapped by the linker (tests/property/local.mk).
 */

#include "base/promise_ended.h"
#include "base/savefile.h"
#include "property/keepers.h"
#include "property/tap.h"
#include "slurm/keep/promise.h"

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

/* WRITE what ARG says in a child that is struck at CALL. What it came to. */
static int run_struck(int (*write)(const char *path, const void *arg), const char *path,
		      const void *arg, unsigned call)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		calls = 0;
		fatal_call = call;
		_exit(write(path, arg) ? REFUSED : DONE);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int make_new(const char *path, const void *arg)
{
	const struct keeper *keeper = arg;

	return keeper->make(path, NEW);
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
	/* what a step's part has is not lost where it cannot be merged; of two files the first
	 * may be written, and the second not */
	if ((came_to == REFUSED && found != OLD && !keeper->lines && keeper->files < 2) ||
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
		came_to = run_struck(make_new, path, keeper, call);
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

/* ---- two files, one after the other ---- */

/* What a reader of both files finds of the promise to job 7. */
struct whereabouts {
	bool open, ended;
};

static int find_seven(void *arg, const struct lw_promise *promise)
{
	struct whereabouts *where = arg;

	where->open |= promise->job_id == 7;
	return 0;
}

static bool find_promise(const char *path, struct whereabouts *ret_where)
{
	const struct lw_promise_taker taker = { find_seven, ret_where };
	struct lw_promise_ring ring = { 0 };
	struct lw_promise_totals totals;
	char ended[160], *text = NULL;
	struct lw_error err;
	size_t size;
	int rc;

	*ret_where = (struct whereabouts){ 0 };
	snprintf(ended, sizeof(ended), "%s_ended", path);
	rc = lw_savefile_read(ended, LW_PROMISE_ENDED_KIND, LW_PROMISE_ENDED_VERSION, &text,
			      &size, &err);
	if (!rc)
		rc = lw_promise_ring_parse(&ring, text, size, ended, &err);
	free(text);
	for (uint32_t i = 0; i < ring.count; i++)
		ret_where->ended |= lw_promise_ring_at(&ring, i)->promise.job_id == 7;
	return (!rc || rc == -ENOENT) && !lw_promise_read(path, &taker, &totals, &err);
}

/* How many promises the keeper itself knows of, and how many it has counted as kept. */
static int count_again(const char *path, uint32_t *ret_open, uint64_t *ret_kept)
{
	struct lw_promise_totals totals;
	struct lw_promises *promises;
	int rc = lw_promises_create(path, KEEPER_NOW_S, &killed_log, &promises);

	if (rc)
		return rc;
	lw_promises_totals(promises, &totals);
	*ret_open = lw_promises_count(promises);
	*ret_kept = totals.kept;
	lw_promises_destroy(promises);
	return 0;
}

/* Jobs 7 and 8 are promised a start, and 8 has had it; 7 starts, if STARTS. */
static int write_promises(const char *path, bool starts)
{
	struct lw_promises *promises = NULL;
	struct lw_error err;
	int rc = lw_promises_create(path, KEEPER_NOW_S, &killed_log, &promises);

	for (uint32_t job = 7; !rc && !starts && job <= 8; job++) {
		const struct lw_promise promise = { .job_id = job,
						    .made_s = KEEPER_NOW_S,
						    .start_s = KEEPER_NOW_S + 100,
						    .latest_s = KEEPER_NOW_S + 900 };

		rc = lw_promises_make(promises, &promise);
	}
	if (!rc)
		lw_promises_started(promises, starts ? 7 : 8, KEEPER_NOW_S + 50);
	if (!rc)
		rc = lw_promises_save(promises, &err);
	lw_promises_destroy(promises);
	return rc;
}

static int start_seven(const char *path, const void *arg)
{
	(void)arg;
	return write_promises(path, true);
}

static int check_promise(const char *path, struct lw_strbuf *why)
{
	struct whereabouts where;
	uint32_t open = 0;
	uint64_t kept = 0;

	if (!find_promise(path, &where))
		return BROKEN(why, "a file cannot be read\n");
	if (!where.open && !where.ended)
		return BROKEN(why, "the promise is neither open nor among those that ended\n");
	if (count_again(path, &open, &kept) || open != where.open || kept != 2U - open)
		return BROKEN(why, "%u are open and %llu were kept\n", open,
			      (unsigned long long)kept);
	/* the next process settles it, and it is told of once */
	if (where.open && (write_promises(path, true) || !find_promise(path, &where)))
		return BROKEN(why, "the next write fails\n");
	if (count_again(path, &open, &kept) || where.open || !where.ended || open || kept != 2)
		return BROKEN(why, "the next write does not settle it\n");
	return 0;
}

static int never_untold(uint64_t seed, struct lw_strbuf *why)
{
	char path[128];
	int came_to = MURDERED, rc = 0;
	unsigned call = 0;

	how = (enum how)(seed % 3);
	snprintf(path, sizeof(path), "%s/leeway_promises", dir);
	while (!rc && ++call < 100 && !(came_to == DONE && call > 12)) {
		empty_dir();
		if (write_promises(path, false))
			return BROKEN(why, "the promises cannot be made\n");
		came_to = run_struck(start_seven, path, NULL, call);
		rc = came_to < 0 ? BROKEN(why, "the writer did not end\n")
				 : check_promise(path, why);
		if (rc)
			lw_strbuf_add(why, "call %u, %s\n", call, how_names[how]);
	}
	return rc;
}

static const struct property properties[] = {
	{ "a write that dies or fails in any call leaves the old file or the new", struck, 3 },
	{ "a promise is open or has ended, whatever call of the two writes dies or fails",
	  never_untold, 3 },
};

int main(void)
{
	int rc;

	if (!mkdtemp(dir)) {
		perror(dir);
		return EXIT_FAILURE;
	}
	rc = run_properties(properties, sizeof(properties) / sizeof(*properties));
	empty_dir();
	rmdir(dir);
	return rc;
}
