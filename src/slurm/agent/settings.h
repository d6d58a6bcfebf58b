/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway.yaml as the scheduler plugin uses it. */
#ifndef LW_SLURM_SETTINGS_H
#define LW_SLURM_SETTINGS_H

#include "base/error.h"
#include "base/log.h"
#include "config/config.h"
#include "planner/policies/policy.h"
#include "share/tenants.h"
#include "slurm/apply/recover.h"
#include "slurm/keep/stops.h"
#include "slurm/canary.h"

#include <stdbool.h>

struct lw_settings {
	struct lw_config config;
	const char *source; /* in words; NULL: the file */
};

/*
 * Read the file at PATH. If there is no such file, the settings are the defaults and that is no
 * error. Other failures: -errno with ERR, and *ret_settings is untouched. MISTAKES as in
 * lw_config_load().
 */
int lw_settings_load(const char *path, struct lw_settings *ret_settings,
		     struct lw_mistakes *mistakes, struct lw_error *err);
void lw_settings_default(struct lw_settings *settings);
/* Free all it holds; safe on a zeroed one. */
void lw_settings_fini(struct lw_settings *settings);

/*
 * The settings in force are kept in a save file at PATH. slurmctld reads them from there if it
 * starts with a mistake in the file: since 24.11 each reconfigure is such a start. Both: 0, or
 * -errno with ERR; recall: -ENOENT if nothing was kept. *ret_settings is untouched on failure.
 */
int lw_settings_keep(const struct lw_settings *settings, const char *path, struct lw_error *err);
int lw_settings_recall(const char *path, struct lw_settings *ret_settings, struct lw_error *err);

/* Does the plan choose the number of nodes of jobs that agree (size.mode)? */
bool lw_settings_sizes(const struct lw_settings *settings);
/* Does the policy or the order use predicted run times, and is prediction switched on? */
bool lw_settings_predict(const struct lw_settings *settings);

/* Does Leeway only watch, beside stock? Then no GPU is shared, no job recovered or stopped. */
bool lw_settings_watch(const struct lw_settings *settings);

/* Which jobs are Leeway's, if it does not only watch; with texts of SETTINGS. */
void lw_settings_canary(const struct lw_settings *settings, struct lw_canary *ret_canary);

/* The rules of sharing GPUs. */
void lw_settings_house(const struct lw_settings *settings, struct lw_share_house *ret_house);

/* What is done for jobs that lost a node. */
void lw_settings_recover(const struct lw_settings *settings, struct lw_recover_rules *ret_rules);

/* Which jobs may be stopped. */
void lw_settings_stop(const struct lw_settings *settings, struct lw_stop_rules *ret_rules);

/* The parameters of the policy. */
void lw_settings_policy(const struct lw_settings *settings, struct lw_policy_params *ret_params);
/* Does a plan need expected run times by type of GPU? */
bool lw_settings_by_type(const struct lw_settings *settings);
/* Set the power draw of GPUs in SNAP, if the settings use it. */
void lw_settings_tell_draw(const struct lw_settings *settings, struct lw_snapshot *snap);

#endif
