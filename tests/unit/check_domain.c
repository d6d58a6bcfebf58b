/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/domain: the tree of locality domains. */
#include "planner/model/domain.h"

#include "unit/unit.h"

#include <errno.h>

#define NODES 12

/*
 *          0 core          6 (alone)
 *         /    \
 *     1 east   2 west      node 11 is in no domain
 *      /  \       \
 *     3    4       5
 */
static const struct {
	const char *name;
	uint32_t parent, first, last; /* nodes; last < first: none */
	uint32_t height, node_count;  /* at the end */
} tree[] = {
	{ "core", LW_NO_DOMAIN, 1, 0, 2, 9 }, { "east", 0, 1, 0, 1, 6 },
	{ "west", 0, 1, 0, 1, 3 },	      { "a", 1, 0, 2, 0, 3 },
	{ "b", 1, 3, 5, 0, 3 },		      { "c", 2, 6, 8, 0, 3 },
	{ "d", LW_NO_DOMAIN, 9, 10, 0, 2 },
};

static int add(struct lw_domains *domains, const char *name, uint32_t parent, uint32_t first,
	       uint32_t last, struct lw_error *err)
{
	struct lw_bitset nodes;
	int rc;

	ck_assert_int_eq(lw_bitset_init(&nodes, NODES), 0);
	for (uint32_t node = first; node <= last; node++)
		lw_bitset_set(&nodes, node);
	rc = lw_domains_add(domains, name, parent, &nodes, err);
	lw_bitset_fini(&nodes);
	return rc;
}

static void make(struct lw_domains *domains)
{
	lw_domains_init(domains);
	for (size_t i = 0; i < LW_COUNT_OF(tree); i++)
		ck_assert_int_eq(add(domains, tree[i].name, tree[i].parent, tree[i].first,
				     tree[i].last, NULL),
				 0);
}

static void check_tree(const struct lw_domains *domains)
{
	ck_assert_uint_eq(domains->count, LW_COUNT_OF(tree));
	for (uint32_t i = 0; i < domains->count; i++) {
		ck_assert_str_eq(domains->items[i].name, tree[i].name);
		ck_assert_uint_eq(domains->items[i].height, tree[i].height);
		ck_assert_uint_eq(domains->items[i].node_count, tree[i].node_count);
		for (uint32_t node = tree[i].first; node <= tree[i].last; node++)
			ck_assert_uint_eq(lw_domain_of(domains, node), i);
	}
	ck_assert_uint_eq(lw_domain_of(domains, 11), LW_NO_DOMAIN);
	ck_assert_uint_eq(lw_domain_of(domains, NODES), LW_NO_DOMAIN);
	ck_assert_uint_eq(lw_domains_largest(domains, 0), 3);
	ck_assert_uint_eq(lw_domains_largest(domains, 1), 6);
	ck_assert_uint_eq(lw_domains_largest(domains, 3), 0);
}

TEST(heights_and_counts_reach_the_top)
{
	struct lw_domains domains;

	make(&domains);
	check_tree(&domains);
	lw_domains_fini(&domains);
	ck_assert_uint_eq(domains.count, 0);
	lw_domains_fini(&domains);
}

TEST(children_are_in_order)
{
	struct lw_domains domains;

	make(&domains);
	ck_assert_uint_eq(domains.first_root, 0);
	ck_assert_uint_eq(domains.items[0].next_sibling, 6);
	ck_assert_uint_eq(domains.items[6].next_sibling, LW_NO_DOMAIN);
	ck_assert_uint_eq(domains.items[0].first_child, 1);
	ck_assert_uint_eq(domains.items[1].next_sibling, 2);
	ck_assert_uint_eq(domains.items[1].first_child, 3);
	ck_assert_uint_eq(domains.items[3].next_sibling, 4);
	ck_assert_uint_eq(domains.items[3].first_child, LW_NO_DOMAIN);
	lw_domains_fini(&domains);
}

static const struct {
	uint32_t a, b, common;
} pairs[] = {
	{ 3, 3, 3 }, { 3, 4, 1 }, { 3, 5, 0 }, { 3, 1, 1 }, { 0, 5, 0 },
	{ 3, 6, LW_NO_DOMAIN }, { 3, LW_NO_DOMAIN, LW_NO_DOMAIN },
	{ LW_NO_DOMAIN, LW_NO_DOMAIN, LW_NO_DOMAIN },
};

