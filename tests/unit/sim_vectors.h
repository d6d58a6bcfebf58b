/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of one pool, and when the simulator must start them. */
#ifndef LW_TESTS_SIM_VECTORS_H
#define LW_TESTS_SIM_VECTORS_H

#include "lab/sim/trial.h"
#include "unit/unit.h"

#include <string.h>

#define NONE     LW_NO_TIME
#define JOBS_MAX 8

/* A job of the trace, and what becomes of it. */
struct row {
	int64_t submit_s;
	uint32_t procs;
	int64_t run_s, limit_s;
	int64_t start_s, promise_s;
};

struct vector {
	const char *name;
	struct lw_machine machine;
	enum lw_policy_kind policy;
	double relax;
	enum lw_predictor runtime;
	struct row rows[JOBS_MAX];
};

#define POOL(n)                                                                                  \
	{                                                                                        \
		.pool = n                                                                        \
	}
#define USER LW_PREDICT_USER

static inline uint32_t make_jobs(const struct vector *v, struct lw_sim_job *jobs)
{
	uint32_t n = 0;

	memset(jobs, 0, JOBS_MAX * sizeof(*jobs));
	for (; n < JOBS_MAX && v->rows[n].procs; n++) {
		jobs[n].id = n + 1;
		jobs[n].submit_s = v->rows[n].submit_s;
		jobs[n].run_s = v->rows[n].run_s;
		jobs[n].limit_s = v->rows[n].limit_s;
		ck_assert(lw_machine_request(&v->machine, v->rows[n].procs, &jobs[n].request));
	}
	return n;
}

static inline struct lw_trial make_trial(const struct vector *v)
{
	struct lw_trial trial = { .runtime = v->runtime, .machine = v->machine };

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = v->policy;
	trial.policy.relax = v->relax;
	trial.policy.terse = true;
	return trial;
}

#endif
