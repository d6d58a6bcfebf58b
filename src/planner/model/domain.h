/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: locality domains: which nodes are near each other, as a tree. */
#ifndef LW_PLANNER_DOMAIN_H
#define LW_PLANNER_DOMAIN_H

#include "base/bitset.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A leaf switch, a rack or a block (an NVLink domain of several nodes) with what is above
 * it. Each node is directly in one domain at most. A parent is added before its children,
 * so that going through the domains from the last to the first sees children first.
 */

#define LW_NO_DOMAIN UINT32_MAX

struct lw_domain {
	char *name;
	uint32_t parent;       /* index of an earlier one, or LW_NO_DOMAIN */
	uint32_t first_child;  /* or LW_NO_DOMAIN; in order of addition ... */
	uint32_t last_child;
	uint32_t next_sibling; /* ... and so on; roots are siblings of each other */
	uint32_t height;       /* 0: has only nodes; else 1 + that of its highest child */
	uint32_t node_count;   /* in it, its children and theirs */
};

struct lw_domains {
	struct lw_domain *items;
	uint32_t count, room;
	uint32_t first_root, last_root; /* or LW_NO_DOMAIN */
	uint32_t *of;	   /* by node: the domain it is directly in, or LW_NO_DOMAIN */
	uint32_t of_count; /* nodes; 0 until the first domain is added */
	/*
	 * Jobs may not be spread further than their size asks for: what fits into one empty
	 * domain of a height must be inside one. Slurm's topology/block is so, a tree is not.
	 */
	bool strict;
};

void lw_domains_init(struct lw_domains *domains);
/* Free all it holds and make it empty; safe on a zeroed one. */
void lw_domains_fini(struct lw_domains *domains);

/*
 * Add a domain in PARENT (LW_NO_DOMAIN: it is a root) with NODES directly in it, which must
 * be of as many bits as those of the first one. Its index is count - 1. -ENOMEM, or -EINVAL
 * with ERR when the parent is none or a node is in a domain already.
 */
int lw_domains_add(struct lw_domains *domains, const char *name, uint32_t parent,
		   const struct lw_bitset *nodes, struct lw_error *err);

/*
 * As lw_domains_add(), for callers that know all nodes of a domain, whether directly in it or
 * deeper. Add domains from the outermost inwards. The new domain becomes a child of the smallest
 * domain that holds all of NODES, and takes over its nodes that were directly in that domain;
 * nodes of other domains stay there. -ENOMEM, -EINVAL with ERR.
 */
int lw_domains_nest(struct lw_domains *domains, const char *name, const struct lw_bitset *nodes,
		    struct lw_error *err);

/* Make TO (not initialised) a copy of FROM. -ENOMEM leaves it empty. */
int lw_domains_copy(struct lw_domains *to, const struct lw_domains *from);

/* The domain that NODE is directly in, or LW_NO_DOMAIN. */
static inline uint32_t lw_domain_of(const struct lw_domains *domains, uint32_t node)
{
	return node < domains->of_count ? domains->of[node] : LW_NO_DOMAIN;
}

/* Is INNER the domain OUTER or somewhere below it? */
bool lw_domain_within(const struct lw_domains *domains, uint32_t inner, uint32_t outer);

/* The smallest domain that holds both (LW_NO_DOMAIN: none does, or one of them is none). */
uint32_t lw_domain_common(const struct lw_domains *domains, uint32_t a, uint32_t b);

/* The most nodes that any domain of HEIGHT has; 0: there is none. */
uint32_t lw_domains_largest(const struct lw_domains *domains, uint32_t height);

#endif
