/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a model of the jobs of a deep learning cluster. */
#include "lab/sim/dlmix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/sim/userlimit.h"
#include "measure/detmath.h"

/*
 * Sources. "Measured" means: computed for this model from the whole public trace.
 *  Philly   Jeon et al., Analysis of large-scale multi-tenant GPU clusters for DNN
 *           training workloads, USENIX ATC 2019; trace MS-Philly-2017 (110,405 jobs).
 *  LS6      Ding et al., Mirage, SC 2023; trace TACC-LS6-A100-2022 (11,397 jobs).
 *  Alibaba  Weng et al., Beware of fragmentation, USENIX ATC 2023; trace
 *           Alibaba-GPU-2023 (6,178 pods).
 *  IDE      Li et al., AI-enabling workloads on large-scale GPU-accelerated system,
 *           HPCA 2022 (MIT Supercloud).
 */

/*
 * Classes of jobs. share: of the JOBS. Widths and their shares: Philly, measured (1 GPU
 * 86.5 %, 2: 2.3, 4: 5.0, 8: 5.2, 16: 0.8, 32: 0.2, 64: 0.03 %). The 1-GPU share is
 * parted into sweeps (25 %: LS6, measured, jobs in bursts of one user, program, size and
 * limit within a minute), sessions (IDE: 3.5 % of the jobs), inference (5 %: our choice)
 * and single trials. mu, sigma: of the natural log of the run time in seconds; Philly,
 * measured for each width; inference: Alibaba's latency-sensitive pods, measured.
 */
struct job_class {
	enum lw_workload_kind kind;
	const char *name;
	uint32_t gpus;
	double share;
	double mu, sigma;
};

static const struct job_class classes[] = {
	{ LW_WORKLOAD_TRAIN1, "trial", 1, .530, 6.81, 2.26 },
	{ LW_WORKLOAD_SWEEP, "sweep", 1, .250, 6.81, 2.26 },
	{ LW_WORKLOAD_INFER, "infer", 1, .050, 6.82, 1.70 },
	{ LW_WORKLOAD_NOTEBOOK, "jupyter", 1, .035, 0, 0 },
	{ LW_WORKLOAD_TRAIN1, "train", 2, .0227, 5.57, 3.76 },
	{ LW_WORKLOAD_TRAIN1, "train", 4, .0495, 8.53, 3.08 },
	{ LW_WORKLOAD_TRAIN1, "train", 8, .0518, 8.82, 3.17 },
	{ LW_WORKLOAD_TRAIN1, "train", 16, .0078, 8.48, 3.14 },
	{ LW_WORKLOAD_TRAIN1, "train", 32, .0019, 7.78, 2.81 },
	{ LW_WORKLOAD_TRAIN1, "train", 64, .0003, 6.80, 2.52 },
};
#define CLASSES (uint32_t)(sizeof(classes) / sizeof(classes[0]))

/* Sizes of sweeps: lengths of the bursts of LS6, measured; their mean is 3.8. */
static const double sweep_weights[] = { .58, .155, .14, .04, .03, .02, .02, .01, .005 };
static const uint32_t sweep_sizes[] = { 2, 3, 4, 6, 8, 10, 16, 32, LW_MODEL_ARRAY_MAX };
#define SWEEP_SIZES 9
#define SWEEP_MEAN  3.8

/*
 * Of the variance of ln(run time) 3.43 of 10.67 lies between two runs of one recipe, the
 * rest between recipes (LS6, measured over user, program, size and limit).
 */
#define WITHIN_RECIPE 0.567 /* square root of 3.43 / 10.67 */
#define AMONG_RECIPES 0.824 /* square root of the rest */

/* 71 % of the jobs repeat a recipe; without the later jobs of a sweep, 64 % (LS6). */
#define REPEAT_SHARE 0.64
/* a repetition takes the newest recipe, else the one before, ...: our choice */
#define NEWEST_SHARE 0.5
#define RECIPES      8

/* 13.5 % of the jobs are killed by their users (Philly, table 6); when: our choice */
#define CANCEL_SHARE 0.135
#define CANCEL_MIN_S 60.0
#define CANCEL_MAX_S 43200.0

/*
 * Sessions are given 12 or 24 h and most are still there when the limit ends them (IDE);
 * the 60 % is our choice.
 */
