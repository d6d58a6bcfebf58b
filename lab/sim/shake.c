/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: submissions moved at random. */
#include "lab/sim/shake.h"

#include "measure/rng.h"
#include "predictor/history.h"

#include <stdlib.h>

static int by_submission(const void *a, const void *b)
{
	const struct lw_sim_job *x = a, *y = b;

	if (x->submit_s != y->submit_s)
		return x->submit_s < y->submit_s ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int by_user(const void *a, const void *b)
{
	const struct lw_sim_job *x = a, *y = b;

	if (x->user != y->user)
		return x->user < y->user ? -1 : 1;
	return by_submission(a, b);
}

static int64_t draw_shift(struct lw_rng *rng, uint32_t by_s)
{
	return (int64_t)lw_rng_below(rng, 2 * by_s + 1) - by_s;
}

static void shift(struct lw_sim_job *job, int64_t shift_s)
{
	/* the deadline is so long after the submission */
	if (job->finish_by_s)
		job->finish_by_s += job->submit_s + shift_s < 0 ? -job->submit_s : shift_s;
	job->submit_s += shift_s;
	if (job->submit_s < 0)
		job->submit_s = 0;
}

void lw_shake(struct lw_sim_job *jobs, uint32_t count, uint32_t by_s, uint64_t seed)
{
	struct lw_rng rng;

	lw_rng_init(&rng, seed);
	for (uint32_t i = 0; i < count; i++)
		shift(&jobs[i], draw_shift(&rng, by_s));
	if (count)
		qsort(jobs, count, sizeof(*jobs), by_submission);
}

void lw_shake_sessions(struct lw_sim_job *jobs, uint32_t count, uint32_t by_s, uint64_t seed)
{
	int64_t before_s = 0, shift_s = 0;
	struct lw_rng rng;

	if (!count)
		return;
	lw_rng_init(&rng, seed);
	qsort(jobs, count, sizeof(*jobs), by_user);
	for (uint32_t i = 0; i < count; i++) {
		int64_t submit_s = jobs[i].submit_s;

		if (!i || jobs[i].user != jobs[i - 1].user || jobs[i].user == LW_HISTORY_NOBODY ||
		    submit_s - before_s > LW_SESSION_S)
			shift_s = draw_shift(&rng, by_s);
		shift(&jobs[i], shift_s);
		before_s = submit_s;
	}
	qsort(jobs, count, sizeof(*jobs), by_submission);
}
