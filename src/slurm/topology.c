/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the locality domains of the cluster, from Slurm's topology. */
#include "slurm/topology.h"

#include "slurm/compat/compat.h"
#include "slurm/nodeset.h"
#include "slurm/topotext.h"

#include <errno.h>

/* Nodes that the list names and that Slurm does not know are left out, as Slurm does. */
static int nest(struct lw_domains *domains, const char *name, char *nodes, struct lw_error *err)
{
	struct lw_bitset set;
	bitstr_t *bits = NULL;
	int rc = 0;

	(void)node_name2bitmap(nodes, true, &bits, NULL);
	if (!bits)
		return 0;
	if (lw_nodeset_copy(bits, (uint32_t)node_record_count, &set))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	FREE_NULL_BITMAP(bits);
	if (rc)
		return rc;
	if (lw_bitset_count(&set))
		rc = lw_domains_nest(domains, name, &set, err);
	lw_bitset_fini(&set);
	return rc;
}

int lw_topology_read(struct lw_domains *ret_domains, struct lw_error *err)
{
	struct lw_topo_records records = { 0 };
	struct lw_domains domains;
	char *text = lw_slurm_topology_text();
	int rc = 0;

	lw_domains_init(&domains);
	if (text && lw_topo_records_read(&records, text))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	xfree(text);
	domains.strict = records.blocks;
	for (uint32_t i = 0; i < records.count && !rc; i++)
		rc = nest(&domains, records.items[i].name, records.items[i].nodes, err);
	lw_topo_records_fini(&records);
	if (rc)
		lw_domains_fini(&domains);
	*ret_domains = domains;
	return rc;
}
