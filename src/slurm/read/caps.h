/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read the caps of partitions. */
#ifndef LW_SLURM_READ_CAPS_H
#define LW_SLURM_READ_CAPS_H

#include "slurm/caps.h"
#include "slurm/compat/compat.h"

/* Empty if zeroed. Needs LW_LOCKS_ALL. -ENOMEM. */
int lw_caps_read(struct lw_caps *caps);
void lw_caps_fini(struct lw_caps *caps);

/* Set in TOTAL, the size of NODE, what the jobs of its partitions may have. */
void lw_caps_total(const struct lw_caps *caps, const node_record_t *node, struct lw_res *total);

#endif
