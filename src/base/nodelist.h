/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lists of nodes as they were written, for code that does not know the nodes. */
#ifndef LW_BASE_NODELIST_H
#define LW_BASE_NODELIST_H

#include "base/error.h"

#include <stdint.h>

/* GPUs of one island: fewer are none, more has no node. */
#define LW_ISLAND_GPUS_MIN 2
#define LW_ISLAND_GPUS_MAX 64

/* A locality domain; or nodes with GPUs in islands, in the order of their numbers. */
struct lw_node_line {
	unsigned line;       /* of the file */
	char *name;          /* of the domain; NULL: islands */
	uint32_t gpus;       /* of each island */
	char *nodes;         /* all of them, as a list of hosts (base/hosts.h) */
	uint32_t first_node; /* scratch of the check */
	uint32_t node_count; /* set by it */
};

struct lw_node_list {
	struct lw_node_line *line;
	uint32_t lines, room;
};

/* Free all it holds; safe on a zeroed or already finished one. */
void lw_node_list_fini(struct lw_node_list *list);

/* Add a line; the texts are copied. -ENOMEM. */
int lw_node_list_add(struct lw_node_list *list, const struct lw_node_line *line);

/*
 * Domains: put the outer ones before the inner ones. -EINVAL with ERR and the line of the file
 * when a name is given twice, nodes are no list or named twice, or two domains share nodes and
 * neither is inside the other. -E2BIG for more nodes than LW_HOSTS_MAX, -ENOMEM.
 * O(nodes log nodes + domains^2).
 */
int lw_node_list_check_domains(struct lw_node_list *list, unsigned *ret_line, struct lw_error *err);

/*
 * Islands: -EINVAL with ERR and the line of the file when nodes are no list or one is named twice.
 * -E2BIG for more nodes than LW_HOSTS_MAX, -ENOMEM. O(nodes log nodes).
 */
int lw_node_list_check_islands(struct lw_node_list *list, unsigned *ret_line, struct lw_error *err);

#endif
