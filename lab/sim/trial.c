/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one policy on one machine: a simulation from an empty machine to the last end. */
#include "lab/sim/trial.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lab/sim/foresee.h"
#include "lab/sim/gpumap.h"
#include "lab/sim/planners.h"
#include "lab/sim/reciperun.h"

struct run {
	struct lw_foresee foresee; /* the first: what hooks of foresee.h are given */
	const struct lw_trial *trial;
	const struct lw_sim_job *jobs;
	struct lw_estimate **estimates; /* by job, while it runs; NULL: no quantile is asked */
	struct lw_publisher publisher;
	struct lw_planners planners;
	struct lw_energymeter *meter; /* NULL: energy is not wanted */
	struct lw_gpumap gpus;        /* zeroed: nothing is known of islands */
	lw_sim_progress_f progress;
	void *arg;
};

/* Without memory for it the history recalls what it can. */
static void started(void *arg, const struct lw_sim_job *job)
{
	const struct run *run = arg;
	struct lw_history_key key = lw_foresee_key(job, job->start_s);
	struct lw_estimate *estimate = malloc(sizeof(*estimate));

	free(run->estimates[job - run->jobs]);
	if (estimate)
		lw_predict_estimate(run->foresee.history, &key, estimate);
	run->estimates[job - run->jobs] = estimate;
}

/* What it would have run where its kind is known from: on the reference type, on all its nodes. */
static int64_t trial_known_s(const struct lw_sim_job *job, int64_t held_s)
{
	double last_s = (double)(lw_sim_job_end_s(job) - job->start_s);

	if (job->nodes)
		return job->done_s + llround(last_s / lw_size_slower(&job->size, job->nodes));
	return job->slower > 0 ? llround((double)held_s / job->slower) : held_s;
}

static void trial_learn(const struct run *run, const struct lw_sim_job *job, int64_t now_s)
{
	int64_t held_s = job->spent_s + lw_sim_job_end_s(job) - job->start_s;
	int64_t asked_s = lw_sim_job_asked_s(job);
	struct lw_estimate *estimate = run->estimates ? run->estimates[job - run->jobs] : NULL;
	struct lw_history_job learned = {
		.user = job->user,
		.partition = job->partition,
		.limit_s = asked_s,
		.run_s = trial_known_s(job, held_s),
		.end_s = now_s,
		.killed_at_limit = held_s >= asked_s,
		.width = lw_foresee_key(job, now_s).width,
		.estimate = estimate,
	};

	/* without memory it knows less, and the simulation fails at its next allocation */
	(void)lw_history_add(run->foresee.history, &learned);
	if (run->estimates)
		run->estimates[job - run->jobs] = NULL;
	free(estimate);
}

static bool has_islands(const struct lw_trial *trial)
{
	return trial->machine.nodes && trial->machine.gpus_per_island;
}

static void stopped(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	struct run *run = arg;

	if (run->meter)
		lw_energymeter_give(run->meter, (uint32_t)(job - run->jobs), now_s);

	if (run->trial->procs)
		lw_procmap_give(run->trial->procs, (uint32_t)(job - run->jobs));
	if (has_islands(run->trial))
		lw_gpumap_give(&run->gpus, (uint32_t)(job - run->jobs));
}

static void ended(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	struct run *run = arg;

	if (run->foresee.history)
		trial_learn(run, job, now_s);
	stopped(arg, job, now_s);
}

static void progress(void *arg, uint32_t submitted, uint32_t finished, uint32_t total,
		     int64_t now_s)
{
	const struct run *run = arg;

	run->progress(run->arg, submitted, finished, total, now_s);
}

static void placed(void *arg, const struct lw_snapshot *snap, const struct lw_sim_job *job,
		   const struct lw_alloc *allocs, uint32_t count)
{
	struct run *run = arg;

	if (run->trial->locality)
		lw_locality_placed(run->trial->locality, snap, job, allocs, count);
	if (run->trial->outlook)
		lw_sim_outlook_started(run->trial->outlook, (uint32_t)(job - run->jobs),
				       snap->now_s);
	if (run->trial->procs)
		lw_procmap_take(run->trial->procs, (uint32_t)(job - run->jobs), allocs, count);
	if (run->meter)
		lw_energymeter_take(run->meter, (uint32_t)(job - run->jobs), snap->now_s, allocs,
				    count);
	if (has_islands(run->trial))
		lw_gpumap_take(&run->gpus, (uint32_t)(job - run->jobs), allocs, count);
}

static void joined(void *arg, const struct lw_sim_job *holder, const struct lw_sim_job *guest)
{
	const struct run *run = arg;

	if (run->trial->procs)
		lw_procmap_join(run->trial->procs, (uint32_t)(guest - run->jobs),
				(uint32_t)(holder - run->jobs));
}

