/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the topology of a release that can be asked for it. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_TOPOLOGY_H
#define LW_SLURM_COMPAT_TOPOLOGY_H

#include <stddef.h>

/*
 * What `scontrol show topology` shows, to be xfree()d, or NULL under a plugin without any.
 * Only 24.11 is asked: before, nothing is printed inside slurmctld, and since 25.05 there
 * may be several topologies, of which we do not know which one a partition has.
 */
#ifdef HAVE_SLURM_TOPOLOGY_TEXT
#include "src/interfaces/topology.h"

static inline char *lw_slurm_topology_text(void)
{
	dynamic_plugin_data_t *records = NULL;
	int id = topology_get_plugin_id();
	char *text = NULL;

	if (id != TOPOLOGY_PLUGIN_TREE && id != TOPOLOGY_PLUGIN_BLOCK)
		return NULL;
	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, &records) == SLURM_SUCCESS && records)
		(void)topology_g_topology_print(records, NULL, &text);
	(void)topology_g_topology_free(records);
	return text;
}
#else
static inline char *lw_slurm_topology_text(void)
{
	return NULL;
}
#endif

#endif
