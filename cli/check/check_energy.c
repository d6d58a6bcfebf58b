/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what select.energy needs of leeway.yaml and slurm.conf. */
#include "cli/check/check.h"

#include <inttypes.h>

#include "cli/common/energy.h"
#include "config/watts.h"

static void warn(struct lw_check *check, const char *key, const char *text)
{
	lw_check_add(check, LW_CHECK_WARNING, "energy-idle", lw_check_at_setting(check, key), "%s",
		     text);
}

/* What leaves all jobs where they would be without it. */
static void check_complete(struct lw_check *check)
{
	const struct lw_config *config = &check->config;
	const char *suspend = lw_check_global(check, "SuspendTime", NULL);

	if (!config->sched_predict)
		warn(check, "energy",
		     "select.energy: on goes by expected run times, and with sched.predict no "
		     "there are none\nsched.predict: yes");
	if (!config->energy_gpu_types)
		warn(check, "energy",
		     "select.energy: on takes all types of GPUs to draw the same: "
		     "energy.gpu_types is empty\nenergy.gpu_types: TYPE:IDLE-BUSY of each type");
	if (!suspend || suspend[0] == '-')
		lw_check_add(check, LW_CHECK_NOTE, "energy-on",
			     lw_check_at_setting(check, "energy"),
			     "select.energy: on leaves nodes empty, and without SuspendTime they "
			     "stay on\nSuspendTime, with SuspendProgram and ResumeProgram");
}

/* One of ALL: is it what counts, and of any use? */
static void check_type(struct lw_check *check, const char *all, const struct lw_gpu_watts *watts)
{
	struct lw_check_place place = lw_check_at_setting(check, "gpu_types");
	struct lw_gpu_watts first;

	if (lw_gpu_watts_find(all, watts->type, &first) &&
	    (first.idle_w != watts->idle_w || first.busy_w != watts->busy_w))
		lw_check_add(check, LW_CHECK_WARNING, "energy-twice", place,
			     "energy.gpu_types has %s twice, and %.0f-%.0f of them counts\n"
			     "one TYPE:IDLE-BUSY of each type",
			     watts->type, first.idle_w, first.busy_w);
	/* if GPUs have no type, or not all nodes are known, this is not known */
	if (!check->incomplete && lw_check_has_gpus(check) &&
	    !lw_check_has_type(check, watts->type))
		lw_check_add(check, LW_CHECK_WARNING, "energy-type", place,
			     "energy.gpu_types has %s, and Gres= of no node has GPUs of that type\n"
			     "the type as Gres=gpu:TYPE:COUNT names it",
			     watts->type);
}

static void check_watts(struct lw_check *check)
{
	const char *all = check->config.energy_gpu_types, *words = all;
	struct lw_gpu_watts watts;
	struct lw_error err;
	uint32_t count = 0;

	while (lw_gpu_watts_next(&words, &watts, &err)) {
		check_type(check, all, &watts);
		count++;
	}
	if (count > LW_ENERGY_TYPES_MAX)
		lw_check_add(check, LW_CHECK_WARNING, "energy-many",
			     lw_check_at_setting(check, "gpu_types"),
			     "energy.gpu_types has %" PRIu32 " types: leeway gpu, report and sim "
			     "tell %d apart, and refuse the file\n"
			     "the types that nodes have",
			     count, LW_ENERGY_TYPES_MAX);
}

void lw_check_energy(struct lw_check *check)
{
	if (check->yaml_bad)
		return;
	check_watts(check);
	if (check->loads && check->config.select_energy)
		check_complete(check);
}
