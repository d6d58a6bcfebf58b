/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what is known of jobs that may share GPUs. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <string.h>

#include "cli/common/origin.h"
#include "cli/common/tools.h"

/* What jobs use their recipes say, unless a file of tenants does. */
static int take_recipes(struct lw_simtrace *trace, struct lw_error *err)
{
	int type = lw_recipes_type(&trace->recipes, trace->machine.types[0].gpu_type);

	if (lw_sharing_of_recipes(&trace->recipes, type, &trace->tenants))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < trace->jobs.count; i++) {
		struct lw_sim_job *job = &trace->jobs.jobs[i];

		if (job->recipe)
			job->application = (uint32_t)(job->recipe - trace->recipes.recipes);
	}
	return 0;
}

int lw_simshare_open(struct lw_simtrace *trace, const struct lw_simtrace_options *options,
		     struct lw_error *err)
{
	int rc;

	if (!options->tenants && !trace->recipes.count)
		return 0;
	trace->tenants_path = options->tenants;
	if (options->tenants)
		lw_origin_add_file(options->tenants);
	rc = options->tenants ? lw_sharing_read(options->tenants, &trace->tenants, err)
			      : take_recipes(trace, err);
	if (!rc && options->tenant_runs &&
	    lw_sharing_observe(&trace->tenants, options->tenant_runs, options->tenant_noise,
			       options->tenant_seed))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	return rc;
}

int lw_simshare_check(const struct lw_simspec *spec, const struct lw_simtrace *trace,
		      struct lw_error *err)
{
	if (spec->sharing.rule.mode == LW_SHARE_OFF)
		return 0;
	if (!trace->machine.nodes || !trace->machine.gpus_per_node)
		return lw_error_set(err, -EDOM,
				    "%s: share.mode is of GPUs: give --nodes and --gpus-per-node",
				    spec->label);
	if (!trace->tenants.count)
		return lw_error_set(err, -EDOM,
				    "%s: share.mode needs --tenants FILE (lw-tenants(5)), or a "
				    "workload and --recipes FILE (lw-recipes(5))",
				    spec->label);
	if (trace->recipes.count && trace->machine.type_count > 1)
		return lw_error_set(
			err, -EDOM,
			"%s: share.mode with --recipes is of GPUs of one type, and the "
			"machine has several",
			spec->label);
	if (spec->published || spec->one_event)
		return lw_error_set(
			err, -EDOM, "%s: share.mode goes with no published rule", spec->label);
	if (spec->runtime != LW_PREDICT_USER && lw_policy_has(spec->policy.kind, LW_FILLS))
		return lw_error_set(err, -EDOM,
				    "%s: share.mode goes with no policy that believes in run "
				    "times: give sim.runtime=user",
				    spec->label);
	return 0;
}

/* ---- why no job shared ---- */

/* Of the jobs for one GPU. */
struct sharers {
	uint32_t all, known; /* there are, and are of a kind */
	uint32_t told;       /* of a kind of which all is known that the way goes by */
};

static bool goes_by_memory(const struct lw_sharing *sharing)
{
	return sharing->way == LW_SHARING_RULE || sharing->way == LW_SHARING_LEARNED;
}

static bool goes_by_sm(const struct lw_sharing *sharing)
{
	return sharing->rule.mode == LW_SHARE_MPS && goes_by_memory(sharing);
}

static bool is_told(const struct lw_sharing *sharing, const struct lw_share_use *known)
{
	if (goes_by_memory(sharing) && !known->has_mem)
		return false;
	switch (sharing->way) {
	case LW_SHARING_TABLE:
	case LW_SHARING_ANY:
	case LW_SHARING_TRIAL:
		return true;
	default:
		return goes_by_sm(sharing) ? known->has_sm : known->has_util;
	}
}

static struct sharers count_sharers(const struct lw_sharing *sharing,
				    const struct lw_simtrace *trace)
{
	struct sharers sharers = { 0 };

	for (uint32_t i = 0; i < trace->jobs.count; i++) {
		const struct lw_sim_job *job = &trace->jobs.jobs[i];
		const struct lw_sharing_kind *kind =
			lw_sharing_find(&trace->tenants, job->application);

		if (!lw_sharing_wants_one(&job->request))
			continue;
		sharers.all++;
		sharers.known += kind != NULL;
		sharers.told += kind && is_told(sharing, &kind->known);
	}
	return sharers;
}

/* Why no job is of a kind. */
static const char *why_unknown(const struct lw_simtrace *trace)
{
	if (!trace->tenants_path)
		return "no job for one GPU names a recipe: leeway generate --recipes makes such a "
		       "workload, lw-workload(5) says how to write it";
	if (!trace->swf.job_count)
		return "kinds are application numbers of a trace, and jobs of a workload have "
		       "none: give --recipes without --tenants";
	return "no job for one GPU has an application number, field 14, that is a kind there";
}

static const char *why_nobody(const struct lw_sharing *sharing, const struct lw_simtrace *trace)
{
	struct sharers sharers = count_sharers(sharing, trace);

	if (!sharers.all)
		return "no job is for one GPU, and no others share";
	if (!sharers.known)
		return why_unknown(trace);
	if (sharing->way == LW_SHARING_TABLE && !trace->tenants.pairs.count)
		return "there is no pair, by which alone the way table goes: add pairs to a file "
		       "of --tenants, or take another sim.share_by";
	if (goes_by_memory(sharing) && !trace->tenants.mem_mib)
		return "the memory of a GPU is not said, so that no job fits: add it";
	if (!sharers.told && goes_by_sm(sharing))
		return "of no job for one GPU SM activity and memory are known: add them";
	if (!sharers.told)
		return "of no job for one GPU utilisation and memory are known: add them";
	return "no job waited, or no waiting job fitted beside another";
}

void lw_simshare_print_note(const struct lw_simrun *run, const struct lw_simtrace *trace)
{
	const char *path = trace->tenants_path ? trace->tenants_path : trace->recipes_path;

	if (run->spec.sharing.rule.mode == LW_SHARE_OFF || run->mean.value[LW_FIGURE_SHARED] > 0)
		return;
	fprintf(stderr, "%s: no job shared a GPU by %s: %s\n", run->spec.label,
		lw_tools_plain(path), why_nobody(&run->spec.sharing, trace));
}
