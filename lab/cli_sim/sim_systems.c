/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: published schedulers by name. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name, *choices, *source;
} systems[] = {
#define LW_SYSTEM(name, choices, source) { name, choices, source },
#include "lab/cli_sim/systems.def"
};

#define SYSTEMS (sizeof(systems) / sizeof(systems[0]))

const char lw_sim_systems[] = "list"
#define LW_SYSTEM(name, choices, source) " " name
#include "lab/cli_sim/systems.def"
	;

static const char *choices_of(const char *name)
{
	for (size_t i = 0; i < SYSTEMS; i++)
		if (!strcmp(systems[i].name, name))
			return systems[i].choices;
	return NULL;
}

bool lw_simsystem_is(const char *name)
{
	return choices_of(name) != NULL;
}

int lw_simsystem_set(struct lw_simsettings *settings, const char *name, struct lw_error *err)
{
	const char *choices = choices_of(name);
	char words[LW_SIM_SETTINGS];

	if (!choices)
		return lw_error_set(err, -EINVAL,
				    "there is no system \"%.80s\"; --as list shows them", name);
	snprintf(words, sizeof(words), "%s", choices);
	return lw_simsettings_set_words(settings, words, LW_SIM_BY_DEFAULT, err);
}

void lw_simsystems_print(FILE *out)
{
	fprintf(out, "%-14s %-60s %s\n", "name", "made of", "source");
	for (size_t i = 0; i < SYSTEMS; i++)
		fprintf(out, "%-14s %-60s %s\n", systems[i].name, systems[i].choices,
			systems[i].source);
}
