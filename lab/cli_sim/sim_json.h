/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what leeway sim found, as JSON. */
#ifndef LW_LAB_CLI_SIM_SIM_JSON_H
#define LW_LAB_CLI_SIM_SIM_JSON_H

#include <jansson.h>

#include "lab/cli_sim/sim.h"

/* New references; NULL: out of memory. */
json_t *lw_simrun_json(const struct lw_simrun *run, const struct lw_simtrace *trace);
/* Of --outlook. */
json_t *lw_simrun_outlook_json(const struct lw_simrun *run);
/* What accounts are to have, {"7": 3}; null for NULL, all the same. */
json_t *lw_simaccounts_json(const char *shares);
json_t *lw_simcompare_json(const struct lw_simcompare *compare);

#endif