static void inherited(void *arg, const struct lw_sim_job *holder, const struct lw_sim_job *heir,
		      const struct lw_alloc *allocs, uint32_t count, int64_t now_s)
{
	struct run *run = arg;
	uint32_t from = (uint32_t)(holder - run->jobs), to = (uint32_t)(heir - run->jobs);

	if (run->trial->procs)
		lw_procmap_pass(run->trial->procs, from, to);
	if (run->meter)
		lw_energymeter_take(run->meter, to, now_s, allocs, count);
	if (has_islands(run->trial))
		lw_gpumap_pass(&run->gpus, from, to);
}

static int64_t delays(void *arg, int64_t now_s, const struct lw_alloc *allocs, uint32_t count)
{
	const struct run *run = arg;

	return lw_energymeter_wakes(run->meter, now_s, allocs, count)
		       ? run->trial->energy_model->resume_s
		       : 0;
}

static void rested(void *arg, const struct lw_snapshot *snap, const struct lw_sim_job *next,
		   int64_t until_s)
{
	const struct run *run = arg;

	lw_locality_rested(run->trial->locality, snap, next, until_s);
}

static int planned(void *arg, const struct lw_snapshot *snap, const uint32_t *job_of)
{
	const struct run *run = arg;

	return lw_sim_outlook_look(run->trial->outlook, snap, run->jobs, job_of);
}

static int trial_plan(void *arg, const struct lw_snapshot *snap, struct lw_plan *plan)
{
	struct run *run = arg;

	return lw_published_plan(&run->publisher, snap, plan);
}

/* Does placement go by how long jobs stay? */
static bool release_dists(const struct lw_trial *trial)
{
	return trial->machine.gpus_per_node && !trial->choose;
}

/* Does the order go by what earlier runs took? They are known, whatever run times are. */
static bool attains(const struct lw_trial *trial)
{
	return lw_order_needs(trial->policy.order, LW_NEEDS_ATTAINED);
}

static bool survives(const struct lw_trial *trial)
{
	return lw_order_needs(trial->policy.order, LW_NEEDS_SURVIVAL);
}

static bool asks_survival(const struct lw_trial *trial)
{
	return release_dists(trial) || survives(trial);
}

static bool learns(const struct lw_trial *trial)
{
	return trial->runtime == LW_PREDICT_LAST2 || trial->runtime == LW_PREDICT_HISTORY ||
	       attains(trial) || (asks_survival(trial) && trial->runtime != LW_PREDICT_EXACT);
}

static bool believes(const struct lw_trial *trial)
{
	return trial->runtime != LW_PREDICT_USER && lw_policy_has(trial->policy.kind, LW_FILLS);
}

/* With a known or assumed run time there is nothing to find out. */
static bool scouts(const struct lw_trial *trial)
{
	return trial->runtime == LW_PREDICT_HISTORY &&
	       lw_policy_has(trial->policy.kind, LW_PREDICTS) && trial->policy.scout;
}

static bool asks_quantiles(const struct lw_trial *trial)
{
	return believes(trial) && trial->runtime == LW_PREDICT_HISTORY;
}

/* Is there anything to do when a job ends? */
static bool listens(const struct lw_trial *trial)
{
	return learns(trial) || has_islands(trial) || trial->procs || trial->energy;
}

static bool shares(const struct lw_trial *trial)
{
	return trial->sharing.rule.mode != LW_SHARE_OFF;
}

/* EASY that believes keeps its promises, instead of reserving by beliefs ever anew. */
static struct lw_policy_params params_of(const struct lw_trial *trial)
{
	struct lw_policy_params params = trial->policy;

	if (believes(trial) && !lw_policy_has(params.kind, LW_SLIPS)) {
		params.kind = LW_POLICY_RELAXED;
		params.relax = 0;
	}
	return params;
}

static int64_t held(void *arg, uint32_t job_id, int64_t now_s)
{
	struct run *run = arg;

	return lw_netrun_held(&run->planners.nets, job_id, now_s);
}

/* Other schedulers see a job when what it waits for has ended. */
static bool knows_chains(const struct lw_trial *trial)
{
	return !trial->published && !trial->stock;
}

