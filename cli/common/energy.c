/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: energy of jobs as the tools tell it: of their GPUs, and their share of the nodes. */
#include "cli/common/energy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/common/origin.h"
#include "cli/common/setting.h"

static int read_types(const char *words, struct lw_energy_watts *watts, struct lw_error *err)
{
	struct lw_gpu_watts type;

	while (lw_gpu_watts_next(&words, &type, err)) {
		if (watts->type_count == LW_ENERGY_TYPES_MAX)
			return lw_error_set(err, -E2BIG,
					    "energy.gpu_types: %s is one more than the %d types "
					    "that are told apart",
					    type.type, LW_ENERGY_TYPES_MAX);
		watts->types[watts->type_count++] = type;
	}
	return 0;
}

int lw_energy_read_watts(const char *path, struct lw_energy_watts *ret_watts,
			 struct lw_error *err)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_config config;
	int rc = 0;

	lw_config_default(&config);
	if (path)
		rc = lw_config_load(path, &config, &mistakes, err);
	lw_mistakes_fini(&mistakes);
	if (rc)
		return rc;
	if (path)
		lw_origin_add_file(path);
	*ret_watts = (struct lw_energy_watts){ .cpu = config.energy_cpu_w,
					       .node = config.energy_node_w,
					       .suspended = config.energy_suspended_w,
					       .gpu_idle = config.energy_gpu_idle_w,
					       .gpu_busy = config.energy_gpu_busy_w };
	rc = read_types(config.energy_gpu_types, ret_watts, err);
	if (rc)
		rc = lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", path,
				     lw_setting_line(path, "gpu_types"));
	lw_config_fini(&config);
	return rc;
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
