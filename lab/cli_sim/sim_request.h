/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what leeway sim is asked for. */
#ifndef LW_LAB_CLI_SIM_SIM_REQUEST_H
#define LW_LAB_CLI_SIM_SIM_REQUEST_H

#include "lab/cli_sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

/* Options of the policy, kept until the policy is known. */
#define LW_SIMREQUEST_SETTINGS 30

struct lw_simsetting {
	const char *key, *value;
};

struct lw_simrequest {
	const char *trace, *policy, *policies, *as;
	struct lw_simsetting settings[LW_SIMREQUEST_SETTINGS];
	uint32_t setting_count;
	struct lw_simspec spec;
	struct lw_simspecs specs;
	struct lw_simmodels models;
	struct lw_simtrace_options options;
	struct lw_simrepeat repeat;
	struct lw_simenergy energy;
	const char *json, *schedule, *jobs_csv, *print, *html, *svg, *charts;
	bool compare, no_frontier, quiet, list;
};

extern const char lw_simrequest_help[];

/*
 * Read the options and the name of the trace of ARGV into REQUEST, which is zeroed but for its
 * machine, which is not given. Fails as lw_options_read(), and with -errno and ERR for what is
 * not available.
 */
int lw_simrequest_read(struct lw_simrequest *request, int argc, char **argv,
		       struct lw_error *err);

#endif
