/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: scripts of a test in place of Slurm's commands, which note how they were called. */
#ifndef LW_TESTS_FAKE_SLURM_H
#define LW_TESTS_FAKE_SLURM_H

#include "unit/scratch.h"

#include <sys/stat.h>
#include <time.h>

static char fake_path[4096];

/* From here on the folder's commands are found before all others. */
static inline void fake_setup(void)
{
	char path[4200];

	scratch_setup();
	snprintf(fake_path, sizeof(fake_path), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s:%s", scratch_dir, fake_path);
	setenv("PATH", path, 1);
	setenv("TZ", "UTC", 1);
	tzset();
}

static inline void fake_teardown(void)
{
	setenv("PATH", fake_path, 1);
	scratch_teardown();
}

/* NAME is a script of BODY, which adds its words to the file "NAME.asked"; $d is the folder. */
static inline void fake_command(const char *name, const char *body)
{
	char script[8192];

	ck_assert_int_lt(snprintf(script, sizeof(script),
				  "#!/bin/sh\nd=%s\necho \"$*\" >>$d/%s.asked\n%s\n", scratch_dir,
				  name, body),
			 (int)sizeof(script));
	ck_assert_int_eq(chmod(scratch_write(name, script), 0755), 0);
}

/* Call COMMAND with ARGV; what it said on standard error, to be freed. */
__attribute__((noinline, unused)) static char *fake_run(int (*command)(int, char **), int argc,
							char **argv, int *ret_rc)
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

/* The same with the words of LINE, which are parted by single spaces. */
__attribute__((noinline, unused)) static char *fake_call(int (*command)(int, char **),
							 const char *line, int *ret_rc)
{
	static char words[1024];
	char *argv[32], *rest = words;
	int argc = 0;

	ck_assert_int_lt(snprintf(words, sizeof(words), "%s", line), (int)sizeof(words));
	while (rest && argc < 31)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	return fake_run(command, argc, argv, ret_rc);
}

#endif
