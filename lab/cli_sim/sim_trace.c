/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: read a trace or a workload: its jobs, its recipes, and its machine. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nodelist.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "lab/sim/gpumap.h"

static int check_islands(const struct lw_machine *machine, struct lw_error *err)
{
	uint32_t island = machine->gpus_per_island;

	if (!island)
		return 0;
	if (island < LW_ISLAND_GPUS_MIN || island > machine->gpus_per_node)
		return lw_error_set(err, -EDOM,
				    "--gpus-per-island: an island has two GPUs or more, and "
				    "no more than --gpus-per-node");
	if (machine->gpus_per_node > LW_GPUMAP_GPUS)
		return lw_error_set(err, -EDOM,
				    "--gpus-per-island: for nodes of up to 64 GPUs");
	if (machine->type_count)
		return lw_error_set(err, -EDOM, "--gpus-per-island: for nodes of one type");
	return 0;
}

/* Of a machine without nodes: is there an option that needs them? */
static int check_pool(const struct lw_machine *machine, struct lw_error *err)
{
	if (machine->gpus_per_node || machine->cpus_per_node || machine->mem_mib_per_node)
		return lw_error_set(err, -EDOM, "how many nodes? give --nodes");
	if (machine->racks)
		return lw_error_set(err, -EDOM, "--racks: how many nodes? give --nodes");
	if (machine->completing_s)
		return lw_error_set(err, -EDOM,
				    "cluster.completing: a pool has no nodes to close: "
				    "give --nodes");
	return 0;
}

static int machine_check(const struct lw_machine *machine, struct lw_error *err)
{
	int rc = machine->nodes ? 0 : check_pool(machine, err);

	if (rc)
		return rc;
	if (machine->racks && !lw_machine_fills_racks(machine))
		return lw_error_set(err, -EDOM,
				    "--racks: %" PRIu32 " nodes are too few for %" PRIu32
				    " racks of equally many",
				    machine->nodes, machine->racks);
	if (machine->blocks && !machine->racks)
		return lw_error_set(err, -EDOM, "cluster.blocks: how many? give --racks");
	if ((uint64_t)machine->nodes * machine->cpus_per_node > UINT32_MAX)
		return lw_error_set(err, -EDOM, "--nodes: the machine is too large");
	return check_islands(machine, err);
}

static void set_default(uint32_t *value, uint32_t not_said, uint32_t otherwise)
{
	if (*value == not_said)
		*value = otherwise;
}

/* As many CPUs as hold the trace's processors, if these are CPUs and the header counts them. */
static uint32_t cpus_of_swf(const struct lw_machine *machine, const struct lw_swf *swf)
{
	int64_t cpus = (swf->max_procs + machine->nodes - 1) / machine->nodes;

	if (machine->gpus_per_node || swf->max_procs < 1 || cpus > UINT32_MAX)
		return lw_nodes_default_cpus(machine->gpus_per_node);
	return (uint32_t)cpus;
}

int lw_simmachine_of_swf(struct lw_machine *machine, const struct lw_swf *swf, const char *path,
			 struct lw_error *err)
{
	int rc;

	set_default(&machine->gpus_per_node, LW_SIM_NOT_SAID, 0);
	set_default(&machine->mem_mib_per_node, LW_SIM_NOT_SAID, 0);
	if (machine->nodes)
		set_default(&machine->cpus_per_node, 0, cpus_of_swf(machine, swf));
	rc = machine_check(machine, err);
	if (rc || machine->nodes)
		return rc;
	if (swf->max_procs < 1 || swf->max_procs > UINT32_MAX)
		return lw_error_set(err, -EINVAL,
				    "%s: no MaxProcs of 1 to %u in the header: give --nodes and "
				    "--cpus-per-node",
				    path, UINT32_MAX);
	machine->pool = (uint32_t)swf->max_procs;
	return 0;
}

int lw_simmachine_of_workload(struct lw_machine *machine, const struct lw_workload *workload,
			      const char *path, struct lw_error *err)
{
	bool some = machine->nodes || machine->cpus_per_node ||
		    machine->gpus_per_node != LW_SIM_NOT_SAID ||
		    machine->mem_mib_per_node != LW_SIM_NOT_SAID;
	struct lw_machine own = { 0 };

	if (workload->type_count > 1 && some)
		return lw_error_set(err, -EDOM,
				    "%s: its machine has nodes of several types: leave out "
				    "--nodes, --cpus-per-node, --gpus-per-node and --mem-per-node",
				    path);
	if (!workload->type_count && !machine->nodes)
		return lw_error_set(err, -EINVAL,
				    "%s: no machine is said in it, and a workload needs nodes: "
				    "give --nodes, --cpus-per-node and --gpus-per-node",
				    path);
	lw_machine_set_types(&own, workload->types, workload->type_count);
	set_default(&machine->nodes, 0, own.nodes);
	set_default(&machine->gpus_per_node, LW_SIM_NOT_SAID, own.gpus_per_node);
	set_default(&machine->mem_mib_per_node, LW_SIM_NOT_SAID, own.mem_mib_per_node);
	set_default(&machine->cpus_per_node, 0, own.cpus_per_node);
	set_default(&machine->cpus_per_node, 0, lw_nodes_default_cpus(machine->gpus_per_node));
	if (workload->type_count > 1)
		lw_machine_set_types(machine, workload->types, workload->type_count);
	else
		machine->types[0] = own.types[0];
	return machine_check(machine, err);
}

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

/* Of the trace's own jobs nothing else is asked once those to be run are made. */
static int keep_numbers(struct lw_simtrace *trace, struct lw_error *err)
{
	struct lw_swf *swf = &trace->swf;

	trace->numbers = calloc((size_t)swf->job_count + 1, sizeof(*trace->numbers));
	if (!trace->numbers)
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < swf->job_count; i++)
		trace->numbers[i] = swf->jobs[i].number;
	free(swf->jobs);
	swf->jobs = NULL;
	swf->room = 0;
	return 0;
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
	lw_lines_fini(lines);
	if (!rc)
		rc = take_jobs(trace, options, err);
	return rc ? rc : keep_numbers(trace, err);
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
	free(trace->numbers);
	lw_recipes_fini(&trace->recipes);
}

int64_t lw_simtrace_number(const struct lw_simtrace *trace, const struct lw_sim_job *job)
{
	return trace->swf.job_count ? trace->numbers[job->id - 1] : job->id;
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
