/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: energy of jobs as the tools tell it: of their GPUs, and their share of the nodes. */
#include "tools/energy.h"

#include <stdio.h>

#include "config/config.h"

int lw_energy_read_watts(const char *path, struct lw_energy_watts *ret_watts,
			 struct lw_error *err)
{
	struct lw_config config;
	int rc = 0;

	lw_config_default(&config);
	if (path)
		rc = lw_config_load(path, &config, err);
	if (rc)
		return rc;
	*ret_watts = (struct lw_energy_watts){ config.energy_cpu_w, config.energy_node_w,
					       config.energy_suspended_w,
					       config.energy_gpu_idle_w,
					       config.energy_gpu_busy_w };
	lw_config_fini(&config);
	return 0;
}

void lw_energy_print(double joules, char *buf, size_t size)
{
	static const struct {
		double joules;
		const char *name;
	} units[] = { { 1000 * LW_JOULES_KWH, "MWh" },
		      { LW_JOULES_KWH, "kWh" },
		      { LW_JOULES_KWH / 1000, "Wh" },
		      { 1, "J" } };
	size_t i = 0;
	double value;

	while (i < 3 && joules < units[i].joules)
		i++;
	value = joules / units[i].joules;
	snprintf(buf, size, "%.*f %s", units[i].joules > 1 && value < 99.95 ? 1 : 0, value,
		 units[i].name);
}
