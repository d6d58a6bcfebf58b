/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: predictions made worse: by a factor drawn for each kind of jobs. */
#ifndef LW_LAB_SIM_NOISE_H
#define LW_LAB_SIM_NOISE_H

#include "predictor/history.h"

#include <stdint.h>

struct lw_noise {
	double sigma; /* of the factor's logarithm; 0: predictions stay as they are */
	uint32_t seed;
};

/*
 * The factor of the jobs of KEY: log-normal with median 1. Jobs of one user, partition, limit and
 * width have the same at any time, since predictions are of such kinds, too: no number of runs
 * averages it out.
 */
double lw_noise_factor(const struct lw_noise *noise, const struct lw_history_key *key);

/* A predicted TIME (s, ms), FACTOR times as long: 1 at least, and MOST at most. */
int64_t lw_noise_time(int64_t time, double factor, int64_t most);

/* SURVIVAL (predictor/survival.h) of a job that takes FACTOR times as long; 0 stays 0. */
uint64_t lw_noise_survival(uint64_t survival, double factor);

#endif
