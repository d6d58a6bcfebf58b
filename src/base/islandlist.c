/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: islands of GPUs as they are written in files. */
#include "base/islandlist.h"

#include "base/grow.h"
#include "base/hosts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A node and the line that names it. */
struct named {
	const char *node;
	unsigned line;
};

void lw_island_list_fini(struct lw_island_list *list)
{
	for (uint32_t i = 0; i < list->lines; i++)
		free(list->line[i].nodes);
	free(list->line);
	memset(list, 0, sizeof(*list));
}

int lw_island_list_add(struct lw_island_list *list, unsigned line, const char *nodes,
		       uint32_t gpus)
{
	struct lw_island_line added = { .line = line, .gpus = gpus };

	if (lw_grow((void **)&list->line, &list->room, list->lines + 1, sizeof(*list->line)))
		return -ENOMEM;
	added.nodes = strdup(nodes);
	if (!added.nodes)
		return -ENOMEM;
	list->line[list->lines++] = added;
	return 0;
}

static int spell_out(struct lw_island_list *list, struct lw_hosts *hosts, unsigned *ret_line,
		     struct lw_error *err)
{
	for (uint32_t i = 0; i < list->lines; i++) {
		struct lw_island_line *line = &list->line[i];
		uint32_t before = hosts->count;
		int rc = lw_hosts_add(hosts, line->nodes);

		*ret_line = line->line;
		if (rc == -EINVAL)
			return lw_error_set(err, rc,
					    "%.80s is no list of nodes; write such as "
					    "gpu[1-8],gpu12",
					    line->nodes);
		if (rc == -E2BIG)
			return lw_error_set(err, rc, "these are more than %d nodes",
					    LW_HOSTS_MAX);
		if (rc)
			return lw_error_set(err, rc, "out of memory");
		line->node_count = hosts->count - before;
	}
	return 0;
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int by_node = strcmp(x->node, y->node);

	return by_node ? by_node : (x->line > y->line) - (x->line < y->line);
}

static int find_twice(const struct lw_island_list *list, const struct lw_hosts *hosts,
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
	qsort(named, count, sizeof(*named), compare_named);
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

int lw_island_list_check(struct lw_island_list *list, unsigned *ret_line, struct lw_error *err)
{
	struct lw_hosts hosts;
	int rc;

	if (!list->lines)
		return 0;
	lw_hosts_init(&hosts);
	rc = spell_out(list, &hosts, ret_line, err);
	if (!rc)
		rc = find_twice(list, &hosts, ret_line, err);
	lw_hosts_fini(&hosts);
	return rc;
}
