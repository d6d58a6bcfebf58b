/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a trained net looks at. */
#ifndef LW_LAB_SIM_EXPLAIN_H
#define LW_LAB_SIM_EXPLAIN_H

#include "lab/sim/net.h"

/*
 * Moments are made up, the same for every net: waits up to 12 hours, limits from a minute to the
 * net's longest, widths from one of 256 processors to all, limits and widths by their logarithms,
 * everything else evenly. Then one input of each moment is exchanged for that of another one.
 */
#define LW_EXPLAIN_MOMENTS 4096
#define LW_EXPLAIN_CPUS    256

struct lw_net_look {
	double weight; /* the root of the sum of squares of its weights in the first layer */
	double change; /* by how much its exchange moves the score: mean, in its deviations */
	double flips;  /* so many decisions it turns: which of two goes first, or whether to hold
			*/
};

/* The inputs of NET, in the order of lw_net_inputs(), and how many these are. -ENOMEM. */
int lw_net_explain(const struct lw_net *net, struct lw_net_look ret_looks[LW_NET_INPUTS_MAX],
		   uint32_t *ret_count);

#endif
