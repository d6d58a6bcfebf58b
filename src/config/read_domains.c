/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lists of locality domains and of islands of GPUs in leeway.yaml. */
#include "config/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 64
#define NODES_WANTED   " wants a list such as gpu[1-8]; in braces put it in quotes"

static const char domains_path[] = "topology.domains";
static const char islands_path[] = "topology.islands";

typedef int check_f(struct lw_node_list *list, unsigned *ret_line, struct lw_error *err);

/* Add LINE if it is right as a list of its own. If not, that is noted. */
static int read_domains_take_line(struct reader *r, const char *path,
				  const struct lw_node_line *row, check_f *check, void *list)
{
	struct lw_node_list alone = { .lines = 0 };
	struct lw_error err = { "" };
	unsigned line;
	int rc = lw_node_list_add(&alone, row);

	if (!rc)
		rc = check(&alone, &line, &err);
	lw_node_list_fini(&alone);
	if (!rc)
		rc = lw_node_list_add(list, row);
	else if (rc != -ENOMEM)
		lw_reader_wrong(r, row->line, path, err.text);
	return rc == -ENOMEM ? lw_reader_no_memory(r) : 0;
}

static int read_domains_take_domain(struct reader *r, const struct reader_row *row, void *list)
{
	const struct lw_node_line line = { .line = row->line, .name = row->text[0],
					   .nodes = row->text[1] };

	if (strlen(line.name) > NAME_BYTES_MAX) {
		lw_reader_wrong(r, row->line, domains_path,
				"the name is longer than 64 letters; shorten it");
		return 0;
	}
	return read_domains_take_line(r, domains_path, &line, lw_node_list_check_domains, list);
}

static int check_domains(void *list, unsigned *ret_line, struct lw_error *err)
{
	return lw_node_list_check_domains(list, ret_line, err);
}

static const struct reader_rows domains = {
	.path = domains_path,
	.such_as = "{name: rack1, nodes: 'gpu[1-8]'}",
	.has = "a domain has name and nodes",
	.fields = {
		{ "name", " wants one word", "a domain without name; add one" },
		{ "nodes", NODES_WANTED, "a domain without nodes; add them" },
	},
	.take = read_domains_take_domain,
	.check = check_domains,
};

static int read_domains_take_islands(struct reader *r, const struct reader_row *row, void *list)
{
	const char *gpus = row->text[1];
	unsigned long count = strspn(gpus, "0123456789") == strlen(gpus) ? strtoul(gpus, NULL, 10)
									 : 0;
	const struct lw_node_line line = { .line = row->line, .nodes = row->text[0],
					   .gpus = (uint32_t)count };

	if (count < LW_ISLAND_GPUS_MIN || count > LW_ISLAND_GPUS_MAX) {
		lw_reader_wrong(r, row->line, islands_path, "gpus wants a number from 2 to 64");
		return 0;
	}
	return read_domains_take_line(r, islands_path, &line, lw_node_list_check_islands, list);
}

static int read_domains_check_islands(void *list, unsigned *ret_line, struct lw_error *err)
{
	return lw_node_list_check_islands(list, ret_line, err);
}

static const struct reader_rows islands = {
	.path = islands_path,
	.such_as = "{nodes: 'gpu[1-8]', gpus: 4}",
	.has = "islands have nodes and gpus",
	.fields = {
		{ "nodes", NODES_WANTED, "islands without nodes; add them" },
		{ "gpus", " wants a number from 2 to 64",
		  "islands without gpus; add how many one island has" },
	},
	.take = read_domains_take_islands,
	.check = read_domains_check_islands,
};

int lw_reader_domains(struct reader *r, const struct lw_key *key)
{
	return lw_reader_rows(r, &domains, (char *)r->cfg + key->offset);
}

int lw_reader_islands(struct reader *r, const struct lw_key *key)
{
	return lw_reader_rows(r, &islands, (char *)r->cfg + key->offset);
}
