/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: write what a cycle changed to disk. */
#include "slurm/agent/save.h"

#include "slurm/agent/forecast.h"
#include "slurm/agent/outlook.h"
#include "slurm/log.h"

#include <time.h>

/* What a save returned; its error is logged under KEY, seldom. */
static void save_heed(int rc, const struct lw_error *err, const char *key, const char *what)
{
	if (rc)
		lw_slurm_log_throttled(LW_LOG_ERROR, key, time(NULL), "cannot save %s: %s", what,
				       err->text);
}

void lw_save_cycle(struct lw_agent *agent)
{
	struct lw_error err;

	save_heed(lw_promises_save(agent->promises, &err), &err, "save", "promises");
	save_heed(lw_since_save(agent->since, &err), &err, "since", "since when jobs wait");
	save_heed(lw_failures_save(agent->node_failures, &err), &err, "failures",
		  "which jobs lost a node");
	save_heed(lw_suspects_save(agent->suspects, &err), &err, "suspects", "which nodes failed");
	save_heed(lw_stops_save(agent->stops, &err), &err, "stops", "which jobs were stopped");
	if (agent->left)
		return;
	lw_forecast_save(agent->learn, time(NULL), false);
	lw_tell_save(agent, time(NULL), false);
}
