/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: locality domains as they are written in files. */

/*
 * The check goes from the largest domain to the smallest and keeps for each node the
 * innermost domain so far. If each domain finds all its nodes in one and the same, the
 * domains are a tree.
 */
#include "base/domainlist.h"

#include "base/grow.h"
#include "base/hosts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT32_MAX

/* The nodes of all domains, each once, with the innermost domain that has it. */
struct nodes {
	struct lw_hosts hosts; /* as written, one run a domain */
	char **names;          /* sorted */
	uint32_t *inner;       /* by name: index of a domain, or NO_LINE */
	uint32_t count;
};

void lw_domain_list_fini(struct lw_domain_list *list)
{
	for (uint32_t i = 0; i < list->lines; i++) {
		free(list->line[i].name);
		free(list->line[i].nodes);
	}
	free(list->line);
	memset(list, 0, sizeof(*list));
}

int lw_domain_list_add(struct lw_domain_list *list, unsigned line, const char *name,
		       const char *nodes)
{
	struct lw_domain_line added = { .line = line };

	if (lw_grow((void **)&list->line, &list->room, list->lines + 1, sizeof(*list->line)))
		return -ENOMEM;
	added.name = strdup(name);
	added.nodes = strdup(nodes);
	if (!added.name || !added.nodes) {
		free(added.name);
		free(added.nodes);
		return -ENOMEM;
	}
	list->line[list->lines++] = added;
	return 0;
}

/* The names of every domain in the order of the file. */
static int spell_out(struct lw_domain_list *list, struct nodes *nodes, unsigned *ret_line,
		     struct lw_error *err)
{
	for (uint32_t i = 0; i < list->lines; i++) {
		struct lw_domain_line *line = &list->line[i];
		int rc = lw_hosts_add(&nodes->hosts, line->nodes);

		*ret_line = line->line;
		if (rc == -EINVAL)
			return lw_error_set(err, rc,
					    "the nodes of %s, %.80s, are no list of nodes; write "
					    "such as gpu[1-8],gpu12",
					    line->name, line->nodes);
		if (rc == -E2BIG)
			return lw_error_set(err, rc, "the domains have more than %d nodes",
					    LW_HOSTS_MAX);
		if (rc)
			return lw_error_set(err, rc, "out of memory");
		line->first_node = i ? line[-1].first_node + line[-1].node_count : 0;
		line->node_count = nodes->hosts.count - line->first_node;
	}
	return 0;
}

static int check_names(const struct lw_domain_list *list, unsigned *ret_line,
		       struct lw_error *err)
{
	for (uint32_t i = 0; i < list->lines; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (strcmp(list->line[i].name, list->line[j].name))
				continue;
			*ret_line = list->line[i].line;
			return lw_error_set(err, -EINVAL,
					    "%s is given twice, first on line %u; give each "
					    "domain a name of its own",
					    list->line[i].name, list->line[j].line);
		}
	}
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	const struct lw_domain_line *x = a, *y = b;

	if (x->node_count != y->node_count)
		return x->node_count > y->node_count ? -1 : 1;
	return x->first_node < y->first_node ? -1 : x->first_node > y->first_node;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int index_nodes(struct nodes *nodes)
{
	uint32_t room = nodes->hosts.count + 1;

	nodes->names = malloc(room * sizeof(*nodes->names));
	nodes->inner = malloc(room * sizeof(*nodes->inner));
	if (!nodes->names || !nodes->inner)
		return -ENOMEM;
	for (uint32_t i = 0; i < nodes->hosts.count; i++) {
		nodes->names[i] = nodes->hosts.names[i];
		nodes->inner[i] = NO_LINE;
	}
	nodes->count = nodes->hosts.count;
	if (nodes->count)
		qsort(nodes->names, nodes->count, sizeof(*nodes->names), compare_names);
	return 0;
}

/* Of equal names always the same one: the search has but one way to go. */
static uint32_t *inner_of(const struct nodes *nodes, char *name)
{
	char **at =
		bsearch(&name, nodes->names, nodes->count, sizeof(*nodes->names), compare_names);

	return &nodes->inner[at - nodes->names];
}

/* Put domain I into the one that all its nodes are in. */
static int put_in(const struct lw_domain_list *list, const struct nodes *nodes, uint32_t i,
		  struct lw_error *err)
{
	const struct lw_domain_line *line = &list->line[i];
	char **names = nodes->hosts.names + line->first_node;
	uint32_t outer = *inner_of(nodes, names[0]);

	for (uint32_t n = 0; n < line->node_count; n++) {
		uint32_t *inner = inner_of(nodes, names[n]), other;

		if (*inner == i)
			return lw_error_set(err, -EINVAL, "%s names node %s twice; take one out",
					    line->name, names[n]);
		other = *inner != NO_LINE ? *inner : outer;
		if (*inner != outer)
			return lw_error_set(
				err, -EINVAL,
				"%s and %s share some nodes and neither is inside the "
				"other; see to it that %s has all nodes of %s, or none",
				line->name, list->line[other].name, list->line[other].name,
				line->name);
		*inner = i;
	}
	return 0;
}

int lw_domain_list_check(struct lw_domain_list *list, unsigned *ret_line, struct lw_error *err)
{
	struct nodes nodes = { .count = 0 };
	int rc = check_names(list, ret_line, err);

	if (rc || !list->lines)
		return rc;
	lw_hosts_init(&nodes.hosts);
	rc = spell_out(list, &nodes, ret_line, err);
	if (!rc && index_nodes(&nodes))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc)
		qsort(list->line, list->lines, sizeof(*list->line), compare_lines);
	for (uint32_t i = 0; !rc && i < list->lines; i++) {
		*ret_line = list->line[i].line;
		rc = put_in(list, &nodes, i, err);
	}
	free(nodes.names);
	free(nodes.inner);
	lw_hosts_fini(&nodes.hosts);
	return rc;
}
