/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: small files of a test, in a folder that goes away with it. */
#ifndef LW_TESTS_SCRATCH_H
#define LW_TESTS_SCRATCH_H

#include "unit/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_dir[64];

static inline void scratch_setup(void)
{
	snprintf(scratch_dir, sizeof(scratch_dir), "/tmp/leeway-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(scratch_dir));
}

static inline int scratch_remove(const char *path, const struct stat *st, int flag,
				 struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void scratch_teardown(void)
{
	nftw(scratch_dir, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* The path of NAME in the folder; valid until the next call but three. */
static inline const char *scratch_path(const char *name)
{
	static char paths[4][192];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", scratch_dir, name);
	return path;
}

/* Write TEXT to NAME in the folder; its path. */
static inline const char *scratch_write(const char *name, const char *text)
{
	const char *path = scratch_path(name);
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
	return path;
}

/* The content of a file, to be freed. (Inline, some compilers lose sight of who owns it.) */
__attribute__((noinline, unused)) static char *scratch_read(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text;
	long size;

	ck_assert_msg(in != NULL, "%s was not written", path);
	ck_assert_int_eq(fseek(in, 0, SEEK_END), 0);
	size = ftell(in);
	rewind(in);
	text = calloc(1, size + 1);
	ck_assert(text && fread(text, 1, size, in) == (size_t)size);
	fclose(in);
	return text;
}

/*
 * A command of the tools as from a shell; its exit code. Its standard output goes to "out" in
 * the folder, and only its: without forks this process prints the results of later tests too.
 */
static inline int scratch_run(int (*command)(int, char **), int argc, char **argv)
{
	int saved = dup(STDOUT_FILENO), out, rc;

	ck_assert_int_ge(saved, 0);
	fflush(stdout);
	out = open(scratch_path("out"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
	close(out);
	optind = 0; /* getopt begins anew */
	rc = command(argc, argv);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	return rc;
}

/* The words of LINE, which are parted by single spaces, until the next call; how many. */
static inline int scratch_words(const char *line, char *argv[32])
{
	static char words[1024];
	char *rest = words;
	int argc = 0;

	ck_assert_int_lt(snprintf(words, sizeof(words), "%s", line), (int)sizeof(words));
	while (rest && argc < 31)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	return argc;
}

/* As scratch_run() with the words of LINE. */
static inline int scratch_call(int (*command)(int, char **), const char *line)
{
	char *argv[32];
	int argc = scratch_words(line, argv);

	return scratch_run(command, argc, argv);
}

/* Call COMMAND with ARGV; what it said on standard error, to be freed. */
static inline char *scratch_told(int (*command)(int, char **), int argc, char **argv, int *ret_rc)
{
	int saved = dup(STDERR_FILENO), to;

	ck_assert_int_ge(saved, 0);
	to = open(scratch_path("err"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ck_assert_int_ge(dup2(to, STDERR_FILENO), 0);
	close(to);
	*ret_rc = scratch_run(command, argc, argv);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	return scratch_read(scratch_path("err"));
}

/* The same with the words of LINE. */
static inline char *scratch_complaint(int (*command)(int, char **), const char *line, int *ret_rc)
{
	char *argv[32];
	int argc = scratch_words(line, argv);

	return scratch_told(command, argc, argv, ret_rc);
}

#endif
