/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which free GPUs of a node are near each other, as slurmctld knows it. */
#ifndef LW_SLURM_ISLANDS_H
#define LW_SLURM_ISLANDS_H

#include <stdint.h>

#include "slurm/compat/compat.h"

/*
 * The most free GPUs of NODE that are in one island: linked to each other by Links of gres.conf,
 * or of AutoDetect; where no link is known, those with the same Cores. 0: nothing is known.
 * Under the caller's locks.
 */
uint16_t lw_node_linked(const node_record_t *node);

#endif
