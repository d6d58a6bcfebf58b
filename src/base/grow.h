/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make room in a growing array. */
#ifndef LW_BASE_GROW_H
#define LW_BASE_GROW_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Make *array hold at least NEED items of SIZE bytes; *room is what it holds now. The room
 * doubles, beginning with FIRST, so that n additions cost O(n). -ENOMEM leaves both unchanged.
 */
static inline int lw_grow_from(void **array, uint32_t *room, uint32_t need, size_t size,
			       uint32_t first)
{
	uint32_t more = *room ? *room : first;
	void *bigger;

	if (need <= *room)
		return 0;
	while (more < need)
		more = more > UINT32_MAX / 2 ? need : more * 2;
	bigger = reallocarray(*array, more, size);
	if (!bigger)
		return -ENOMEM;
	*array = bigger;
	*room = more;
	return 0;
}

/* The same for an array of its own; of thousands, each may begin with less. */
static inline int lw_grow(void **array, uint32_t *room, uint32_t need, size_t size)
{
	return lw_grow_from(array, room, need, size, 16);
}

#endif
