/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the locality domains of the cluster, from Slurm's topology or leeway.yaml. */
#include "slurm/topology.h"

#include "slurm/compat/compat.h"
#include "slurm/log.h"
#include "slurm/nodeset.h"
#include "slurm/topotext.h"

#include <errno.h>

/* Nodes that the list names and that Slurm does not know are left out, as Slurm does. */
static int nest(struct lw_domains *domains, const char *name, char *nodes, uint32_t *ret_known,
		struct lw_error *err)
{
	struct lw_bitset set;
	bitstr_t *bits = NULL;
	int rc = 0;

	*ret_known = 0;
	(void)node_name2bitmap(nodes, true, &bits, NULL);
	if (!bits)
		return 0;
	if (lw_nodeset_copy(bits, (uint32_t)node_record_count, &set))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	FREE_NULL_BITMAP(bits);
	if (rc)
		return rc;
	*ret_known = lw_bitset_count(&set);
	if (*ret_known)
		rc = lw_domains_nest(domains, name, &set, err);
	lw_bitset_fini(&set);
	return rc;
}

/* What Slurm's plugin printed. */
static int read_slurm(struct lw_domains *domains, const char *text, struct lw_error *err)
{
	struct lw_topo_records records = { 0 };
	uint32_t known;
	int rc = 0;

	if (lw_topo_records_read(&records, text))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	domains->strict = records.blocks;
	for (uint32_t i = 0; i < records.count && !rc; i++)
		rc = nest(domains, records.items[i].name, records.items[i].nodes, &known, err);
	lw_topo_records_fini(&records);
	return rc;
}

static int read_ours(struct lw_domains *domains, const struct lw_domain_list *ours,
		     struct lw_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < ours->lines && !rc; i++) {
		const struct lw_domain_line *line = &ours->line[i];
		uint32_t known;

		rc = nest(domains, line->name, line->nodes, &known, err);
		if (!rc && known < line->node_count)
			lw_log_warn(lw_slurm_log(),
				    "leeway.yaml:%u: topology.domains: %u of the %u nodes of %s "
				    "are not in slurm.conf and left out; leeway check names one",
				    line->line, line->node_count - known, line->node_count,
				    line->name);
	}
	return rc;
}

int lw_topology_read(const struct lw_domain_list *ours, struct lw_domains *ret_domains,
		     struct lw_error *err)
{
	struct lw_domains domains;
	char *text = lw_slurm_topology_text();
	int rc = 0;

	lw_domains_init(&domains);
	if (text)
		rc = read_slurm(&domains, text, err);
	if (!rc && !domains.count)
		rc = read_ours(&domains, ours, err);
	xfree(text);
	if (rc)
		lw_domains_fini(&domains);
	*ret_domains = domains;
	return rc;
}