TEST_EACH(common_domain_is_the_smallest, LW_COUNT_OF(pairs))
{
	struct lw_domains domains;

	make(&domains);
	ck_assert_uint_eq(lw_domain_common(&domains, pairs[_i].a, pairs[_i].b),
			  pairs[_i].common);
	ck_assert_uint_eq(lw_domain_common(&domains, pairs[_i].b, pairs[_i].a),
			  pairs[_i].common);
	if (pairs[_i].common != LW_NO_DOMAIN) {
		ck_assert(lw_domain_within(&domains, pairs[_i].a, pairs[_i].common));
		ck_assert(lw_domain_within(&domains, pairs[_i].b, pairs[_i].common));
	}
	lw_domains_fini(&domains);
}

TEST(within_goes_down_only)
{
	struct lw_domains domains;

	make(&domains);
	ck_assert(lw_domain_within(&domains, 5, 0));
	ck_assert(!lw_domain_within(&domains, 0, 5));
	ck_assert(!lw_domain_within(&domains, 4, 3));
	ck_assert(!lw_domain_within(&domains, 6, 0));
	ck_assert(!lw_domain_within(&domains, LW_NO_DOMAIN, 0));
	lw_domains_fini(&domains);
}

TEST(bad_domains_are_refused)
{
	struct lw_domains domains;
	struct lw_bitset few;
	struct lw_error err;

	make(&domains);
	ck_assert_int_eq(add(&domains, "x", 7, 1, 0, &err), -EINVAL);
	ck_assert_str_eq(err.text, "domain x: no domain 7 before it");
	ck_assert_int_eq(add(&domains, "x", 0, 11, 11, &err), 0);
	ck_assert_int_eq(add(&domains, "y", 0, 5, 6, &err), -EINVAL);
	ck_assert_str_eq(err.text, "domain y: node 5 is in b already");
	ck_assert_int_eq(lw_bitset_init(&few, 3), 0);
	ck_assert_int_eq(lw_domains_add(&domains, "z", 0, &few, &err), -EINVAL);
	ck_assert_str_eq(err.text, "domain z: made for 3 nodes, there are 12");
	ck_assert_uint_eq(domains.count, LW_COUNT_OF(tree) + 1);
	lw_bitset_fini(&few);
	lw_domains_fini(&domains);
}

/* The whole of each domain, outer ones first; the same tree. */
TEST(nesting_finds_the_parents)
{
	struct lw_domains domains;
	struct lw_bitset nodes;

	lw_domains_init(&domains);
	for (uint32_t i = 0; i < LW_COUNT_OF(tree); i++) {
		ck_assert_int_eq(lw_bitset_init(&nodes, NODES), 0);
		for (uint32_t j = i; j < LW_COUNT_OF(tree); j++) {
			uint32_t up = j;

			while (up != i && up != LW_NO_DOMAIN)
				up = tree[up].parent;
			for (uint32_t n = tree[j].first; up == i && n <= tree[j].last; n++)
				lw_bitset_set(&nodes, n);
		}
		ck_assert_int_eq(lw_domains_nest(&domains, tree[i].name, &nodes, NULL), 0);
		ck_assert_uint_eq(domains.items[i].parent, tree[i].parent);
		lw_bitset_fini(&nodes);
	}
	check_tree(&domains);
	/* one that overlaps two others gets only what lies in neither */
	ck_assert_int_eq(lw_bitset_init(&nodes, NODES), 0);
	lw_bitset_set(&nodes, 10);
	lw_bitset_set(&nodes, 11);
	ck_assert_int_eq(lw_domains_nest(&domains, "over", &nodes, NULL), 0);
	ck_assert_uint_eq(domains.items[7].parent, LW_NO_DOMAIN);
	ck_assert_uint_eq(lw_domain_of(&domains, 10), 6);
	ck_assert_uint_eq(lw_domain_of(&domains, 11), 7);
	ck_assert_uint_eq(domains.items[6].node_count, 2);
	lw_bitset_fini(&nodes);
	lw_domains_fini(&domains);
}

TEST(copy_stands_alone)
{
	struct lw_domains domains, copy;

	make(&domains);
	domains.strict = true;
	ck_assert_int_eq(lw_domains_copy(&copy, &domains), 0);
	lw_domains_fini(&domains);
	check_tree(&copy);
	ck_assert(copy.strict);
	ck_assert_int_eq(add(&copy, "e", 2, 11, 11, NULL), 0);
	ck_assert_uint_eq(copy.items[5].next_sibling, 7);
	lw_domains_fini(&copy);
	lw_domains_init(&domains);
	ck_assert_int_eq(lw_domains_copy(&copy, &domains), 0);
	ck_assert_uint_eq(copy.count, 0);
	lw_domains_fini(&copy);
}
