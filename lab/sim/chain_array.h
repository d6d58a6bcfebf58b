/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: arrays with a bound on running tasks; only chain.c includes this. */
#ifndef LW_LAB_SIM_CHAIN_ARRAY_H
#define LW_LAB_SIM_CHAIN_ARRAY_H

#include "lab/sim/chain.h"

/* Note which of COUNT tasks belong together. -ENOMEM. */
int lw_chain_arrays_init(struct lw_chain *chain, uint32_t count);

/* As lw_chain_judge(), of what JOB waits for as a task of its array: MET if it is none. */
enum lw_chain_verdict lw_chain_judge_array(const struct lw_chain *chain, uint32_t job,
					   uint32_t *ret_after);

/* Does A, which runs, run longer than B by their limits? */
bool lw_chain_runs_longer(const struct lw_sim_job *a, const struct lw_sim_job *b);

#endif
