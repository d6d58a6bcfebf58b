/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the small trained nets: what they are told of a job, and what they make of it. */
#ifndef LW_LAB_SIM_NET_H
#define LW_LAB_SIM_NET_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Two nets of one shape: inputs, then 32, 16 and 8 units that pass on what is above 0, then one
 * number. The kernel of an order scores each job by itself (RLScheduler, Zhang et al., SC 2020);
 * a gate says whether a job that may start is to wait a little (SchedInspector, HPDC 2022). Below
 * a thousand weights need no library for matrices: three loops do it, and the loops that are
 * innermost have constant bounds, of which compilers make vector instructions.
 *
 * All sums have one order, weights are multiples of 1/65536, and logarithms are straight between
 * powers of two. So a net gives the same bits on every machine that has IEEE 754 (built with
 * -ffp-contract=off).
 */
#define LW_NET_INPUTS_MAX  8
#define LW_NET_WEIGHTS_MAX 961
#define LW_NET_UNIT	   65536    /* a weight is a whole number of these parts */
#define LW_NET_UNITS_MAX   8388607 /* either way: a float has it exactly */

enum lw_net_kind {
	LW_NET_ORDER,
	LW_NET_INSPECTOR,
	LW_NET_KINDS,
};

struct lw_net {
	enum lw_net_kind kind;
	int64_t limit_s; /* the longest limit of the jobs that it was trained on, at least 1 */
	float weights[LW_NET_WEIGHTS_MAX]; /* layer by layer: biases, then a row an input */
};

/* What is known of a job, and of the moment. */
struct lw_net_facts {
	double waited_s, limit_s;
	double width;  /* share of the cluster */
	double memory; /* the same of its memory */
	double cpus;   /* of the cluster */
	double free;   /* share of the cluster that is free */
	double held_s; /* since the gate held it first */
	double delay;  /* cost of ten minutes to the waiting jobs: lw_net_delay() summed */
};

/* "order" and "inspector"; never NULL. */
const char *lw_net_kind_name(enum lw_net_kind kind);
/* The words of its inputs, parted by blanks. */
const char *lw_net_inputs(enum lw_net_kind kind);
/* How many words these are. */
uint32_t lw_net_input_count(enum lw_net_kind kind);
/* How many weights it has. */
uint32_t lw_net_weights(enum lw_net_kind kind);

/* The inputs, each 0 to 1, by the words above. */
void lw_net_read(const struct lw_net *net, const struct lw_net_facts *facts,
		 float inputs[LW_NET_INPUTS_MAX]);
/* What the net makes of them. */
float lw_net_run(const struct lw_net *net, const float inputs[LW_NET_INPUTS_MAX]);

/* The root of the sum of squares of the weights of INPUT in the first layer. */
double lw_net_weight(const struct lw_net *net, uint32_t input);

/* Of a job that waits, how much its slowdown grows in ten minutes, as a part of 7680. */
double lw_net_delay(int64_t limit_s);

#endif
