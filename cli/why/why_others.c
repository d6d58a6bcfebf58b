/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why and leeway when: jobs that are not Leeway's to plan (sched.partitions). */
#include "cli/why/why.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "config/config.h"

/* The directory of slurm.conf has it, if this host has it at all. */
static void others_name_file(char path[PATH_MAX])
{
	const char *conf = getenv("SLURM_CONF");
	const char *slash = conf ? strrchr(conf, '/') : NULL;

	if (!slash || snprintf(path, PATH_MAX, "%.*s/leeway.yaml", (int)(slash - conf), conf) >=
			      PATH_MAX)
		snprintf(path, PATH_MAX, "/etc/slurm/leeway.yaml");
}

/* All NAMES, parted by commas, are words of WORDS. */
static bool others_has_all(const char *words, const char *names)
{
	char name[256];

	while (*names) {
		size_t len = strcspn(names, ",");

		if (snprintf(name, sizeof(name), "%.*s", (int)len, names) >= (int)sizeof(name) ||
		    !lw_words_has(words, name))
			return false;
		names += len + (names[len] == ',');
	}
	return true;
}

static bool others_has(const struct lw_why_canary *canary, const struct lw_why_job *job)
{
	return strchr(job->id, '+') ||
	       (canary->partitions && !others_has_all(canary->partitions, job->partition)) ||
	       (canary->qos && !others_has_all(canary->qos, job->qos));
}

void lw_why_canary_read(struct lw_why_canary *ret_canary)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_config config;
	struct lw_error err;
	char path[PATH_MAX];
	int rc;

	*ret_canary = (struct lw_why_canary){ 0 };
	others_name_file(path);
	rc = lw_config_load(path, &config, &mistakes, &err);
	lw_mistakes_fini(&mistakes);
	if (rc)
		return;
	if (config.sched_mode != LW_MODE_WATCH) {
		*ret_canary = (struct lw_why_canary){ config.sched_partitions, config.sched_who };
		config.sched_partitions = config.sched_who = NULL;
	}
	lw_config_fini(&config);
}

void lw_why_canary_fini(struct lw_why_canary *canary)
{
	free(canary->partitions);
	free(canary->qos);
	*canary = (struct lw_why_canary){ 0 };
}

void lw_why_note_others(const struct lw_why_canary *canary, struct lw_why_jobs *jobs)
{
	for (uint32_t i = 0; (canary->partitions || canary->qos) && i < jobs->count; i++)
		jobs->jobs[i].others = jobs->jobs[i].waits && others_has(canary, &jobs->jobs[i]);
}
