/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: bounds that tell at once that a request cannot fit. */
#ifndef LW_POLICY_BOUNDS_H
#define LW_POLICY_BOUNDS_H

#include "policy/resource.h"

/* Kept up node by node as time goes on, so that most placements need not be tried. */
struct lw_bounds {
	uint64_t nodes; /* candidates that have the per-node amounts */
	uint64_t cpus;	/* what they could give together */
	uint64_t gpus;
};

/* Add (SIGN 1) or take away (-1) what a node of size TOTAL with so much FREE could give. */
void lw_bounds_add(struct lw_bounds *bounds, const struct lw_res *free,
		   const struct lw_res *total, const struct lw_request *req, int sign);

/* False: no placement can exist. True: one may. */
bool lw_bounds_may_fit(const struct lw_bounds *bounds, const struct lw_request *req);

#endif
