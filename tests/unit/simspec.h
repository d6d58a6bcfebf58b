/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests: a run of leeway sim as its text, with no settings before it. */
#ifndef LW_UNIT_SIMSPEC_H
#define LW_UNIT_SIMSPEC_H

#include "lab/cli_sim/sim.h"

static inline int parse_run(const char *text, struct lw_simspec *ret_spec, struct lw_error *err)
{
	struct lw_simbase base = { .set_count = 0 };
	struct lw_simsettings settings;
	int rc;

	lw_simsettings_default(&base.settings);
	rc = lw_simspec_parse(&base, text, &settings, ret_spec, err);
	return rc ? rc : lw_simsettings_check(&settings, 1, err);
}

#endif
