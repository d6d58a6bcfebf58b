/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what is known of jobs that may share GPUs. */
#include "tools/sim/sim.h"

#include <errno.h>

#include "tools/chart/origin.h"

int lw_simshare_open(struct lw_simtrace *trace, const struct lw_simtrace_options *options,
		     struct lw_error *err)
{
	int rc;

	if (!options->tenants)
		return 0;
	rc = lw_sharing_read(options->tenants, &trace->tenants, err);
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
				    "%s: --share needs --tenants FILE (lw-tenants(5))",
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
