/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: energy of jobs as the tools tell it: of their GPUs, and their share of the nodes. */
#include "tools/energy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "tools/chart/origin.h"
#include "tools/setting.h"

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
	return err->text[0] ? lw_error_prefix(err, -EINVAL, "energy.gpu_types: ") : 0;
}

/* Say where KEY stands in the file PATH. */
static int at_setting(const char *path, const char *key, int rc, struct lw_error *err)
{
	uint32_t line = lw_setting_line(path, key);

	return line ? lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", path, line)
		    : lw_error_prefix(err, rc, "%s: ", path);
}

int lw_energy_check_idle(const struct lw_config *config, struct lw_error *err)
{
	if (config->energy_gpu_idle_w <= config->energy_gpu_busy_w)
		return 0;
	return lw_error_set(err, -EINVAL,
			    "energy.gpu_idle_w: %g W is above energy.gpu_busy_w, %g W",
			    config->energy_gpu_idle_w, config->energy_gpu_busy_w);
}

/* What stands in the file PATH as it should, and goes together. */
static int check_watts(const char *path, const struct lw_config *config,
		       struct lw_energy_watts *watts, struct lw_error *err)
{
	int rc = read_types(config->energy_gpu_types, watts, err);

	if (rc)
		return at_setting(path, "gpu_types", rc, err);
	rc = lw_energy_check_idle(config, err);
	if (!rc)
		return 0;
	return at_setting(path, lw_setting_line(path, "gpu_idle_w") ? "gpu_idle_w" : "gpu_busy_w",
			  rc, err);
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
	if (path)
		rc = check_watts(path, &config, ret_watts, err);
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
