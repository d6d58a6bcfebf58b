/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what leeway sim is asked for. */
#ifndef LW_LAB_CLI_SIM_SIM_REQUEST_H
#define LW_LAB_CLI_SIM_SIM_REQUEST_H

#include "lab/cli_sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

/* As many --set as there may be, and as many --run. */
#define LW_SIMREQUEST_SETS 60

struct lw_simrequest {
	const char *trace, *as, *config;
	struct lw_simset sets[LW_SIMREQUEST_SETS];
	const char *runs[LW_SIMREQUEST_SETS];
	uint32_t set_count, run_count;
	struct lw_simspecs specs;
	struct lw_simmodels models;
	struct lw_simtrace_options options;
	struct lw_simrepeat repeat;
	struct lw_simenergy energy;
	const char *json, *schedule, *jobs_csv, *print, *html, *svg, *charts;
	bool compare, frontier, quiet;
	bool list, list_settings; /* what there is, and nothing is run */
};

/* -EINVAL with ERR: ARGV has an option of the release before. */
int lw_simrequest_check_gone(int argc, char **argv, struct lw_error *err);

/*
 * Read the options and the name of the trace of ARGV into REQUEST, which is zeroed but for its
 * machine, which is not given. Fails as lw_options_read(), and with -errno and ERR for what is
 * not available.
 */
int lw_simrequest_read(struct lw_simrequest *request, int argc, char **argv,
		       struct lw_error *err);

#endif
