/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the topology as each release can be asked for it. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_TOPOLOGY_H
#define LW_SLURM_COMPAT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

/* Is JOB to have nodes in segments (--segment)? topology/block heeds them. */
static inline bool lw_slurm_wants_segments(const job_record_t *job)
{
#ifdef HAVE_SLURM_SEGMENTS
	return job->details && job->details->segment_size && !lw_slurm_is_flat();
#else
	(void)job;
	return false;
#endif
}

/*
 * lw_slurm_topology_text(): what `scontrol show topology` shows, to be xfree()d, or NULL: nodes
 * are not in switches or blocks, or not for all partitions in the same ones. Needs read locks of
 * nodes and partitions.
 */
/*
 * lw_slurm_topology_is_for_all(): have all partitions the same one? lw_slurm_node_topology():
 * where NODE was put in it at run time, or "". Need the same locks.
 */
#if !defined(HAVE_SLURM_INTERFACES) || defined(HAVE_SLURM_TOPOLOGY_TEXT)
/* There is but one, and it changes with the configuration. */
static inline bool lw_slurm_topology_is_for_all(void)
{
	return true;
}

static inline const char *lw_slurm_node_topology(const node_record_t *node)
{
	(void)node;
	return "";
}

#endif

#ifndef HAVE_SLURM_INTERFACES
#include "src/common/slurm_topology.h"

/* 22.05 prints nothing inside slurmctld, but its switches are there for all to see. */
static inline char *lw_slurm_topology_text(void)
{
	char *text = NULL;

	if (xstrcmp(slurm_conf.topology_plugin, "topology/tree"))
		return NULL;
	for (int i = 0; i < switch_record_cnt; i++) {
		const switch_record_t *record = &switch_record_table[i];
		char *nodes = record->node_bitmap ? bitmap2node_name(record->node_bitmap) : NULL;

		if (nodes)
			xstrfmtcat(text, "SwitchName=%s Level=%d Nodes=%s\n", record->name,
				   record->level, nodes);
		xfree(nodes);
	}
	return text;
}
#else
#include "src/interfaces/topology.h"

#ifdef HAVE_SLURM_TOPOLOGY_TEXT
static inline int lw_slurm_topology_get(dynamic_plugin_data_t **ret_records)
{
	return topology_g_get(TOPO_DATA_TOPOLOGY_PTR, ret_records);
}

static inline void lw_slurm_topology_print(dynamic_plugin_data_t *records, char **ret_text)
{
	(void)topology_g_topology_print(records, NULL, ret_text);
}
#else
/*
 * Since 25.05 each partition may have a topology of its own. The default one is the first; of
 * others Slurm's function to print them takes the wrong plugin where there are several.
 */
static inline bool lw_slurm_topology_is_for_all(void)
{
	list_itr_t *iter = list_iterator_create(part_list);
	const part_record_t *part;
	bool is_for_all = true;

	while ((part = list_next(iter)))
		is_for_all &= part->topology_idx == 0;
	list_iterator_destroy(iter);
	return is_for_all;
}

static inline const char *lw_slurm_node_topology(const node_record_t *node)
{
	return node->topology_str ? node->topology_str : "";
}

static inline int lw_slurm_topology_get(dynamic_plugin_data_t **ret_records)
{
	return topology_g_get(TOPO_DATA_TOPOLOGY_PTR, NULL, ret_records);
}

#ifdef HAVE_SLURM_TOPOINFO
#define topology_g_topology_print topology_g_topoinfo_print
#define topology_g_topology_free  topology_g_topoinfo_free
#endif

static inline void lw_slurm_topology_print(dynamic_plugin_data_t *records, char **ret_text)
{
	(void)topology_g_topology_print(records, NULL, NULL, ret_text);
}
#endif

static inline char *lw_slurm_topology_text(void)
{
	dynamic_plugin_data_t *records = NULL;
	int id = topology_get_plugin_id();
	char *text = NULL;

	if ((id != TOPOLOGY_PLUGIN_TREE && id != TOPOLOGY_PLUGIN_BLOCK) ||
	    !lw_slurm_topology_is_for_all())
		return NULL;
	if (lw_slurm_topology_get(&records) == SLURM_SUCCESS && records)
		lw_slurm_topology_print(records, &text);
	(void)topology_g_topology_free(records);
	return text;
}
#endif

#endif
