/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: islands of GPUs as they are written in files. */
#ifndef LW_BASE_ISLANDLIST_H
#define LW_BASE_ISLANDLIST_H

#include "base/error.h"

#include <stdint.h>

/* GPUs of one island: the least that makes one, and the most that a node has. */
#define LW_ISLAND_GPUS_MIN 2
#define LW_ISLAND_GPUS_MAX 64

/* On each of NODES the GPUs are in islands of GPUS, in the order of their numbers. */
struct lw_island_line {
	unsigned line; /* of the file */
	uint32_t gpus;
	char *nodes;	     /* as a list of hosts (base/hosts.h) */
	uint32_t node_count; /* set by the check */
};

struct lw_island_list {
	struct lw_island_line *line;
	uint32_t lines, room;
};

/* Free all it holds; safe on a zeroed or already finished one. */
void lw_island_list_fini(struct lw_island_list *list);

/* Add a line; the text is copied. -ENOMEM. */
int lw_island_list_add(struct lw_island_list *list, unsigned line, const char *nodes,
		       uint32_t gpus);

/*
 * -EINVAL with ERR and the line of the file if nodes are no list of hosts or one is named twice.
 * -E2BIG for more nodes than LW_HOSTS_MAX, -ENOMEM. O(nodes log nodes).
 */
int lw_island_list_check(struct lw_island_list *list, unsigned *ret_line, struct lw_error *err);

#endif
