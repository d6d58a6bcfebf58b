/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs of a run agree to be stopped, and how these then behave. */
#include "lab/sim/engine_state.h"
#include "measure/rng.h"
#include "predictor/history.h"

uint64_t lw_engine_agree_kind(const struct lw_sim_job *job)
{
	uint64_t kind = lw_hash_mix(LW_HASH_BEGIN, job->user);

	kind = lw_hash_mix(kind, job->application);
	return lw_hash_mix(kind, (uint64_t)lw_sim_job_asked_s(job));
}

static bool agree_draw(uint64_t seed, uint64_t what, double share)
{
	struct lw_rng rng;

	lw_rng_init(&rng, lw_hash_mix(lw_hash_mix(LW_HASH_BEGIN, seed), what));
	return lw_rng_chance(&rng, share);
}

uint32_t lw_engine_agree(const struct lw_lease_settings *lease, const struct lw_sim_job *job)
{
	uint32_t bits = 0;

	if (lw_sim_job_waits(job) || job->leads || job->recipe ||
	    !agree_draw(lease->seed, job->user == LW_HISTORY_NOBODY ? job->id : job->user,
			lease->agree))
		return 0;
	if (agree_draw(lease->seed + 1, lw_engine_agree_kind(job), lease->deaf))
		bits = LW_AGREES_DEAF;
	else if (agree_draw(lease->seed + 2, lw_engine_agree_kind(job), lease->scratch))
		bits = LW_AGREES_ANEW;
	return LW_AGREES | bits;
}
