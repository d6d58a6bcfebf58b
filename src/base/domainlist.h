/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: locality domains as they are written in files. */
#ifndef LW_BASE_DOMAINLIST_H
#define LW_BASE_DOMAINLIST_H

#include "base/error.h"

#include <stdint.h>

struct lw_domain_line {
	unsigned line; /* of the file */
	char *name;
	char *nodes;         /* all its nodes, as a list of hosts (base/hosts.h) */
	uint32_t first_node; /* scratch of the check */
	uint32_t node_count; /* set by the check */
};

struct lw_domain_list {
	struct lw_domain_line *line;
	uint32_t lines, room;
};

/* Free all it holds; safe on a zeroed or already finished one. */
void lw_domain_list_fini(struct lw_domain_list *list);

/* Add a domain; the texts are copied. -ENOMEM. */
int lw_domain_list_add(struct lw_domain_list *list, unsigned line, const char *name,
		       const char *nodes);

/*
 * Sort outer domains before inner ones. -EINVAL with ERR and the line of the file if a name is
 * given twice, nodes are no list of hosts or named twice, or two domains share nodes and neither
 * contains the other. -E2BIG for more nodes than LW_HOSTS_MAX, -ENOMEM. O(nodes log nodes +
 * domains^2).
 */
int lw_domain_list_check(struct lw_domain_list *list, unsigned *ret_line, struct lw_error *err);

#endif
