/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: the trained nets that policies go by. */
#include "lab/cli_sim/sim.h"

#include <errno.h>

#include "cli/common/origin.h"
#include "lab/sim/model_file.h"

int lw_simmodels_load(struct lw_simmodels *models, const char *path, struct lw_error *err)
{
	struct lw_model model;
	int rc = lw_model_load(path, &model, err);

	/* the file is at fault, not the command line */
	if (rc)
		return rc == -EINVAL ? -EIO : rc;
	lw_origin_add_file(path);
	if (models->given[model.net.kind])
		return lw_error_set(err, -EINVAL, "--model: %s is a second model of the kind %s",
				    path, lw_net_kind_name(model.net.kind));
	models->models[model.net.kind] = model;
	models->given[model.net.kind] = true;
	return 0;
}

int lw_simspec_take_models(struct lw_simspec *spec, const struct lw_simmodels *models,
			   bool used[LW_NET_KINDS], struct lw_error *err)
{
	const bool wants[LW_NET_KINDS] = {
		[LW_NET_ORDER] = spec->policy.order == LW_ORDER_OUTSIDE,
		[LW_NET_INSPECTOR] = spec->inspects,
	};

	for (unsigned kind = 0; kind < LW_NET_KINDS; kind++) {
		const char *name = lw_net_kind_name((enum lw_net_kind)kind);

		if (wants[kind] && !models->given[kind])
			return lw_error_set(err, -EINVAL,
					    "%s goes by a net: give --model FILE, which leeway "
					    "train %s makes",
					    spec->label, name);
		used[kind] |= wants[kind];
	}
	if (wants[LW_NET_ORDER])
		spec->nets.order = &models->models[LW_NET_ORDER].net;
	if (wants[LW_NET_INSPECTOR])
		spec->nets.inspector = &models->models[LW_NET_INSPECTOR].net;
	return 0;
}

int lw_simmodels_check(const struct lw_simmodels *models, const bool used[LW_NET_KINDS],
		       struct lw_error *err)
{
	if (models->given[LW_NET_ORDER] && !used[LW_NET_ORDER])
		return lw_error_set(
			err, -EINVAL,
			"--model: nothing goes by its order: give sched.order=learned");
	if (models->given[LW_NET_INSPECTOR] && !used[LW_NET_INSPECTOR])
		return lw_error_set(
			err, -EINVAL,
			"--model: nothing goes by its inspector: give sim.inspector=learned");
	return 0;
}
