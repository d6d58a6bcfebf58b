/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm 24.11 and older lack of 25.05. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_2411_H
#define LW_SLURM_COMPAT_2411_H

/* 22.05 has them elsewhere. */
#ifndef lw_slurm_priorities
#define lw_slurm_priorities(job) ((job)->part_prio ? (job)->part_prio->priority_array : NULL)
#endif

#define LW_REQUEUE_LOSES_LICENCES false

/* Is no node nearer to some than to others, as Slurm has it? */
static inline bool lw_slurm_is_flat(void)
{
	return !xstrcmp(slurm_conf.topology_plugin, "topology/none") ||
	       !xstrcmp(slurm_conf.topology_plugin, "topology/default");
}

/* Are some nodes nearer to each other, for certain? */
static inline bool lw_slurm_has_topology(void)
{
	return !lw_slurm_is_flat();
}

/* Only the select plugin knows what is allocated of a node, and a wrapper leads to it. */
static inline bool lw_slurm_allocated(const node_record_t *node, uint16_t *ret_cpus,
				      uint64_t *ret_mem_mib)
{
	return node->select_nodeinfo &&
	       !select_g_select_nodeinfo_get(node->select_nodeinfo, SELECT_NODEDATA_SUBCNT,
					     NODE_STATE_ALLOCATED, ret_cpus) &&
	       !select_g_select_nodeinfo_get(node->select_nodeinfo, SELECT_NODEDATA_MEM_ALLOC,
					     NODE_STATE_ALLOCATED, ret_mem_mib);
}

/* Its own thread does so soon enough. */
static inline void lw_slurm_validate_reservations(void)
{
}

static inline list_t *lw_slurm_licences(void)
{
	return cluster_license_list;
}

static inline void lw_slurm_licences_free(list_t *licences)
{
	(void)licences;
}

static inline void lw_slurm_licence_name(const licenses_t *licence, char *text, size_t size)
{
	snprintf(text, size, "%s", licence->name);
}

static inline bool lw_slurm_licence_is(const licenses_t *licence, const char *name)
{
	return !strcmp(licence->name, name);
}

static inline bool lw_slurm_licence_is_plain(const licenses_t *licence)
{
	(void)licence;
	return true;
}

#endif