#define SESSION_SHORT_S    43200
#define SESSION_LONG_S     86400
#define SESSION_FULL_SHARE 0.6
#define SESSION_MIN_S      600.0

/* Submissions of many users come as a Poisson process; the mean is set by the load. */
#define GAP_MEAN_S 300.0
/* Busy hours, local time: LS6, measured, mean 1. */
static const double hours[24] = { .66,  .56,  .49,  .37,  .31,  .35,  .24,  .52,
				  .96,  1.18, 1.30, 1.88, 1.58, 1.60, 1.63, 1.85,
				  1.82, 1.18, 1.04, 1.15, .72,  1.02, .76,  .85 };

/* widest gang, as a share of the machine: LS6, 96 of 240 GPUs (measured) */
#define GANG_SHARE 0.4
#define TRIES      50

struct recipe {
	const struct job_class *class;
	double mu;
	int64_t limit_s;
	uint32_t number; /* in its user's life */
};

struct user {
	const struct lw_userlimit_user *limits;
	struct recipe recipes[RECIPES]; /* a ring */
	uint32_t made;
};

struct lw_dlmix {
	struct lw_rng rng;
	struct lw_model_machine machine;
	struct lw_userlimit_users limits;
	struct user *users; /* as many */
	double class_weights[CLASSES];
	int64_t arrays;
};

/* Recipes are drawn by submission; a sweep is one submission of several jobs. */
static void set_class_weights(struct lw_dlmix *model)
{
	double most = GANG_SHARE * model->machine.nodes * model->machine.gpus_per_node;

	for (uint32_t i = 0; i < CLASSES; i++) {
		double weight = classes[i].share;

		if (classes[i].kind == LW_WORKLOAD_SWEEP)
			weight /= SWEEP_MEAN;
		if (classes[i].gpus > 1 && classes[i].gpus > most)
			weight = 0;
		model->class_weights[i] = weight;
	}
}

struct lw_dlmix *lw_dlmix_create(const struct lw_model_machine *machine, uint64_t seed)
{
	struct lw_dlmix *model = calloc(1, sizeof(*model));

	if (!model)
		return NULL;
	model->machine = *machine;
	lw_rng_init(&model->rng, seed);
	model->users = calloc(machine->users, sizeof(*model->users));
	if (!model->users ||
	    lw_userlimit_users_init(&model->limits, machine->users, &lw_userlimit_dl,
				    machine->max_run_s, &model->rng)) {
		lw_dlmix_destroy(model);
		return NULL;
	}
	for (uint32_t i = 0; i < machine->users; i++)
		model->users[i].limits = &model->limits.users[i];
	set_class_weights(model);
	return model;
}

void lw_dlmix_destroy(struct lw_dlmix *model)
{
	if (!model)
		return;
	free(model->users);
	lw_userlimit_users_fini(&model->limits);
	free(model);
}

void lw_dlmix_cycle(struct lw_arrival_cycle *ret_cycle)
{
	lw_arrival_hourly_cycle(ret_cycle, hours);
}

static int64_t cap_s(const struct lw_dlmix *model, int64_t seconds)
{
	return seconds < model->limits.menu.max_s ? seconds : model->limits.menu.max_s;
}

static void draw_recipe(struct lw_dlmix *model, struct user *user, struct recipe *recipe)
{
	const struct job_class *class =
		&classes[lw_rng_pick(&model->rng, model->class_weights, CLASSES)];
	int64_t usual_s;

	recipe->class = class;
	recipe->number = user->made;
	if (class->kind == LW_WORKLOAD_NOTEBOOK) {
		recipe->limit_s =
			cap_s(model, lw_rng_chance(&model->rng, 0.5) ? SESSION_SHORT_S
								     : SESSION_LONG_S);
		return;
	}
	recipe->mu =
		class->mu + AMONG_RECIPES * class->sigma * lw_rng_normal(&model->rng);
	/* users know what their program usually takes, not what the next run will */
	usual_s = recipe->mu < 13 ? lw_math_round(lw_math_exp(recipe->mu))
				  : model->limits.menu.max_s;
	recipe->limit_s =
		lw_userlimit_draw(&model->rng, &model->limits.menu, user->limits, usual_s);
}

