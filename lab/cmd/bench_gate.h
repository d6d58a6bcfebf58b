/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway bench: what it costs to judge starts beside the plan. */
#ifndef LW_LAB_BENCH_GATE_H
#define LW_LAB_BENCH_GATE_H

#include "planner/policies/policy.h"

/* The processor time of this thread so far: what others do meanwhile does not count. */
double lw_bench_cpu_s(void);

/* In seconds of processor time. */
struct lw_bench_gate {
	double make_s;	     /* to make the gate of a plan */
	double judge_p50_s;  /* to judge one waiting job on all nodes */
	double judge_p99_s;
};

/* After lw_policy_cycle() of POLICY on SNAP. 0 or -ENOMEM. */
int lw_bench_gate(struct lw_policy *policy, const struct lw_snapshot *snap,
		  struct lw_bench_gate *ret_times);

#endif
