/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the sizes of GPU jobs that came of late, and how often each. */
#ifndef LW_PLANNER_MIX_H
#define LW_PLANNER_MIX_H

#include "planner/model/request.h"

/*
 * Placement uses the mix to keep room for such jobs. A size is what a job takes of one node.
 * Each new job lowers the weights of older jobs, so that about the last LW_MIX_MEMORY jobs
 * count. All numbers are integers, so that equal jobs give equal mixes on every machine.
 */

#define LW_MIX_MAX    16  /* sizes; the rarest makes room for a new one */
#define LW_MIX_MEMORY 256 /* jobs */
#define LW_MIX_ONE    UINT32_C(65536) /* the weight that all sizes share */

struct lw_mix_size {
	uint32_t weight;
	uint32_t nodes;
	uint32_t cpus, mem_mib; /* of one node: a mean over the jobs of that size */
	uint16_t gpus;		/* of one node, at least 1 */
	int8_t gpu_type;	/* or LW_GPU_ANY */
};

/* All zero is an empty mix. */
struct lw_mix {
	struct lw_mix_size sizes[LW_MIX_MAX];
	uint32_t count;
};

/* Count a job that asks for REQ; a job without GPUs changes nothing. */
void lw_mix_note(struct lw_mix *mix, const struct lw_request *req);

#endif
