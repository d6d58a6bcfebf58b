/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's lists and bitmaps, as much as tests of what reads its records need. */
#ifndef LW_TESTS_SLURM_STUB_SETS_H
#define LW_TESTS_SLURM_STUB_SETS_H

#include "slurm/compat/compat.h"

/* What a list of Slurm's is here; bitmaps have room for 63. */
struct stub_list {
	void *items[64];
	int count;
};

/* LIST, which stays the caller's, as Slurm's type. */
list_t *stub_list_of(struct stub_list *list);

/* Puts ITEM behind the others; there is room for 64. */
static inline void stub_list_add(struct stub_list *list, void *item)
{
	list->items[list->count++] = item;
}

#endif
