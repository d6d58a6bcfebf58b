/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: write what a cycle changed to disk. */
#include "slurm/agent/save.h"

#include "slurm/agent/forecast.h"
#include "slurm/agent/outlook.h"
#include "slurm/log.h"

#include <time.h>

static void save_promises(const struct lw_agent *agent, int64_t now_s)
{
	struct lw_error err;

	if (lw_promises_save(agent->promises, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "save", now_s, "cannot save promises: %s",
				       err.text);
}

static void save_since(const struct lw_agent *agent, int64_t now_s)
{
	struct lw_error err;

	if (lw_since_save(agent->since, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "since", now_s,
				       "cannot save since when jobs wait: %s", err.text);
}

static void save_failures(const struct lw_agent *agent, int64_t now_s)
{
	struct lw_error err;

	if (lw_failures_save(agent->node_failures, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "failures", now_s,
				       "cannot save which jobs lost a node: %s", err.text);
}

void lw_save_cycle(struct lw_agent *agent)
{
	save_promises(agent, time(NULL));
	save_since(agent, time(NULL));
	save_failures(agent, time(NULL));
	if (agent->left)
		return;
	lw_forecast_save(agent->learn, time(NULL), false);
	lw_tell_save(agent, time(NULL), false);
}
