/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: how many GPUs a node has, by slurm.conf and by gres.conf. */
#ifndef LW_TOOLS_CHECK_CHECK_GPUS_H
#define LW_TOOLS_CHECK_CHECK_GPUS_H

#include <stdint.h>

/* GPUs in the Gres= of a node, "gpu:a100:4,gpu:2,shard:8": 6 here. */
uint32_t lw_check_count_gpus(const char *gres);

#endif
