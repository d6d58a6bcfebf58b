/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all mistakes of a leeway.yaml, one by one. */
#include "config/mistakes.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_mistakes_fini(struct lw_mistakes *mistakes)
{
	for (uint32_t i = 0; i < mistakes->count; i++)
		free(mistakes->mistake[i].what);
	free(mistakes->mistake);
	memset(mistakes, 0, sizeof(*mistakes));
}

void lw_mistakes_add(struct lw_mistakes *mistakes, unsigned line, bool rule, const char *what)
{
	struct lw_mistake added = { .line = line, .rule = rule, .what = strdup(what) };

	if (!added.what ||
	    lw_grow((void **)&mistakes->mistake, &mistakes->room, mistakes->count + 1,
		    sizeof(added))) {
		free(added.what);
		mistakes->error = -ENOMEM;
		return;
	}
	mistakes->mistake[mistakes->count++] = added;
}

void lw_mistakes_log(const struct lw_mistakes *mistakes, const char *file,
		     const struct lw_error *first, const char *outcome, const struct lw_log *log)
{
	uint32_t refused = 0;

	lw_log_error(log, "%s; %s", first->text, outcome);
	for (uint32_t i = 0; i < mistakes->count; i++) {
		const struct lw_mistake *mistake = &mistakes->mistake[i];

		refused += !mistake->rule;
		if (!mistake->rule && refused > 1 && refused <= LW_MISTAKES_LOGGED)
			lw_log_error(log, "%s:%u: %s", file, mistake->line, mistake->what);
	}
	if (refused > LW_MISTAKES_LOGGED)
		lw_log_error(log, "%s: and %u more; leeway check names them all", file,
			     refused - LW_MISTAKES_LOGGED);
}
