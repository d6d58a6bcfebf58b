/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: how much memory it has in use, cycle by cycle. */

/*
 * Whenever the plugin begins to think, which it does in a thread of a name of its own, a line with
 * the bytes that the whole process has not given back goes to the end of the file LW_HEAP_FILE.
 * Memory that was freed but is still the process's, and so in its resident size, does not count.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *block);

static atomic_long live;

static void *count_in(void *block)
{
	atomic_fetch_add(&live, (long)malloc_usable_size(block));
	return block;
}

void *malloc(size_t size)
{
	return count_in(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return count_in(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
	long before = (long)malloc_usable_size(block);
	void *moved = __libc_realloc(block, size);

	if (!moved && size)
		return NULL;
	atomic_fetch_sub(&live, before);
	return count_in(moved);
}

void *memalign(size_t align, size_t size)
{
	return count_in(__libc_memalign(align, size));
}

void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int posix_memalign(void **ret_block, size_t align, size_t size)
{
	void *block = memalign(align, size);

	if (!block)
		return ENOMEM;
	*ret_block = block;
	return 0;
}

void free(void *block)
{
	atomic_fetch_sub(&live, (long)malloc_usable_size(block));
	__libc_free(block);
}

static void tell(void)
{
	const char *path = getenv("LW_HEAP_FILE");
	int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	char line[32];
	int size = snprintf(line, sizeof(line), "%ld\n", atomic_load(&live));

	if (file < 0)
		return;
	if (write(file, line, (size_t)size) != size)
		perror(path);
	close(file);
}

/* The planner's thread says how urgent it is each time it begins, and nobody else does. */
int setpriority(__priority_which_t which, id_t who, int nice)
{
	char name[16] = "";

	if (!prctl(PR_GET_NAME, name, NULL, NULL, NULL) && !strcmp(name, "leeway-plan"))
		tell();
	return (int)syscall(SYS_setpriority, which, who, nice);
}
