/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: subcommands of the laboratory, which is a program and a package of its own. */
#include "cli/common/lab.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/tools.h"

/* The folder of the program that runs, in BUF of PATH_MAX bytes; "." if the kernel does not say.
 */
static void own_folder(char *buf)
{
	ssize_t len = readlink("/proc/self/exe", buf, PATH_MAX - 1);
	char *slash;

	buf[len > 0 ? len : 0] = '\0';
	slash = strrchr(buf, '/');
	if (slash)
		*slash = '\0';
	else
		strcpy(buf, ".");
}

/* Run ARGV of the first place that has it: a build tree, beside this program, as installed. */
static int exec_lab(char **argv)
{
	static const char *const places[] = { "%s/leeway-lab",
					      "%s/../libexec/leeway/leeway-lab" };
	char folder[PATH_MAX], path[2 * PATH_MAX];

	own_folder(folder);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), places[i], folder);
		execv(path, argv);
		if (errno != ENOENT)
			return -errno;
	}
	execv(LW_LAB_PROGRAM, argv);
	return -errno;
}

int lw_lab_run(int argc, char **argv)
{
	char program[] = "leeway-lab";
	char **words = calloc((size_t)argc + 2, sizeof(*words));
	struct lw_error err = { "" };
	int rc;

	if (!words) {
		lw_error_set(&err, -ENOMEM, "out of memory");
		return lw_tools_failed(argv[0], &err);
	}
	words[0] = program;
	memcpy(words + 1, argv, (size_t)argc * sizeof(*words));
	rc = exec_lab(words);
	free(words);
	if (rc == -ENOENT)
		lw_error_set(&err, rc, "it is in the package leeway-lab, which is not installed");
	else
		lw_error_set(&err, rc, "the program leeway-lab: %s", strerror(-rc));
	return lw_tools_failed(argv[0], &err);
}
