/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: read a trace, and run a policy over it, once or shaken. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "lab/cli_sim/progress.h"

/* Where a run stands among its repetitions. */
struct stand {
	struct lw_progress bar;
	uint32_t turn, turns;
};

/* Why nothing is left of a trace. */
static int no_job(const struct lw_simtrace *trace, const struct lw_simtrace_options *options,
		  struct lw_error *err)
{
	const struct lw_tracejobs *jobs = &trace->jobs;

	if (jobs->dropped_wide || jobs->dropped_unknown)
		return lw_error_set(err, -EINVAL,
				    "%s: no job to simulate: %" PRIu32
				    " wider than the machine, %" PRIu32
				    " without processors or run time",
				    trace->path, jobs->dropped_wide, jobs->dropped_unknown);
	if (trace->swf.skipped)
		return lw_error_set(err, -EINVAL,
				    "%s: no job to simulate: %" PRIu32
				    " bad lines skipped, the first is line %" PRIu32 ": %s",
				    trace->path, trace->swf.skipped, trace->swf.bad_line,
				    trace->swf.bad.text);
	if (options->jobs.last_job)
		return lw_error_set(err, -EINVAL,
				    "%s: no job to simulate: there is none at the places %" PRIu32
				    " to %" PRIu32,
				    trace->path, options->jobs.first_job, options->jobs.last_job);
	return lw_error_set(err, -EINVAL, "%s: no job to simulate", trace->path);
}

/* Figures of half the jobs are figures of another trace. */
static int check_dropped(const struct lw_simtrace *trace, const struct lw_simtrace_options *options,
			 struct lw_error *err)
{
	const struct lw_tracejobs *jobs = &trace->jobs;
	uint64_t dropped = (uint64_t)jobs->dropped_wide + jobs->dropped_unknown;
	uint64_t all = jobs->count + dropped;

	if (!jobs->count)
		return no_job(trace, options, err);
	if (options->allow_dropped || dropped * 100 <= all)
		return 0;
	return lw_error_set(err, -EINVAL,
			    "%s: %" PRIu64 " of %" PRIu64
			    " jobs would be left out, more than 1 %%: %" PRIu32
			    " wider than the machine, %" PRIu32
			    " without processors or run time; --allow-dropped goes on with the "
			    "others",
			    trace->path, dropped, all, jobs->dropped_wide, jobs->dropped_unknown);
}

static int take_jobs(struct lw_simtrace *trace, const struct lw_simtrace_options *options,
		     struct lw_error *err)
{
	struct lw_tracejobs_options wanted = options->jobs;
	int rc = lw_simmachine_of_swf(&wanted.machine, &trace->swf, trace->path, err);

	if (rc)
		return rc;
	trace->machine = wanted.machine;
	if (lw_tracejobs_init(&trace->jobs, &trace->swf, &wanted))
		return lw_error_set(err, -ENOMEM, "out of memory");
	return check_dropped(trace, options, err);
}

/* Of how many sorts of nodes are there at most? The first is there without a type as well. */
static uint32_t sorts_of(const struct lw_machine *machine)
{
	return machine->type_count ? machine->type_count : 1;
}

/* The type of the GPUs of nodes of SORT, if RECIPES have none of that name; else NULL. */
static const char *type_lacking(const struct lw_machine *machine, uint32_t sort,
				const struct lw_recipes *recipes)
{
	const char *type = machine->types[sort].gpu_type;

	return *type && lw_recipes_type(recipes, type) < 0 ? type : NULL;
}

static bool has_type_of(const struct lw_machine *machine, const struct lw_recipes *recipes)
{
	for (uint32_t i = 0; i < sorts_of(machine); i++)
		if (*machine->types[i].gpu_type && !type_lacking(machine, i, recipes))
			return true;
	return false;
}

