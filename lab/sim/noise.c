/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: predictions made worse: by a factor drawn for each kind of jobs. */
#include "lab/sim/noise.h"

#include "base/lookup.h"
#include "measure/detmath.h"
#include "measure/rng.h"
#include "predictor/survival.h"

double lw_noise_factor(const struct lw_noise *noise, const struct lw_history_key *key)
{
	struct lw_rng rng;
	uint64_t kind;

	if (!(noise->sigma > 0))
		return 1;
	kind = lw_hash_mix(LW_HASH_BEGIN, noise->seed);
	kind = lw_hash_mix(kind, key->user);
	kind = lw_hash_mix(kind, key->partition);
	kind = lw_hash_mix(kind, (uint64_t)key->limit_s);
	lw_rng_init(&rng, lw_hash_mix(kind, key->width));
	return lw_math_exp(noise->sigma * lw_rng_normal(&rng));
}

int64_t lw_noise_time(int64_t time, double factor, int64_t most)
{
	double scaled = (double)time * factor;

	if (scaled >= (double)most)
		return most < 1 ? 1 : most;
	return scaled < 1 ? 1 : lw_math_round(scaled);
}

/* The probability AFTER_S from now: straight from point to point, from 1 at once. */
static double noise_chance(uint64_t survival, double after_s)
{
	double before_s = 0, before = 1;

	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++) {
		double at_s = (double)lw_survival_after_s(point);
		double at = (double)lw_survival_at(survival, point) / LW_SURVIVAL_ONE;

		if (after_s <= at_s)
			return before + (at - before) * (after_s - before_s) / (at_s - before_s);
		before_s = at_s;
		before = at;
	}
	return before;
}

uint64_t lw_noise_survival(uint64_t survival, double factor)
{
	double chances[LW_SURVIVAL_POINTS];

	if (!survival)
		return 0;
	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++)
		chances[point] =
			noise_chance(survival, (double)lw_survival_after_s(point) / factor);
	return lw_survival_pack(chances);
}
