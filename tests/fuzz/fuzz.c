/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the fuzz targets share. */
#include "fuzz/fuzz.h"

#include "base/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS_MAX 32
#define MARK      "=== "

static char folder[64];

void fuzz_fail(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

void fuzz_check_told(const char *text)
{
	fuzz_check(*text);
	fuzz_check(lw_plain_is_line(text));
}

uint8_t fuzz_take(const uint8_t **data, size_t *size)
{
	if (!*size)
		return 0;
	(*size)--;
	return *(*data)++;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_check(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static void remove_folder(void)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_folder(void)
{
	const char *shared = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	snprintf(folder, sizeof(folder), "%s/leeway-fuzz-XXXXXX", shared);
	fuzz_check(mkdtemp(folder));
	atexit(remove_folder);
}

const char *fuzz_path(const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 8];

	if (!*folder)
		make_folder();
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

static void make_folders_of(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(part, 0755);
		*slash = '/';
	}
}

const char *fuzz_write(const char *name, const void *data, size_t size)
{
	const char *path = fuzz_path(name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 && errno == ENOENT) {
		make_folders_of(path);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	}
	fuzz_check(fd >= 0);
	fuzz_check(write(fd, data, size) == (ssize_t)size);
	close(fd);
	return path;
}

void fuzz_remove(const char *name)
{
	const char *path = fuzz_path(name);

	if (unlink(path) && (errno == EISDIR || errno == EPERM))
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The next line "=== NAME" from AT on, or END. */
static const uint8_t *next_mark(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *line = at;

	while (line && line < end) {
		if ((size_t)(end - line) >= strlen(MARK) && !memcmp(line, MARK, strlen(MARK)))
			return line;
		line = memchr(line, '\n', (size_t)(end - line));
		line = line ? line + 1 : NULL;
	}
	return end;
}

static void unpack_one(const char *dir, const char *name, const uint8_t *at, const uint8_t *end)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s%s", dir, *dir ? "/" : "", name);
	if (at)
		fuzz_write(path, at, (size_t)(end - at));
	else
		fuzz_remove(path);
}

void fuzz_unpack(const char *dir, const char *const *names, const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;

	for (size_t i = 0; names[i]; i++)
		unpack_one(dir, names[i], NULL, NULL);
	for (const uint8_t *at = next_mark(data, end), *next; at < end; at = next) {
		const uint8_t *name = at + strlen(MARK);
		const uint8_t *line_end = memchr(name, '\n', (size_t)(end - name));
		const uint8_t *body = line_end ? line_end + 1 : end;

		next = next_mark(body, end);
		for (size_t i = 0; line_end && names[i]; i++)
			if (strlen(names[i]) == (size_t)(line_end - name) &&
			    !memcmp(names[i], name, strlen(names[i])))
				unpack_one(dir, names[i], body, next);
	}
}

int fuzz_call(int (*command)(int argc, char **argv), const char *const *words)
{
	static bool silent;
	char *argv[WORDS_MAX + 1];
	int argc = 0, code;

	if (!silent)
		silent = freopen("/dev/null", "w", stdout) != NULL;
	for (; words[argc] && argc < WORDS_MAX; argc++)
		argv[argc] = strdup(words[argc]);
	argv[argc] = NULL;
	optind = 0; /* getopt begins anew */
	code = command(argc, argv);
	fflush(stdout);
	/* getopt may have put them in another order */
	while (argc)
		free(argv[--argc]);
	return code;
}
