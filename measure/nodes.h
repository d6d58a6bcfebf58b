/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes of a machine, by type. */
#ifndef LW_MEASURE_NODES_H
#define LW_MEASURE_NODES_H

#include <stdint.h>

#define LW_NODES_GPU_TYPE_MAX 48

/* Nodes that are alike. */
struct lw_nodes {
	uint32_t count;
	uint32_t cpus; /* of each */
	uint32_t gpus;
	int64_t mem_mib; /* 0: memory does not count */
	char gpu_type[LW_NODES_GPU_TYPE_MAX]; /* "": not said */
};

#define LW_NODES_TYPES_MAX 16

/* CPUs of a node if the number is not given; as many as GPUs, if these are more. */
#define LW_NODES_CPUS 16

static inline uint32_t lw_nodes_default_cpus(uint32_t gpus)
{
	return gpus > LW_NODES_CPUS ? gpus : LW_NODES_CPUS;
}

#endif
