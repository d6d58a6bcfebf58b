/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what runs, one or several side by side. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/origin.h"

/* EASY, what relaxing its promises brings, what cannot be known, and ours. */
static const char *const standard[] = {
	"easy",
	"sched.policy=relaxed sched.relax=0.1",
	"sched.policy=relaxed sched.relax=0.02 planner.backfill_order=shortest",
	"clairvoyant",
	"leeway",
};

/* Two of one name could not be told apart. */
static int refuse_twins(const struct lw_simspecs *specs, struct lw_error *err)
{
	const char *label = specs->specs[specs->count - 1].label;

	for (uint32_t i = 0; i + 1 < specs->count; i++)
		if (strcmp(specs->specs[i].label, label) == 0)
			return lw_error_set(err, -EINVAL, "two runs are called \"%s\"", label);
	return 0;
}

/* One more, of what MAKE makes of TEXT. */
static int add_spec(struct lw_simspecs *specs, const struct lw_simbase *base, const char *text,
	       int (*make)(const struct lw_simbase *base, const char *text,
			   struct lw_simsettings *ret_settings, struct lw_simspec *ret_spec,
			   struct lw_error *err),
	       struct lw_error *err)
{
	uint32_t i = specs->count;
	int rc;

	if (i == LW_SIM_RUNS_MAX)
		return lw_error_set(err, -EINVAL, "at most %d runs", LW_SIM_RUNS_MAX);
	rc = make(base, text, &specs->settings[i], &specs->specs[i], err);
	if (rc)
		return rc;
	specs->count++;
	return refuse_twins(specs, err);
}

/* A line is a run, unless it is blank or begins with #. */
static int add_file(struct lw_simspecs *specs, const struct lw_simbase *base, const char *path,
		    struct lw_error *err)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	int rc = 0;

	if (!file)
		return lw_error_set(err, -errno, "%s: cannot open: %s", path, strerror(errno));
	lw_origin_add_file(path);
	while (!rc && getline(&line, &room, file) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (line[strspn(line, " \t")] && line[0] != '#')
			rc = add_spec(specs, base, line, lw_simspec_parse, err);
	}
	free(line);
	(void)fclose(file);
	return rc == -EINVAL ? lw_error_prefix(err, rc, "%s: ", path) : rc;
}

int lw_simspecs_add_run(struct lw_simspecs *specs, const struct lw_simbase *base,
			const char *text, struct lw_error *err)
{
	if (*text == '@')
		return add_file(specs, base, text + 1, err);
	return add_spec(specs, base, text, lw_simspec_parse, err);
}

int lw_simspecs_add_standard(struct lw_simspecs *specs, const struct lw_simbase *base,
			     struct lw_error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(standard) / sizeof(standard[0]); i++)
		rc = add_spec(specs, base, standard[i], lw_simspec_parse, err);
	return rc;
}

int lw_simspecs_add_systems(struct lw_simspecs *specs, const struct lw_simbase *base,
			    const char *systems, struct lw_error *err)
{
	char *words = strdup(systems), *rest = words;
	const char *word;
	int rc = 0;

	if (!words)
		return lw_error_set(err, -ENOMEM, "out of memory");
	while (!rc && (word = strsep(&rest, ",")))
		rc = add_spec(specs, base, word, lw_simspec_of_system, err);
	free(words);
	return rc == -EINVAL ? lw_error_prefix(err, rc, "--as: ") : rc;
}
