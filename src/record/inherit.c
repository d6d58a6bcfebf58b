/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job's processes do not inherit devices that a driver's library has open. */
#include "record/inherit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Of the kernel's list of devices. */
#define MEMORY_MAJOR 1
#define NULL_MINOR   3
#define TTY_MAJOR    4
#define TTY_AUX      5
#define PTY_FIRST    136
#define PTY_LAST     143

static bool inherit_is_stdio_device(dev_t device)
{
	unsigned kind = major(device);

	return kind == TTY_MAJOR || kind == TTY_AUX || (kind >= PTY_FIRST && kind <= PTY_LAST) ||
	       (kind == MEMORY_MAJOR && minor(device) == NULL_MINOR);
}

static void inherit_close_on_exec(int fd)
{
	struct stat st;

	if (fd > STDERR_FILENO && !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	    !inherit_is_stdio_device(st.st_rdev))
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* As the kernel writes them; its own header has no name for it. */
struct entry {
	uint64_t inode;
	int64_t next;
	uint16_t size;
	uint8_t type;
	char name[];
};

/*
 * In the child of a process that has threads nothing may be called that takes a lock: opendir()
 * allocates.
 */
static void inherit_look_at_all(void)
{
	_Alignas(struct entry) char buf[2048];
	int dir = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long got;

	if (dir < 0)
		return;
	while ((got = syscall(SYS_getdents64, dir, buf, sizeof(buf))) > 0)
		for (long at = 0; at < got;) {
			const struct entry *entry = (const struct entry *)(void *)(buf + at);

			if (*entry->name >= '0' && *entry->name <= '9')
				inherit_close_on_exec(atoi(entry->name));
			at += entry->size;
		}
	close(dir);
}

static void inherit_watch_children(void)
{
	pthread_atfork(NULL, NULL, inherit_look_at_all);
}

void lw_inherit_no_devices(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, inherit_watch_children);
}
