/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: several policies side by side, as one list. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* EASY, relaxed promises, an unreachable best case, and leeway. */
static const char standard[] = "easy,relaxed:relax=0.1,"
			       "relaxed:relax=0.02:backfill-order=shortest,clairvoyant,leeway";

/* Two of one name could not be told apart. */
static int refuse_twins(const char *option, const struct lw_simspecs *specs, struct lw_error *err)
{
	bool may_label = strcmp(option, "policies") == 0;

	for (uint32_t i = 0; i < specs->count; i++)
		for (uint32_t k = 0; k < i; k++)
			if (strcmp(specs->specs[i].label, specs->specs[k].label) == 0)
				return lw_error_set(err, -EINVAL, "--%s: two are called \"%s\"%s",
						    option, specs->specs[i].label,
						    may_label ? ": give one another name by LABEL="
							      : "");
	return 0;
}

static int parse_list(const char *option, const char *list,
		      int (*parse)(const char *text, struct lw_simspec *ret_spec,
				   struct lw_error *err),
		      struct lw_simspecs *ret_specs, struct lw_error *err)
{
	char *words = strdup(list), *rest = words;
	const char *word;
	int rc = 0;

	ret_specs->count = 0;
	if (!words)
		return lw_error_set(err, -ENOMEM, "out of memory");
	while (!rc && (word = strsep(&rest, ","))) {
		if (ret_specs->count == LW_SIM_RUNS_MAX)
			rc = lw_error_set(err, -EINVAL, "--%s: at most %d", option,
					  LW_SIM_RUNS_MAX);
		else
			rc = parse(word, &ret_specs->specs[ret_specs->count++], err);
	}
	free(words);
	return rc ? rc : refuse_twins(option, ret_specs, err);
}

int lw_simspecs_parse(const char *policies, struct lw_simspecs *ret_specs, struct lw_error *err)
{
	return parse_list("policies", policies ? policies : standard, lw_simspec_parse, ret_specs,
			  err);
}

int lw_simspecs_parse_systems(const char *systems, struct lw_simspecs *ret_specs,
			      struct lw_error *err)
{
	return parse_list("as", systems, lw_simsystem_parse, ret_specs, err);
}
