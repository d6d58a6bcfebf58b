/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin needs from leeway.yaml. */
#ifndef LW_SLURM_SETTINGS_H
#define LW_SLURM_SETTINGS_H

#include "base/error.h"
#include "policy/policy.h"

#include <stdint.h>

struct lw_sched_settings {
	struct lw_policy_params policy;
	int64_t interval_s;
	char *dump_dir; /* NULL: cycles are not dumped */
	uint32_t dump_keep;
	int log_level;	  /* enum lw_log_level */
	char source[256]; /* for people: the file they come from */
};

/* Plain EASY every 30 s. */
void lw_settings_default(struct lw_sched_settings *settings);
/* Free all it holds; safe on a zeroed one. */
void lw_settings_fini(struct lw_sched_settings *settings);

#endif
