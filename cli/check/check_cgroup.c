/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: cgroup.conf, which keeps jobs from the GPUs of others. */
#include "cli/check/check.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static bool is_yes(const char *value)
{
	return !strcasecmp(value, "yes") || !strcasecmp(value, "true") ||
	       !strcasecmp(value, "up") || !strcmp(value, "1");
}

static void cgroup_judge(struct lw_check *check, const struct lw_slurmconf *conf,
			 const char *path)
{
	struct lw_check_place place = { path, 0 };
	bool constrained = false;

	for (uint32_t i = 0; i < conf->line_count; i++) {
		const char *value = lw_slurmconf_value(&conf->lines[i], "ConstrainDevices");

		if (!value)
			continue;
		constrained = is_yes(value);
		place = lw_check_at(&conf->lines[i]);
	}
	if (!constrained)
		lw_check_add(
			check, LW_CHECK_WARNING, "cgroup-devices", place,
			"ConstrainDevices is not yes: a job may use the GPUs of the jobs beside "
			"it, and its record shows what others do on its own\n"
			"ConstrainDevices=yes");
}

/* A line of "Key=value" is all that Slurm understands. */
static void check_strays(struct lw_check *check, const struct lw_slurmconf *conf)
{
	for (uint32_t i = 0; i < conf->line_count; i++) {
		if (conf->lines[i].stray)
			lw_check_add(check, LW_CHECK_FATAL, "conf-syntax",
				     lw_check_at(&conf->lines[i]),
				     "\"%s\" is no \"Key=value\": slurmctld does not start\n"
				     "put a # before a comment, and values with blanks in quotes",
				     conf->lines[i].stray);
	}
}

static bool runs_task_cgroup(const struct lw_check *check)
{
	const char *task = lw_check_global(check, "TaskPlugin", NULL);

	return lw_check_listed(task, "task/cgroup") || lw_check_listed(task, "cgroup");
}

/* Only task/cgroup keeps jobs from devices, and only if it is told to. */
static void judge_devices(struct lw_check *check, const struct lw_slurmconf *conf,
			  const char *path)
{
	struct lw_check_place place;
	const char *task = lw_check_global(check, "TaskPlugin", &place);

	if (runs_task_cgroup(check))
		cgroup_judge(check, conf, path);
	else if (task || !check->incomplete)
		lw_check_add(check, LW_CHECK_WARNING, "cgroup-devices", place,
			     "TaskPlugin has no task/cgroup: a job may use the GPUs of the jobs "
			     "beside it, and its record shows what others do on its own\n"
			     "TaskPlugin=%s,task/cgroup, and ConstrainDevices=yes in cgroup.conf",
			     task && !strcasestr(task, "none") ? task : "task/affinity");
}

/* Both end jobs above their memory; slurmctld refuses to start with the two of them. */
static void check_memory_twice(struct lw_check *check, const struct lw_slurmconf *conf)
{
	struct lw_check_place place;
	const char *params = lw_check_global(check, "JobAcctGatherParams", &place);

	if (!params || !strcasestr(params, "OverMemoryKill") || !runs_task_cgroup(check))
		return;
	for (uint32_t i = 0; i < conf->line_count; i++) {
		const char *ram = lw_slurmconf_value(&conf->lines[i], "ConstrainRAMSpace");
		const char *swap = lw_slurmconf_value(&conf->lines[i], "ConstrainSwapSpace");

		if ((!ram || !is_yes(ram)) && (!swap || !is_yes(swap)))
			continue;
		lw_check_add(check, LW_CHECK_FATAL, "key-pair", place,
			     "JobAcctGatherParams=OverMemoryKill, and memory is constrained in "
			     "%s:%u: slurmctld does not start\ntake OverMemoryKill out",
			     conf->lines[i].file, conf->lines[i].number);
		return;
	}
}

void lw_check_cgroup(struct lw_check *check)
{
	struct lw_slurmconf_fault fault = { .file = "" };
	struct lw_slurmconf conf;
	char path[PATH_MAX];
	int rc;

	snprintf(path, sizeof(path), "%.4000s/cgroup.conf", check->conf_dir);
	rc = lw_slurmconf_read(&conf, LW_SLURMCONF_PAIRS, check->root, path, &fault);
	if (rc && rc != -ENOENT) {
		lw_check_unreadable(check, rc, &fault);
	} else {
		/* slurmctld reads it, too, whatever TaskPlugin is */
		lw_check_absent(check, &conf, LW_CHECK_FATAL, "slurmctld");
		check_strays(check, &conf);
		lw_check_table(check, &conf, LW_SLURMKEY_CGROUP, LW_CHECK_FATAL, "slurmctld");
		check_memory_twice(check, &conf);
		if (lw_check_has_gpus(check))
			judge_devices(check, &conf, path);
	}
	lw_slurmconf_fini(&conf);
}
