/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: published schedulers by name. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <string.h>

#include "cli/common/tools.h"

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

static const char *choices_of(const char *name, size_t len)
{
	for (size_t i = 0; i < SYSTEMS; i++)
		if (strlen(systems[i].name) == len && !memcmp(systems[i].name, name, len))
			return systems[i].choices;
	return NULL;
}

int lw_simsystem_parse(const char *text, struct lw_simspec *ret_spec, struct lw_error *err)
{
	size_t len = strcspn(text, ":");
	const char *choices = choices_of(text, len);
	struct lw_strbuf words = LW_STRBUF_INIT;
	struct lw_simspec spec;
	int rc;

	if (!choices)
		return lw_error_set(err, -EINVAL,
				    "--as: there is no system \"%.*s\"; --as list shows them",
				    (int)(len < 80 ? len : 80), text);
	if (strlen(text) >= sizeof(spec.label))
		return lw_error_set(err, -EINVAL, "--as: \"%.80s...\" is too long", text);
	lw_strbuf_add(&words, "%s%s", choices, text + len);
	rc = words.error ? lw_error_set(err, -ENOMEM, "out of memory")
			 : lw_simspec_parse(lw_strbuf_text(&words), &spec, err);
	lw_strbuf_fini(&words);
	if (rc)
		return rc;
	strcpy(spec.label, text);
	*ret_spec = spec;
	return 0;
}

void lw_simsystems_print(FILE *out)
{
	fprintf(out, "%-14s %-44s %s\n", "name", "made of", "source");
	for (size_t i = 0; i < SYSTEMS; i++)
		fprintf(out, "%-14s %-44s %s\n", systems[i].name, systems[i].choices,
			systems[i].source);
}
