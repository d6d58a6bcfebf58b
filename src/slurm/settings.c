/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin needs from leeway.yaml. */
#include "slurm/settings.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

void lw_settings_default(struct lw_sched_settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	lw_policy_params_default(&settings->policy);
	settings->interval_s = 5;
	settings->dump_keep = 100;
	settings->log_level = LW_LOG_INFO;
	strcpy(settings->source, "built-in defaults");
}

void lw_settings_fini(struct lw_sched_settings *settings)
{
	free(settings->dump_dir);
	settings->dump_dir = NULL;
}
