/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/inherit: what a library holds open does not go to a job. */
#include "record/sampler.h"

#include "unit/unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The descriptor by which this process has PATH open; -1: it has not. */
static int find_open(const char *path)
{
	char link[64], target[PATH_MAX];

	for (int fd = 3; fd < 256; fd++) {
		ssize_t len;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(link, target, sizeof(target) - 1);
		if (len > 0 && (size_t)len == strlen(path) && !memcmp(target, path, (size_t)len))
			return fd;
	}
	return -1;
}

/* Whether a program that we start, as slurmstepd does a task, has FD open. */
static bool is_inherited(int fd)
{
	char word[16];
	pid_t pid;
	int status = 0;

	snprintf(word, sizeof(word), "%d", fd);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		execl("/bin/sh", "sh", "-c", "test -e /proc/self/fd/$0", word, (char *)NULL);
		_exit(99);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
	return !WEXITSTATUS(status);
}

TEST(a_device_of_the_library_is_not_inherited)
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	int ends[2], device, null;
	void *state = NULL;

	setenv("LW_FAKE_NVML", "open", 1);
	ck_assert_int_eq(pipe(ends), 0);
	null = open("/dev/null", O_RDWR);
	ck_assert_int_ge(null, 3);
	ck_assert_msg(!lw_sampler_nvml.open(LW_FAKE_NVML, &gpu, 1, 0, &state, &err), "%s",
		      err.text);
	device = find_open("/dev/full");
	ck_assert_int_ge(device, 3);
	ck_assert_int_eq(fcntl(device, F_GETFD), 0);
	ck_assert(!is_inherited(device));
	/* what slurmstepd itself hands on stays */
	ck_assert(is_inherited(ends[1]));
	ck_assert(is_inherited(null));
	lw_sampler_nvml.close(state);
	ck_assert_int_eq(find_open("/dev/full"), -1);
}