/* Where nodes have types and RECIPES have none of them, the first; else NULL. */
static const char *all_lacking(const struct lw_machine *machine, const struct lw_recipes *recipes)
{
	const char *first = NULL;

	for (uint32_t i = 0; i < sorts_of(machine) && !first; i++)
		first = type_lacking(machine, i, recipes);
	return has_type_of(machine, recipes) ? NULL : first;
}

/*
 * A job with a missing recipe would run equally fast everywhere, and the user would not see why.
 */
static int take_recipes(struct lw_simtrace *trace, const char *path,
			const struct lw_workload *workload, const struct lw_machine *machine,
			struct lw_error *err)
{
	int rc = lw_recipes_read(path, &trace->recipes, err);
	uint32_t named = 0;

	if (!rc)
		lw_origin_add(path, NULL);
	for (uint32_t i = 0; !rc && i < workload->job_count; i++) {
		const char *name = workload->jobs[i].recipe;

		named += *name != '\0';
		if (*name && !lw_recipes_find(&trace->recipes, name))
			rc = lw_error_set(err, -EINVAL,
					  "%s: job %" PRIu32 ": there is no recipe \"%s\" in %s",
					  trace->path, i + 1, name, path);
	}
	if (!rc && !named && !has_type_of(machine, &trace->recipes))
		rc = lw_error_set(err, -EDOM,
				  "%s: no job names a recipe, and no node a type of GPU, so %s "
				  "would change nothing; leeway generate --recipes makes such a "
				  "workload, lw-workload(5) says how to write it",
				  trace->path, path);
	if (!rc && all_lacking(machine, &trace->recipes))
		rc = lw_error_set(
			err, -EDOM,
			"%s: no type of its nodes, as %s, is in %s: no job that names a "
			"recipe would run; types are called there as in the workload",
			trace->path, all_lacking(machine, &trace->recipes), path);
	trace->recipes_path = path;
	return rc;
}

/* If the type of the GPUs is not given, it is the reference type of the run times. */
static void name_type(struct lw_machine *machine, const struct lw_recipes *recipes)
{
	char *name = machine->types[0].gpu_type;

	if (!machine->type_count && !*name && recipes->type_count)
		snprintf(name, sizeof(machine->types[0].gpu_type), "%s",
			 recipes->types[recipes->reference].name);
}

/* A workload knows CPUs, GPUs and memory apart, so it needs nodes that have them. */
static int take_workload(struct lw_simtrace *trace, const struct lw_simtrace_options *options,
			 struct lw_lines *lines, struct lw_error *err)
{
	struct lw_tracejobs_options wanted = options->jobs;
	struct lw_workload workload;
	int rc = lw_workload_parse(&workload, lines, trace->path, err);

	if (rc)
		return rc;
	rc = lw_simmachine_of_workload(&wanted.machine, &workload, trace->path, err);
	if (!rc && options->recipes)
		rc = take_recipes(trace, options->recipes, &workload, &wanted.machine, err);
	name_type(&wanted.machine, &trace->recipes);
	trace->machine = wanted.machine;
	for (uint32_t i = 0; !options->recipes && i < workload.job_count; i++)
		trace->recipes_untold += *workload.jobs[i].recipe != '\0';
	wanted.recipes = options->recipes ? &trace->recipes : NULL;
	if (!rc && lw_tracejobs_of_workload(&trace->jobs, &workload, &wanted))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc)
		rc = check_dropped(trace, options, err);
	lw_workload_fini(&workload);
	return rc;
}

static int take_trace(struct lw_simtrace *trace, const struct lw_simtrace_options *options,
		      struct lw_lines *lines, struct lw_error *err)
{
	int rc;

	if (options->recipes)
		return lw_error_set(err, -EDOM,
				    "--recipes: the jobs of a trace name none; take a workload "
				    "(leeway generate --recipes makes one)");
	rc = lw_swf_parse(&trace->swf, lines, trace->path, options->lenient, err);
	return rc ? rc : take_jobs(trace, options, err);
}

