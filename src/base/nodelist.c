/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lists of nodes as they were written, for code that does not know the nodes. */

/*
 * The check of domains goes from the largest domain to the smallest and keeps for each node the
 * innermost domain so far. If each domain finds all its nodes in one and the same, the
 * domains are a tree.
 */
#include "base/nodelist.h"

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

void lw_node_list_fini(struct lw_node_list *list)
{
	for (uint32_t i = 0; i < list->lines; i++) {
		free(list->line[i].name);
		free(list->line[i].nodes);
	}
	free(list->line);
	memset(list, 0, sizeof(*list));
}

int lw_node_list_add(struct lw_node_list *list, const struct lw_node_line *line)
{
	struct lw_node_line added = *line;

	if (lw_grow((void **)&list->line, &list->room, list->lines + 1, sizeof(*list->line)))
		return -ENOMEM;
	added.name = line->name ? strdup(line->name) : NULL;
	added.nodes = strdup(line->nodes);
	if ((line->name && !added.name) || !added.nodes) {
		free(added.name);
		free(added.nodes);
		return -ENOMEM;
	}
	list->line[list->lines++] = added;
	return 0;
}

#define NO_LIST "no list of nodes; write such as gpu[1-8],gpu12"

static int nodelist_refuse(const struct lw_node_line *line, int rc, struct lw_error *err)
{
	if (rc == -EINVAL && line->name)
		return lw_error_set(err, rc, "the nodes of %s, %.80s, are " NO_LIST, line->name,
				    line->nodes);
	if (rc == -EINVAL)
		return lw_error_set(err, rc, "%.80s is " NO_LIST, line->nodes);
	if (rc == -E2BIG)
		return lw_error_set(err, rc, "%s more than %d nodes",
				    line->name ? "the domains have" : "these are", LW_HOSTS_MAX);
	return lw_error_set(err, rc, "out of memory");
}

/* The names of the nodes of every line in the order of the file. */
static int nodelist_spell_out(struct lw_node_list *list, struct lw_hosts *hosts,
			      unsigned *ret_line, struct lw_error *err)
{
	for (uint32_t i = 0; i < list->lines; i++) {
		struct lw_node_line *line = &list->line[i];
		int rc;

		line->first_node = hosts->count;
		rc = lw_hosts_add(hosts, line->nodes);
		*ret_line = line->line;
		if (rc)
			return nodelist_refuse(line, rc, err);
		line->node_count = hosts->count - line->first_node;
	}
	return 0;
}

static int nodelist_check_names(const struct lw_node_list *list, unsigned *ret_line,
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

static int nodelist_compare_lines(const void *a, const void *b)
{
	const struct lw_node_line *x = a, *y = b;

	if (x->node_count != y->node_count)
		return x->node_count > y->node_count ? -1 : 1;
	return x->first_node < y->first_node ? -1 : x->first_node > y->first_node;
}

static int nodelist_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int nodelist_index_nodes(struct nodes *nodes)
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
		qsort(nodes->names, nodes->count, sizeof(*nodes->names), nodelist_compare_names);
	return 0;
}

/* Of equal names always the same one: the search has but one way to go. */
static uint32_t *nodelist_inner_of(const struct nodes *nodes, char *name)
{
	char **at = bsearch(&name, nodes->names, nodes->count, sizeof(*nodes->names),
			    nodelist_compare_names);

	return &nodes->inner[at - nodes->names];
}

/* Put domain I into the one that all its nodes are in. */
static int nodelist_put_in(const struct lw_node_list *list, const struct nodes *nodes, uint32_t i,
			   struct lw_error *err)
{
	const struct lw_node_line *line = &list->line[i];
	char **names = nodes->hosts.names + line->first_node;
	uint32_t outer = *nodelist_inner_of(nodes, names[0]);

	for (uint32_t n = 0; n < line->node_count; n++) {
		uint32_t *inner = nodelist_inner_of(nodes, names[n]), other;

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

int lw_node_list_check_domains(struct lw_node_list *list, unsigned *ret_line, struct lw_error *err)
{
	struct nodes nodes = { .count = 0 };
	int rc = nodelist_check_names(list, ret_line, err);

	if (rc || !list->lines)
		return rc;
	lw_hosts_init(&nodes.hosts);
	rc = nodelist_spell_out(list, &nodes.hosts, ret_line, err);
	if (!rc && nodelist_index_nodes(&nodes))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc)
		qsort(list->line, list->lines, sizeof(*list->line), nodelist_compare_lines);
	for (uint32_t i = 0; !rc && i < list->lines; i++) {
		*ret_line = list->line[i].line;
		rc = nodelist_put_in(list, &nodes, i, err);
	}
	free(nodes.names);
	free(nodes.inner);
	lw_hosts_fini(&nodes.hosts);
	return rc;
}

/* A node and the line that names it. */
struct named {
	const char *node;
	unsigned line;
};

static int nodelist_compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int by_node = strcmp(x->node, y->node);

	return by_node ? by_node : (x->line > y->line) - (x->line < y->line);
}

static int nodelist_find_twice(const struct lw_node_list *list, const struct lw_hosts *hosts,
			       unsigned *ret_line, struct lw_error *err)
{
	struct named *named = malloc((hosts->count + 1) * sizeof(*named));
	uint32_t count = 0;
	int rc = 0;

	if (!named)
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < list->lines; i++) {
		for (uint32_t n = 0; n < list->line[i].node_count; n++, count++)
			named[count] = (struct named){ hosts->names[count],
						       list->line[i].line };
	}
	qsort(named, count, sizeof(*named), nodelist_compare_named);
	for (uint32_t i = 1; i < count && !rc; i++) {
		if (strcmp(named[i - 1].node, named[i].node))
			continue;
		*ret_line = named[i].line;
		rc = lw_error_set(err, -EINVAL,
				  "node %s is named twice, first on line %u; take one out",
				  named[i].node, named[i - 1].line);
	}
	free(named);
	return rc;
}

int lw_node_list_check_islands(struct lw_node_list *list, unsigned *ret_line, struct lw_error *err)
{
	struct lw_hosts hosts;
	int rc;

	if (!list->lines)
		return 0;
	lw_hosts_init(&hosts);
	rc = nodelist_spell_out(list, &hosts, ret_line, err);
	if (!rc)
		rc = nodelist_find_twice(list, &hosts, ret_line, err);
	lw_hosts_fini(&hosts);
	return rc;
}
