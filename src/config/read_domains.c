/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lists of locality domains and of islands of GPUs in leeway.yaml. */
#include "config/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 64
#define NODES_WANTED   " wants a list such as gpu[1-8]; in braces put it in quotes"

static int take_domain(struct reader *r, const struct reader_row *row, void *list)
{
	const char *name = row->text[0], *nodes = row->text[1];

	if (strlen(name) > NAME_BYTES_MAX)
		return lw_reader_fail(r, row->line, "topology.domains",
				      "the name is longer than 64 letters; shorten it");
	return lw_domain_list_add(list, row->line, name, nodes) ? lw_reader_no_memory(r) : 0;
}

static const struct reader_rows domains = {
	.path = "topology.domains",
	.such_as = "{name: rack1, nodes: 'gpu[1-8]'}",
	.has = "a domain has name and nodes",
	.fields = {
		{ "name", " wants one word", "a domain without name; add one" },
		{ "nodes", NODES_WANTED, "a domain without nodes; add them" },
	},
	.take = take_domain,
};

static int take_islands(struct reader *r, const struct reader_row *row, void *list)
{
	const char *nodes = row->text[0], *gpus = row->text[1];
	unsigned long count = strspn(gpus, "0123456789") == strlen(gpus) ? strtoul(gpus, NULL, 10)
									 : 0;

	if (count < LW_ISLAND_GPUS_MIN || count > LW_ISLAND_GPUS_MAX)
		return lw_reader_fail(r, row->line, "topology.islands",
				      "gpus wants a number from 2 to 64");
	return lw_island_list_add(list, row->line, nodes, (uint32_t)count)
		       ? lw_reader_no_memory(r)
		       : 0;
}

static const struct reader_rows islands = {
	.path = "topology.islands",
	.such_as = "{nodes: 'gpu[1-8]', gpus: 4}",
	.has = "islands have nodes and gpus",
	.fields = {
		{ "nodes", NODES_WANTED, "islands without nodes; add them" },
		{ "gpus", " wants a number from 2 to 64",
		  "islands without gpus; add how many one island has" },
	},
	.take = take_islands,
};

static int report(struct reader *r, const char *path, unsigned line, int rc,
		  const struct lw_error *err)
{
	if (rc == -ENOMEM)
		return lw_reader_no_memory(r);
	return rc ? lw_reader_fail(r, line, path, err->text) : 0;
}

int lw_reader_domains(struct reader *r, const struct lw_key *key)
{
	struct lw_domain_list *list = (void *)((char *)r->cfg + key->offset);
	struct lw_error err = { "" };
	unsigned line = 0;
	int rc = lw_reader_rows(r, &domains, list);

	if (!rc) {
		rc = lw_domain_list_check(list, &line, &err);
		rc = report(r, key->path, line, rc, &err);
	}
	return rc;
}

int lw_reader_islands(struct reader *r, const struct lw_key *key)
{
	struct lw_island_list *list = (void *)((char *)r->cfg + key->offset);
	struct lw_error err = { "" };
	unsigned line = 0;
	int rc = lw_reader_rows(r, &islands, list);

	if (!rc) {
		rc = lw_island_list_check(list, &line, &err);
		rc = report(r, key->path, line, rc, &err);
	}
	return rc;
}
