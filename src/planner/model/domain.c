/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: locality domains: which nodes are near each other, as a tree. */
#include "planner/model/domain.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_domains_init(struct lw_domains *domains)
{
	memset(domains, 0, sizeof(*domains));
	domains->first_root = domains->last_root = LW_NO_DOMAIN;
}

void lw_domains_fini(struct lw_domains *domains)
{
	for (uint32_t i = 0; i < domains->count; i++)
		free(domains->items[i].name);
	free(domains->items);
	free(domains->of);
	lw_domains_init(domains);
}

static int domain_size_nodes(struct lw_domains *domains, uint32_t count)
{
	if (domains->of)
		return 0;
	domains->of = malloc(((size_t)count + 1) * sizeof(*domains->of));
	if (!domains->of)
		return -ENOMEM;
	domains->of_count = count;
	for (uint32_t i = 0; i < count; i++)
		domains->of[i] = LW_NO_DOMAIN;
	return 0;
}

static int domain_check(const struct lw_domains *domains, const char *name, uint32_t parent,
			const struct lw_bitset *nodes, struct lw_error *err)
{
	uint32_t node;

	if (parent != LW_NO_DOMAIN && parent >= domains->count)
		return lw_error_set(err, -EINVAL, "domain %s: no domain %u before it", name,
				    parent);
	if (domains->of && nodes->bits != domains->of_count)
		return lw_error_set(err, -EINVAL, "domain %s: made for %u nodes, there are %u",
				    name, nodes->bits, domains->of_count);
	lw_bitset_foreach(nodes, node)
	{
		uint32_t other = lw_domain_of(domains, node);

		if (other != LW_NO_DOMAIN)
			return lw_error_set(err, -EINVAL, "domain %s: node %u is in %s already",
					    name, node, domains->items[other].name);
	}
	return 0;
}

/* After its elder siblings. */
static void domain_link_in(struct lw_domains *domains, uint32_t index)
{
	uint32_t parent = domains->items[index].parent;
	bool root = parent == LW_NO_DOMAIN;
	uint32_t *first = root ? &domains->first_root : &domains->items[parent].first_child;
	uint32_t *last = root ? &domains->last_root : &domains->items[parent].last_child;

	if (*first == LW_NO_DOMAIN)
		*first = index;
	else
		domains->items[*last].next_sibling = index;
	*last = index;
}

/* Count a new domain in those above it. */
static void domain_tell_parents(struct lw_domains *domains, uint32_t index)
{
	uint32_t height = 0, count = domains->items[index].node_count;

	for (uint32_t up = domains->items[index].parent; up != LW_NO_DOMAIN;
	     up = domains->items[up].parent) {
		struct lw_domain *above = &domains->items[up];

		height++;
		if (above->height < height)
			above->height = height;
		above->node_count += count;
	}
}

int lw_domains_add(struct lw_domains *domains, const char *name, uint32_t parent,
		   const struct lw_bitset *nodes, struct lw_error *err)
{
	uint32_t index = domains->count, node;
	int rc = domain_check(domains, name, parent, nodes, err);
	char *copy;

	if (rc)
		return rc;
	copy = strdup(name);
	if (!copy || domain_size_nodes(domains, nodes->bits) ||
	    lw_grow((void **)&domains->items, &domains->room, index + 1,
		    sizeof(*domains->items))) {
		free(copy);
		return lw_error_set(err, -ENOMEM, "out of memory");
	}
	domains->items[index] = (struct lw_domain){
		.name = copy,
		.parent = parent,
		.first_child = LW_NO_DOMAIN,
		.last_child = LW_NO_DOMAIN,
		.next_sibling = LW_NO_DOMAIN,
		.node_count = lw_bitset_count(nodes),
	};
	domains->count++;
	domain_link_in(domains, index);
	domain_tell_parents(domains, index);
	lw_bitset_foreach(nodes, node)
		domains->of[node] = index;
	return 0;
}

int lw_domains_nest(struct lw_domains *domains, const char *name, const struct lw_bitset *nodes,
		    struct lw_error *err)
{
	uint32_t first = lw_bitset_next(nodes, 0), parent = lw_domain_of(domains, first), node;
	struct lw_bitset direct;
	int rc;

	lw_bitset_foreach(nodes, node)
		parent = lw_domain_common(domains, parent, lw_domain_of(domains, node));
	if (lw_bitset_copy(&direct, nodes))
		return lw_error_set(err, -ENOMEM, "out of memory");
	lw_bitset_foreach(nodes, node)
	{
		if (lw_domain_of(domains, node) != parent)
			lw_bitset_clear(&direct, node);
		else if (parent != LW_NO_DOMAIN)
			domains->of[node] = LW_NO_DOMAIN;
	}
	rc = lw_domains_add(domains, name, parent, &direct, err);
	/* the parent and the domains above it had these nodes before */
	for (uint32_t up = parent; !rc && up != LW_NO_DOMAIN; up = domains->items[up].parent)
		domains->items[up].node_count -= lw_bitset_count(&direct);
	lw_bitset_fini(&direct);
	return rc;
}

int lw_domains_copy(struct lw_domains *to, const struct lw_domains *from)
{
	lw_domains_init(to);
	if (!from->count)
		return 0;
	to->items = calloc(from->count, sizeof(*to->items));
	to->of = malloc(((size_t)from->of_count + 1) * sizeof(*to->of));
	if (!to->items || !to->of) {
		lw_domains_fini(to);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < from->count; i++) {
		to->items[i] = from->items[i];
		to->items[i].name = strdup(from->items[i].name);
		to->count++;
		if (!to->items[i].name) {
			lw_domains_fini(to);
			return -ENOMEM;
		}
	}
	memcpy(to->of, from->of, from->of_count * sizeof(*to->of));
	to->room = from->count;
	to->of_count = from->of_count;
	to->first_root = from->first_root;
	to->last_root = from->last_root;
	to->strict = from->strict;
	return 0;
}

bool lw_domain_within(const struct lw_domains *domains, uint32_t inner, uint32_t outer)
{
	/* a parent's index is below its child's */
	while (inner != LW_NO_DOMAIN && inner > outer)
		inner = domains->items[inner].parent;
	return inner == outer;
}

uint32_t lw_domain_common(const struct lw_domains *domains, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (a == LW_NO_DOMAIN || b == LW_NO_DOMAIN)
			return LW_NO_DOMAIN;
		if (a > b)
			a = domains->items[a].parent;
		else
			b = domains->items[b].parent;
	}
	return a;
}

uint32_t lw_domains_largest(const struct lw_domains *domains, uint32_t height)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < domains->count; i++) {
		const struct lw_domain *domain = &domains->items[i];

		if (domain->height == height && domain->node_count > most)
			most = domain->node_count;
	}
	return most;
}
