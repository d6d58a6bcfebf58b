/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: by what energy is counted. */
#include "lab/cli_sim/sim.h"

#include <errno.h>

#include "cli/common/origin.h"

int lw_simenergy_check_spec(const struct lw_simenergy *energy, const struct lw_simspec *spec,
			    struct lw_error *err)
{
	if (spec->policy.energy && !energy->wanted)
		return lw_error_set(
			err, -EINVAL,
			"%s: select.energy goes by watts: give --set figures.energy=yes",
			spec->label);
	return 0;
}

int lw_simenergy_read(struct lw_simenergy *energy, const struct lw_energy_model **ret_model,
		      struct lw_error *err)
{
	struct lw_energy_watts *watts = &energy->watts;
	int rc;

	if (!energy->wanted)
		return 0;
	rc = lw_energy_read_watts(energy->config, watts, err);
	if (rc)
		return rc;
	energy->model = (struct lw_energy_model){
		.gpu_idle_w = watts->gpu_idle,
		.gpu_busy_w = watts->gpu_busy,
		.cpu_w = watts->cpu,
		.node_w = watts->node,
		.suspended_w = watts->suspended,
		.suspend_after_s = energy->suspends ? energy->suspend_after_s : -1,
		.resume_s = energy->resume_delay_s,
	};
	for (uint32_t i = 0; i < watts->type_count; i++)
		energy->model.types[energy->model.type_count++] =
			(struct lw_energy_type){ watts->types[i].type, watts->types[i].idle_w,
						 watts->types[i].busy_w };
	*ret_model = &energy->model;
	if (!energy->factors)
		return 0;
	lw_origin_add_file(energy->factors);
	return lw_energy_read_factors(energy->factors, &energy->model, err);
}
