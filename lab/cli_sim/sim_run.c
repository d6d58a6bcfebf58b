/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: run a policy over a trace, once or shaken. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/cli_sim/progress.h"

/* Where a run stands among its repetitions. */
struct stand {
	struct lw_progress bar;
	uint32_t turn, turns;
};

static void simrun_show(void *arg, uint32_t submitted, uint32_t finished, uint32_t total,
			int64_t now_s)
{
	struct stand *stand = arg;
	char detail[96];

	snprintf(detail, sizeof(detail),
		 "%" PRIu32 " of %" PRIu32 " jobs, %" PRIu32 " in the system, day %" PRId64,
		 finished, total, submitted - finished, now_s / 86400);
	lw_progress_show(&stand->bar, (stand->turn + (double)finished / total) / stand->turns,
			 detail);
}

/* The waits of the jobs, and how these are beside those of the base. */
struct beside {
	const int64_t *base_wait_s; /* NULL: it is the base, or runs alone */
	int64_t *wait_s;            /* NULL, or where to keep them */
	struct lw_harm harm;
};

static void look_beside(struct beside *beside, const struct lw_sim_job *jobs, uint32_t count)
{
	for (uint32_t i = 0; beside->wait_s && i < count; i++)
		beside->wait_s[i] = lw_harm_wait_s(&jobs[i]);
	if (beside->base_wait_s)
		beside->harm = lw_harm_of(jobs, beside->base_wait_s, count);
}

/* Run JOBS once, and time it. */
static int run_once(const struct lw_simtrace *trace, const struct lw_trial *trial,
		    struct lw_sim_job *jobs, struct stand *stand, struct beside *beside,
		    struct lw_figures *ret_figures)
{
	double begun_s = lw_progress_clock_s();
	struct lw_sharing_found shared = { 0 };
	struct lw_locality locality = { 0 };
	struct lw_trial watched = *trial;
	struct lw_energy energy = { 0 };
	struct lw_figures_watched seen = { 0 };
	int rc;

	if (trial->energy_model) {
		seen.energy = watched.energy = &energy;
		seen.factors = trial->energy_model->factor_count > 0;
	}
	if (trace->machine.nodes && trace->machine.gpus_per_node)
		seen.locality = watched.locality = &locality;
	watched.shared = &shared;
	if (trial->sharing.rule.mode != LW_SHARE_OFF)
		seen.shared = &shared;
	rc = lw_trial_run(&watched, jobs, trace->jobs.count, simrun_show, stand);
	seen.wall_s = lw_progress_clock_s() - begun_s;
	if (rc)
		return rc;
	look_beside(beside, jobs, trace->jobs.count);
	seen.harm = &beside->harm;
	return lw_figures_of(jobs, trace->jobs.count, &trace->machine, &seen, ret_figures);
}

static void shake(const struct lw_simrepeat *repeat, uint32_t turn, struct lw_sim_job *jobs,
		  uint32_t count)
{
	uint64_t seed = repeat->seed + turn;

	if (repeat->sessions)
		lw_shake_sessions(jobs, count, repeat->shake_by_s, seed);
	else
		lw_shake(jobs, count, repeat->shake_by_s, seed);
}

static int run_all(struct lw_simrun *run, const struct lw_simtrace *trace,
		   struct lw_sim_job *scratch, struct stand *stand, struct lw_figures_sum *sum)
{
	struct lw_trial trial = { .policy = run->spec.policy,
				  .nets = run->spec.nets,
				  .choose = run->spec.choose,
				  .ends_before = run->spec.ends_before,
				  .runtime = run->spec.runtime,
				  .chain = run->spec.chain,
				  .preempt_s = run->spec.preempt_s,
				  .one_event = run->spec.one_event,
				  .published = run->spec.published,
				  .energy_model = run->repeat.energy,
				  .sharing = run->spec.sharing,
				  .machine = trace->machine };
	size_t size = trace->jobs.count * sizeof(*scratch);
	struct lw_simgrid grid;

	trial.sharing.table = &trace->tenants;
	lw_simgrid_init(&grid, trace->jobs.jobs, trace->jobs.count, &trace->machine);
	for (stand->turn = 0; stand->turn < stand->turns; stand->turn++) {
		struct lw_sim_job *jobs = stand->turn ? scratch : run->jobs;
		size_t done = (size_t)stand->turn * trace->jobs.count;
		struct beside beside = { .base_wait_s = run->repeat.base_wait_s,
					 .wait_s = run->repeat.wait_s };
		struct lw_figures figures;
		int rc;

		if (beside.base_wait_s)
			beside.base_wait_s += done;
		if (beside.wait_s)
			beside.wait_s += done;
		if (jobs != trace->jobs.jobs)
			memcpy(jobs, trace->jobs.jobs, size);
		trial.procs = run->repeat.procs && !stand->turn ? &run->procs : NULL;
		trial.outlook = run->repeat.outlook && !stand->turn ? &run->outlook : NULL;
		if (run->repeat.shakes)
			shake(&run->repeat, stand->turn, jobs, trace->jobs.count);
		rc = run_once(trace, &trial, jobs, stand, &beside, &figures);
		if (rc)
			return rc;
		if (!stand->turn)
			run->harm = beside.harm;
		lw_figures_add(sum, &figures);
		lw_simcurves_add(&run->curves, &grid, jobs, trace->jobs.count);
	}
	return 0;
}

int lw_simrun_do(struct lw_simrun *run, const struct lw_simtrace *trace,
		 const struct lw_simspec *spec, const struct lw_simrepeat *repeat,
		 struct lw_error *err)
{
	struct stand stand = { .turns = repeat->shakes ? repeat->shakes : 1 };
	struct lw_figures_sum sum = { 0 };
	struct lw_sim_job *scratch = calloc(trace->jobs.count, sizeof(*scratch));
	int rc = -ENOMEM;

	if (spec->published && trace->machine.nodes) {
		free(scratch);
		return lw_error_set(err, -EDOM,
				    "%s: its rule knows one pool of processors: leave "
				    "out --nodes",
				    spec->label);
	}
	if (lw_simshare_check(spec, trace, err)) {
		free(scratch);
		return -EDOM;
	}
	*run = (struct lw_simrun){ .spec = *spec, .repeat = *repeat };
	run->jobs = repeat->in_place ? trace->jobs.jobs
				     : calloc(trace->jobs.count, sizeof(*run->jobs));
	lw_progress_begin(&stand.bar, spec->label);
	lw_progress_set_step(&stand.bar, &repeat->step);
	if (scratch && run->jobs)
		rc = run_all(run, trace, scratch, &stand, &sum);
	lw_progress_end(&stand.bar);
	free(scratch);
	if (rc) {
		lw_simrun_fini(run);
		return lw_error_set(err, rc, "out of memory");
	}
	run->mean = lw_figures_mean(&sum);
	run->sd = lw_figures_sd(&sum);
	return 0;
}

void lw_simrun_fini(struct lw_simrun *run)
{
	if (!run->repeat.in_place)
		free(run->jobs);
	run->jobs = NULL;
	lw_procmap_fini(&run->procs);
}