/* What a run asks of the trial. */
static struct lw_sim_hooks hooks_of(const struct lw_trial *trial, struct run *run)
{
	return (struct lw_sim_hooks){ .progress = run->progress ? progress : NULL,
				      .expect = lw_foresee_mean,
				      .fresh_until = learns(trial) ? lw_foresee_fresh_until : NULL,
				      .expect_tail = lw_foresee_tail,
				      .rank = scouts(trial) ? lw_foresee_rank : NULL,
				      .attained = attains(trial) ? lw_foresee_attained : NULL,
				      .placed = placed,
				      .joined = joined,
				      .inherited = inherited,
				      .rested = trial->locality ? rested : NULL,
				      .planned = trial->outlook ? planned : NULL,
				      .survival = asks_survival(trial) ? lw_foresee_survival : NULL,
				      .survival_of_all = survives(trial),
				      .believe = believes(trial) ? lw_foresee_believe : NULL,
				      .one_event = trial->one_event,
				      .plan = trial->published ? trial_plan : NULL,
				      .chain = knows_chains(trial) ? trial->chain : LW_CHAIN_OFF,
				      .lease = trial->lease.agree > 0 ? &trial->lease : NULL,
				      .sizes = trial->sizes,
				      .stopped = stopped,
				      .held = trial->nets.inspector ? held : NULL,
				      .sharing = shares(trial) ? &trial->sharing : NULL,
				      .shared = trial->shared,
				      .bounds = &trial->policy,
				      .completing_s = trial->machine.completing_s,
				      .plan_delay_s = trial->machine.plan_delay_s,
				      .main_delay_s = trial->machine.main_delay_s,
				      .gated = trial->machine.main_loop && !trial->machine.ungated,
				      .started = asks_quantiles(trial) ? started : NULL,
				      .ended = listens(trial) ? ended : NULL,
				      .arg = run };
}

/* What lags on the machine lags under stock as well. */
static struct lw_stock_params stock_of(const struct lw_trial *trial)
{
	struct lw_stock_params params = { 0 };

	if (!trial->stock)
		return params;
	params = *trial->stock;
	params.lag_s = trial->machine.main_delay_s;
	params.cycle_s = trial->machine.plan_delay_s;
	return params;
}

int lw_trial_run(const struct lw_trial *trial, struct lw_sim_job *jobs, uint32_t count,
		 lw_sim_progress_f progress_f, void *arg)
{
	struct run run = { .foresee = { trial->runtime, trial->noise, NULL },
			   .trial = trial, .jobs = jobs, .progress = progress_f, .arg = arg };
	const struct lw_policy_params params = params_of(trial);
	struct lw_sim_hooks hooks = hooks_of(trial, &run);
	struct lw_stock_params stock = stock_of(trial);
	struct lw_snapshot machine = { 0 };
	int rc = learns(trial) ? lw_history_create(0, &run.foresee.history) : 0;

	if (!rc)
		rc = lw_planners_init(&run.planners, trial, &params,
				      lw_sim_largest_id(jobs, count));
	hooks.stock = trial->stock ? &stock : NULL;
	hooks.main_loop = run.planners.main_loop;
	hooks.shown = run.planners.shown;
	run.publisher = (struct lw_publisher){ .rule = trial->published,
					       .params = &run.planners.params,
					       .nets = &run.planners.nets };
	if (!rc && hooks.started) {
		run.estimates = calloc((size_t)count + 1, sizeof(*run.estimates));
		rc = run.estimates ? 0 : -ENOMEM;
	}
	if (!rc && trial->outlook)
		rc = lw_sim_outlook_init(trial->outlook, count, &run.planners.params);
	if (!rc)
		rc = lw_machine_build(&trial->machine, &machine);
	if (!rc && has_islands(trial))
		rc = lw_gpumap_init(&run.gpus, &machine, trial->machine.gpus_per_node,
				    trial->machine.gpus_per_island, count);
	if (!rc && trial->procs)
		rc = lw_procmap_init(trial->procs, &machine,
				     trial->machine.nodes && trial->machine.gpus_per_node, count);
	if (!rc && trial->energy_model)
		lw_energy_tell(trial->energy_model, &machine);
	if (!rc && trial->energy)
		rc = lw_energymeter_create(trial->energy_model, &machine, jobs, count,
					   &run.meter);
	if (run.meter && trial->energy_model->resume_s)
		hooks.delays = delays;
	for (uint32_t i = 0; i < count; i++)
		jobs[i].share_s = lw_reciperun_share_s(&jobs[i], &trial->machine);
	if (!rc)
		rc = lw_sim_run(&machine, run.planners.policy, jobs, count, &hooks);
	if (!rc && trial->procs)
		rc = trial->procs->error;
	if (!rc && run.meter)
		rc = lw_energymeter_read(run.meter, count ? jobs[0].submit_s : 0, trial->energy);
	lw_energymeter_destroy(run.meter);
	lw_planners_fini(&run.planners);
	if (trial->outlook)
		lw_sim_outlook_fini(trial->outlook);
	lw_gpumap_fini(&run.gpus);
	lw_snapshot_fini(&machine);
	lw_history_destroy(run.foresee.history);
	for (uint32_t i = 0; run.estimates && i < count; i++)
		free(run.estimates[i]);
	free(run.estimates);
	return rc;
}
