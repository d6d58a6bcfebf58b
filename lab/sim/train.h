/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: training of the small nets by an evolution strategy. */
#ifndef LW_LAB_SIM_TRAIN_H
#define LW_LAB_SIM_TRAIN_H

#include "lab/sim/arena.h"
#include "lab/sim/net.h"

/*
 * Each round the net is changed at random, PAIRS times this way and the opposite way, and each
 * change is tried on the same sequences of jobs; the net moves towards the better ones by rank
 * (Salimans et al., "Evolution strategies as a scalable alternative to reinforcement learning",
 * 2017; Adam steps: Kingma, Ba, ICLR 2015). What a net gets of a sequence is what its slowdown
 * is better than that without it, as a share of the larger: as published. The net that is kept
 * did best on held-out sequences, which lie behind those it was trained on. All of it is by the
 * seed.
 */
struct lw_train {
	struct lw_arena arena; /* the net is put in; the order is that without it */
	enum lw_net_kind kind;
	const struct lw_sim_job *jobs; /* in order of submission */
	uint32_t count;
	uint32_t length; /* jobs of a sequence */
	uint32_t rounds, pairs, sequences; /* sequences of a round */
	uint32_t checks;                   /* held-out sequences, the same each time */
	uint32_t at_once; /* changes tried, each in a process of its own; up to 1: all in this */
	uint64_t seed;
	double reach, pace; /* how far changes go, how fast the net moves */
};

/* Mean bounded slowdown of the held-out sequences: without a net, and with the best so far. */
struct lw_train_score {
	uint32_t round;
	double without, with;
};

/* Told after every few rounds. */
typedef void (*lw_train_f)(void *arg, const struct lw_train_score *score);

/* What a plain start has. */
void lw_train_default(struct lw_train *train, enum lw_net_kind kind);

/*
 * Train. The last fifth of the jobs is held out. 0, or -EINVAL without a text: there are too few
 * jobs for one sequence on either side; or with ERR as lw_pool_run().
 */
int lw_train_run(const struct lw_train *train, lw_train_f told, void *arg, struct lw_net *ret_net,
		 struct lw_train_score *ret_score, struct lw_error *err);

#endif
