/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim --energy: by what energy is counted. */
#include "tools/sim/sim.h"

#include <errno.h>

#include "tools/energy.h"

int lw_simenergy_check(const struct lw_simenergy *energy, struct lw_error *err)
{
	if (!energy->wanted && (energy->config || energy->suspends || energy->factors))
		return lw_error_set(err, -EINVAL,
				    "--config, --suspend-after and --factors need --energy");
	return 0;
}

int lw_simenergy_read(struct lw_simenergy *energy, const struct lw_energy_model **ret_model,
		      struct lw_error *err)
{
	struct lw_energy_watts watts;
	int rc;

	if (!energy->wanted)
		return 0;
	rc = lw_energy_read_watts(energy->config, &watts, err);
	if (rc)
		return rc;
	energy->model = (struct lw_energy_model){
		.gpu_idle_w = watts.gpu_idle,
		.gpu_busy_w = watts.gpu_busy,
		.cpu_w = watts.cpu,
		.node_w = watts.node,
		.suspended_w = watts.suspended,
		.suspend_after_s = energy->suspends ? energy->suspend_after_s : -1,
	};
	*ret_model = &energy->model;
	return energy->factors ? lw_energy_read_factors(energy->factors, &energy->model, err) : 0;
}
