/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what is known of jobs that may share GPUs. */
#include "tools/sim/sim.h"

#include <errno.h>

#include "tools/chart/origin.h"

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
	bool off = spec->sharing.rule.mode == LW_SHARE_OFF;

	if (off && spec->sharing.way != LW_SHARING_RULE)
		return lw_error_set(err, -EDOM, "%s: --share-by without --share", spec->label);
	if (off)
		return 0;
	if (!trace->machine.nodes || !trace->machine.gpus_per_node)
		return lw_error_set(err, -EDOM,
				    "%s: --share is of GPUs: give --nodes and --gpus-per-node",
				    spec->label);
	if (!trace->tenants.count)
		return lw_error_set(err, -EDOM,
				    "%s: --share needs --tenants FILE (lw-tenants(5)), or a "
				    "workload and --recipes FILE (lw-recipes(5))",
				    spec->label);
	if (trace->recipes.count && trace->machine.type_count > 1)
		return lw_error_set(err, -EDOM,
				    "%s: --share with --recipes is of GPUs of one type, and the "
				    "machine has several",
				    spec->label);
	if (spec->published || spec->one_event || spec->preempt_s)
		return lw_error_set(err, -EDOM,
				    "%s: --share goes with no published rule and no --preempt",
				    spec->label);
	if (spec->runtime != LW_PREDICT_USER && lw_policy_has(spec->policy.kind, LW_FILLS))
		return lw_error_set(err, -EDOM,
				    "%s: --share goes with no policy that believes in run times: "
				    "give --runtime user",
				    spec->label);
	return 0;
}
