/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the locality domains of the cluster, from Slurm's topology or leeway.yaml. */
#include "slurm/read/topology.h"

#include "base/lookup.h"
#include "slurm/compat/compat.h"
#include "slurm/lock/nodemark.h"
#include "slurm/log.h"
#include "slurm/read/topotext.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Those of NODES that Slurm knows; it leaves out others as well, and nodes that come and go may be
 * others for long: not a word of each in its log. 0 with a set to be finished, -ENOENT: there is
 * none to read, -ENOMEM.
 */
static int topology_read_names(const char *nodes, struct lw_bitset *ret_set)
{
	lw_slurm_hostlist list = hostlist_create(nodes);
	char *name;
	int rc;

	if (!list)
		return -ENOENT;
	rc = lw_bitset_init(ret_set, (uint32_t)node_record_count);
	while (!rc && (name = hostlist_shift(list))) {
		const node_record_t *node = find_node_record2(name);

		if (node)
			lw_bitset_set(ret_set, (uint32_t)node->index);
		free(name);
	}
	hostlist_destroy(list);
	return rc;
}

static int topology_nest(struct lw_domains *domains, const char *name, const char *nodes,
			 uint32_t *ret_known, struct lw_error *err)
{
	struct lw_bitset set;
	int rc = topology_read_names(nodes, &set);

	*ret_known = 0;
	if (rc == -ENOENT)
		return 0;
	if (rc)
		return lw_error_set(err, -ENOMEM, "out of memory");
	*ret_known = lw_bitset_count(&set);
	if (*ret_known)
		rc = lw_domains_nest(domains, name, &set, err);
	lw_bitset_fini(&set);
	return rc;
}

/* The KEY of leeway.yaml names more nodes than there are. */
static void topology_warn_unknown(const char *key, unsigned line, const char *what,
				  uint32_t named, uint32_t known)
{
	if (known < named)
		lw_log_warn(lw_slurm_log(),
			    "leeway.yaml:%u: %s: %u of the %u nodes of %.80s are not in slurm.conf "
			    "and left out; leeway check names one",
			    line, key, named - known, named, what);
}

/* What Slurm's plugin printed. */
static int topology_read_slurm(struct lw_domains *domains, const char *text, struct lw_error *err)
{
	struct lw_topo_records records = { 0 };
	uint32_t known;
	int rc = 0;

	if (lw_topo_records_read(&records, text))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	domains->strict = records.blocks;
	for (uint32_t i = 0; i < records.count && !rc; i++)
		rc = topology_nest(domains, records.items[i].name, records.items[i].nodes, &known,
				   err);
	lw_topo_records_fini(&records);
	return rc;
}

static int topology_read_ours(struct lw_domains *domains, const struct lw_node_list *ours,
			      bool warn, struct lw_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < ours->lines && !rc; i++) {
		const struct lw_node_line *line = &ours->line[i];
		uint32_t known;

		rc = topology_nest(domains, line->name, line->nodes, &known, err);
		if (!rc && warn)
			topology_warn_unknown("topology.domains", line->line, line->name,
					      line->node_count, known);
	}
	return rc;
}

/* With its end, or with that alone. */
static uint64_t topology_mix_text(uint64_t mark, const char *text)
{
	return lw_hash_mix_bytes(mark, text, strlen(text) + 1);
}

uint64_t lw_topology_mark(void)
{
	uint64_t mark = lw_hash_mix(lw_nodemark(), lw_slurm_topology_is_for_all());

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		mark = topology_mix_text(mark, node ? lw_slurm_node_topology(node) : "");
	}
	return mark;
}

int lw_topology_islands(const struct lw_node_list *ours, bool warn,
			struct lw_islands *ret_islands)
{
	struct lw_islands islands = { .count = (uint32_t)node_record_count };
	struct lw_bitset set;
	uint32_t node;
	int rc = 0;

	memset(ret_islands, 0, sizeof(*ret_islands));
	if (!ours->lines || !islands.count)
		return 0;
	islands.gpus = calloc(islands.count, sizeof(*islands.gpus));
	if (!islands.gpus)
		return -ENOMEM;
	for (uint32_t i = 0; i < ours->lines && rc != -ENOMEM; i++) {
		const struct lw_node_line *line = &ours->line[i];
		uint32_t known = 0;

		rc = topology_read_names(line->nodes, &set);
		if (!rc) {
			known = lw_bitset_count(&set);
			lw_bitset_foreach(&set, node)
				islands.gpus[node] = (uint16_t)line->gpus;
			lw_bitset_fini(&set);
		}
		if (warn)
			topology_warn_unknown("topology.islands", line->line, line->nodes,
					      line->node_count, known);
	}
	if (rc == -ENOMEM) {
		lw_islands_fini(&islands);
		return rc;
	}
	*ret_islands = islands;
	return 0;
}

int lw_topology_read(const struct lw_node_list *ours, bool warn, struct lw_domains *ret_domains,
		     struct lw_error *err)
{
	struct lw_domains domains;
	char *text = lw_slurm_topology_text();
	int rc = 0;

	lw_domains_init(&domains);
	if (text)
		rc = topology_read_slurm(&domains, text, err);
	if (!rc && !domains.count)
		rc = topology_read_ours(&domains, ours, warn, err);
	xfree(text);
	if (rc)
		lw_domains_fini(&domains);
	*ret_domains = domains;
	return rc;
}
