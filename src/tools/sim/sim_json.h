/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a run of leeway sim as a JSON object, for those that put several together. */
#ifndef LW_TOOLS_SIM_SIM_JSON_H
#define LW_TOOLS_SIM_SIM_JSON_H

#include <jansson.h>

#include "tools/sim/sim.h"

/* A new reference. */
json_t *lw_simrun_make_json(const struct lw_simrun *run, const struct lw_simtrace *trace);

#endif