int lw_simtrace_open(struct lw_simtrace *trace, const char *path,
		     const struct lw_simtrace_options *options, struct lw_error *err)
{
	const char *slash = strrchr(path, '/');
	struct lw_lines lines;
	int rc;

	memset(trace, 0, sizeof(*trace));
	trace->path = path;
	trace->name = slash ? slash + 1 : path;
	/* read once: it may be a pipe */
	rc = lw_lines_open(&lines, path, err);
	if (rc)
		return rc;
	lw_origin_add(path, lines.sha256);
	memcpy(trace->sha256, lines.sha256, sizeof(trace->sha256));
	if (lw_workload_is(&lines))
		rc = take_workload(trace, options, &lines, err);
	else
		rc = take_trace(trace, options, &lines, err);
	lw_lines_fini(&lines);
	if (!rc)
		rc = lw_simshare_open(trace, options, err);
	if (!rc && options->account_shares)
		rc = lw_simaccounts_give(trace, options->account_shares, err);
	if (rc)
		lw_simtrace_close(trace);
	return rc;
}

void lw_simtrace_close(struct lw_simtrace *trace)
{
	lw_sharing_fini(&trace->tenants);
	lw_tracejobs_fini(&trace->jobs);
	lw_swf_fini(&trace->swf);
	lw_recipes_fini(&trace->recipes);
}

int64_t lw_simtrace_number(const struct lw_simtrace *trace, const struct lw_sim_job *job)
{
	return trace->swf.job_count ? trace->swf.jobs[job->id - 1].number : job->id;
}

void lw_simtrace_print_notes(const struct lw_simtrace *trace)
{
	const struct {
		uint32_t count;
		const char *what;
	} lines[] = {
		{ trace->jobs.dropped_wide, "left out as wider than the machine" },
		{ trace->jobs.dropped_unknown, "left out for want of processors or run time" },
		{ trace->jobs.limits_made, "asked for no time, and were given a limit" },
		{ trace->jobs.afters_lost, "waits for jobs that are not there, passed over" },
		{ trace->recipes_untold, "name a recipe, and run as fast everywhere without "
					 "--recipes" },
		{ trace->swf.skipped, "bad lines skipped" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].count)
			fprintf(stderr, "%s: %s: %" PRIu32 "\n", lw_tools_plain(trace->path),
				lines[i].what, lines[i].count);
	}
	for (uint32_t i = 0; trace->recipes_path && i < sorts_of(&trace->machine); i++) {
		const char *lacking = type_lacking(&trace->machine, i, &trace->recipes);

		if (lacking)
			fprintf(stderr,
				"%s: no type %s in %s: no job that names a recipe runs there\n",
				lw_tools_plain(trace->path), lacking, trace->recipes_path);
	}
	if (trace->swf.skipped)
		fprintf(stderr, "%s:%" PRIu32 ": %s\n", lw_tools_plain(trace->path),
			trace->swf.bad_line, trace->swf.bad.text);
}

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

/* Run JOBS once, and time it. */
static int run_once(const struct lw_simtrace *trace, const struct lw_trial *trial,
		    struct lw_sim_job *jobs, struct stand *stand, struct lw_figures *ret_figures)
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
		struct lw_figures figures;
		int rc;

		memcpy(jobs, trace->jobs.jobs, size);
		trial.procs = run->repeat.procs && !stand->turn ? &run->procs : NULL;
		trial.outlook = run->repeat.outlook && !stand->turn ? &run->outlook : NULL;
		if (run->repeat.shakes)
			shake(&run->repeat, stand->turn, jobs, trace->jobs.count);
		rc = run_once(trace, &trial, jobs, stand, &figures);
		if (rc)
			return rc;
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
	run->jobs = calloc(trace->jobs.count, sizeof(*run->jobs));
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
	free(run->jobs);
	run->jobs = NULL;
	lw_procmap_fini(&run->procs);
}