static const struct recipe *choose_recipe(struct lw_dlmix *model, struct user *user)
{
	uint32_t known = user->made < RECIPES ? user->made : RECIPES, back = 0;
	struct recipe *fresh;

	if (known && lw_rng_chance(&model->rng, REPEAT_SHARE)) {
		while (back + 1 < known && !lw_rng_chance(&model->rng, NEWEST_SHARE))
			back++;
		return &user->recipes[(user->made - 1 - back) % RECIPES];
	}
	fresh = &user->recipes[user->made % RECIPES];
	user->made++;
	draw_recipe(model, user, fresh);
	return fresh;
}

static int64_t draw_session_s(struct lw_dlmix *model, const struct recipe *recipe)
{
	double low = lw_math_log(SESSION_MIN_S),
	       high = lw_math_log((double)recipe->limit_s);

	if (lw_rng_chance(&model->rng, SESSION_FULL_SHARE) || high <= low)
		return recipe->limit_s + 600;
	return lw_math_round(lw_math_exp(lw_rng_between(&model->rng, low, high)));
}

static int64_t draw_run_s(struct lw_dlmix *model, const struct recipe *recipe)
{
	double sigma = WITHIN_RECIPE * recipe->class->sigma;
	double ln_max = lw_math_log((double)model->machine.max_run_s);

	if (recipe->class->kind == LW_WORKLOAD_NOTEBOOK)
		return draw_session_s(model, recipe);
	for (int i = 0; i < TRIES; i++) {
		double ln_run = recipe->mu + sigma * lw_rng_normal(&model->rng);
		int64_t run_s;

		if (ln_run > ln_max)
			continue;
		run_s = lw_math_round(lw_math_exp(ln_run));
		return run_s > 0 ? run_s : 1;
	}
	return model->machine.max_run_s;
}

static int64_t draw_cancel_s(struct lw_dlmix *model)
{
	double low = lw_math_log(CANCEL_MIN_S), high = lw_math_log(CANCEL_MAX_S);

	if (!lw_rng_chance(&model->rng, CANCEL_SHARE))
		return LW_WORKLOAD_NEVER;
	return lw_math_round(lw_math_exp(lw_rng_between(&model->rng, low, high)));
}

/* Whole nodes once a job needs more than one. */
static void set_shape(const struct lw_dlmix *model, const struct recipe *recipe,
		      struct lw_workload_job *job)
{
	uint32_t a_node = model->machine.gpus_per_node, gpus = recipe->class->gpus;
	uint32_t cpus_a_gpu = model->machine.cpus_per_node / a_node;

	job->kind = recipe->class->kind;
	job->nodes = (gpus + a_node - 1) / a_node;
	job->gpus_per_node = job->nodes > 1 ? a_node : gpus;
	job->cpus_per_node = job->gpus_per_node * (cpus_a_gpu ? cpus_a_gpu : 1);
	if (job->nodes > 1)
		job->kind = LW_WORKLOAD_GANG;
}

void lw_dlmix_draw(struct lw_dlmix *model, struct lw_model_submission *ret_submission)
{
	uint32_t index = lw_userlimit_users_pick(&model->limits, &model->rng);
	const struct recipe *recipe = choose_recipe(model, &model->users[index]);
	struct lw_workload_job job;

	memset(&job, 0, sizeof(job));
	job.array = LW_WORKLOAD_NEVER;
	job.limit_s = recipe->limit_s;
	set_shape(model, recipe, &job);
	job.user = index + 1;
	/* a user that has the result of a sweep stops all of it */
	job.cancel_s = draw_cancel_s(model);
	snprintf(job.name, sizeof(job.name), "%s-%u",
		 job.kind == LW_WORKLOAD_GANG ? "ddp" : recipe->class->name,
		 (unsigned)recipe->number);
	ret_submission->gap_s = lw_rng_exponential(&model->rng, GAP_MEAN_S);
	ret_submission->count = 1;
	if (job.kind == LW_WORKLOAD_SWEEP) {
		job.array = ++model->arrays;
		ret_submission->count =
			sweep_sizes[lw_rng_pick(&model->rng, sweep_weights, SWEEP_SIZES)];
	}
	for (uint32_t i = 0; i < ret_submission->count; i++) {
		job.run_s = draw_run_s(model, recipe);
		ret_submission->jobs[i] = job;
	}
}
