/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the workload model of Lublin and Feitelson for rigid HPC jobs. */
#include "lab/sim/lublin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/sim/userlimit.h"
#include "measure/detmath.h"

/*
 * Parameters of batch jobs, Lublin and Feitelson 2003 (section and table of each part);
 * the same values stand in the program the authors published with the paper, lublin99.c
 * in the Parallel Workloads Archive.
 */

/* Size: share of serial jobs, and of parallel jobs with a power of two as size. */
#define SERIAL_SHARE 0.2927
#define POWER2_SHARE 0.6686
/* log2 of a parallel size: two-stage uniform over [LOW, MED] with UPROB, else [MED, HI]
 */
#define SIZE_LOW       1.2
#define SIZE_LOW_SMALL 0.8 /* their advice for machines of about 8 nodes */
#define SIZE_MED_BELOW 2.0 /* MED 5 on a machine of 2^7 nodes; allowed: 1.5 to 3.5 */
#define SIZE_FIRST     0.875

/* ln of the run time: hyper-gamma; the first part has share PA x size + PB. */
#define RUN_A1 6.57
#define RUN_B1 0.823
#define RUN_A2 639.1
#define RUN_B2 0.0156
#define RUN_PA (-0.003)
#define RUN_PB 0.6986
/* they draw again above e^12 s, about two days */
#define RUN_LN_MAX 12.0

/* ln of the gap between arrivals, in busy seconds: gamma, shape scaled from rush hours */
#define GAP_A      6.0415
#define GAP_B      0.8531
#define GAP_RATIO  1.0519
#define GAP_LN_MAX 13.0
/* jobs in each half hour of the day: gamma */
#define DAY_A 6.1271
#define DAY_B 5.2740

/*
 * Share of jobs that run into their limit: 13 % on KTH-SP2-1996 (measured: run time at
 * least 99 % of the limit), the log the limits are taken from.
 */
#define KILLED_SHARE 0.131

/* draws before a run time is taken as the cap itself */
#define TRIES 200

struct lw_lublin {
	struct lw_rng rng;
	struct lw_model_machine machine;
	struct lw_userlimit_users users;
	double size_low, size_med, size_high;
};

static void set_sizes(struct lw_lublin *model)
{
	model->size_high = lw_math_log(model->machine.nodes) / lw_math_log(2);
	model->size_low = model->size_high < 3.5 ? SIZE_LOW_SMALL : SIZE_LOW;
	if (model->size_low > model->size_high)
		model->size_low = model->size_high;
	model->size_med = model->size_high - SIZE_MED_BELOW;
	if (model->size_med < model->size_low)
		model->size_med = model->size_low;
}

struct lw_lublin *lw_lublin_create(const struct lw_model_machine *machine, uint64_t seed)
{
	struct lw_lublin *model = calloc(1, sizeof(*model));

	if (!model)
		return NULL;
	model->machine = *machine;
	lw_rng_init(&model->rng, seed);
	if (lw_userlimit_users_init(&model->users, machine->users, &lw_userlimit_hpc,
				    machine->max_run_s, &model->rng)) {
		free(model);
		return NULL;
	}
	set_sizes(model);
	return model;
}

void lw_lublin_destroy(struct lw_lublin *model)
{
	if (!model)
		return;
	lw_userlimit_users_fini(&model->users);
	free(model);
}

void lw_lublin_cycle(struct lw_arrival_cycle *ret_cycle)
{
	lw_arrival_gamma_cycle(ret_cycle, DAY_A, DAY_B);
}

static uint32_t draw_size(struct lw_lublin *model)
{
	double u = lw_rng_uniform(&model->rng), log2_size;
	int64_t size;

	if (u <= SERIAL_SHARE || model->machine.nodes < 2)
		return 1;
	if (lw_rng_chance(&model->rng, SIZE_FIRST))
		log2_size = lw_rng_between(&model->rng, model->size_low, model->size_med);
	else
		log2_size =
			lw_rng_between(&model->rng, model->size_med, model->size_high);
	if (u <= SERIAL_SHARE + POWER2_SHARE)
		log2_size = (double)lw_math_round(log2_size);
	size = lw_math_round(lw_math_exp(log2_size * lw_math_log(2)));
	/* rounding may pass the end of a machine that is no power of two */
	if (size > model->machine.nodes)
		return model->machine.nodes;
	return (uint32_t)size;
}

static int64_t draw_run_s(struct lw_lublin *model, uint32_t size)
{
	double p = RUN_PA * size + RUN_PB,
	       ln_max = lw_math_log((double)model->machine.max_run_s);
	double ln_run;

	if (ln_max > RUN_LN_MAX)
		ln_max = RUN_LN_MAX;
	if (p < 0)
		p = 0;
	for (int i = 0; i < TRIES; i++) {
		if (lw_rng_chance(&model->rng, p))
			ln_run = lw_rng_gamma(&model->rng, RUN_A1, RUN_B1);
		else
			ln_run = lw_rng_gamma(&model->rng, RUN_A2, RUN_B2);
		if (ln_run <= ln_max)
			return lw_math_round(lw_math_exp(ln_run));
	}
	return model->machine.max_run_s;
}

static double draw_gap_s(struct lw_lublin *model)
{
	double ln_gap;

	do
		ln_gap = lw_rng_gamma(&model->rng, GAP_A * GAP_RATIO, GAP_B);
	while (ln_gap > GAP_LN_MAX);
	return lw_math_exp(ln_gap);
}

static int64_t draw_limit_s(struct lw_lublin *model, uint32_t user, int64_t run_s)
{
	int64_t below = 0;

	if (lw_rng_chance(&model->rng, KILLED_SHARE))
		below = lw_userlimit_below(&model->users.menu, run_s);
	return below ? below
		     : lw_userlimit_draw(&model->rng, &model->users.menu,
					 &model->users.users[user], run_s);
}

void lw_lublin_draw(struct lw_lublin *model, struct lw_model_submission *ret_submission)
{
	struct lw_workload_job *job = &ret_submission->jobs[0];
	uint32_t user = lw_userlimit_users_pick(&model->users, &model->rng);

	memset(job, 0, sizeof(*job));
	ret_submission->gap_s = draw_gap_s(model);
	ret_submission->count = 1;
	job->kind = LW_WORKLOAD_HPC;
	job->nodes = draw_size(model);
	job->gpus_per_node = model->machine.gpus_per_node;
	job->cpus_per_node = model->machine.cpus_per_node;
	job->run_s = draw_run_s(model, job->nodes);
	job->limit_s = draw_limit_s(model, user, job->run_s);
	job->cancel_s = LW_WORKLOAD_NEVER;
	job->array = LW_WORKLOAD_NEVER;
	job->user = user + 1;
	/* one name for each size: a user's runs of one size are taken as one program */
	snprintf(job->name, sizeof(job->name), "hpc-%u", (unsigned)job->nodes);
}
