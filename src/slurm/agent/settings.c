/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway.yaml as the scheduler plugin uses it. */
#include "slurm/agent/settings.h"

#include "base/savefile.h"
#include "config/config.h"
#include "config/watts.h"

#include <errno.h>
#include <stdlib.h>

#define KIND    "settings"
#define VERSION 1

int lw_settings_load(const char *path, struct lw_settings *ret_settings,
		     struct lw_mistakes *mistakes, struct lw_error *err)
{
	struct lw_settings settings = { 0 };
	int rc = lw_config_load(path, &settings.config, mistakes, err);

	if (rc == -ENOENT) {
		lw_settings_default(&settings);
		rc = 0;
	}
	if (!rc)
		*ret_settings = settings;
	return rc;
}

void lw_settings_default(struct lw_settings *settings)
{
	lw_config_default(&settings->config);
	settings->source = "built-in defaults";
}

void lw_settings_fini(struct lw_settings *settings)
{
	lw_config_fini(&settings->config);
}

/*
 * Does TEXT set what SETTINGS are? What could not be read back would be worth nothing on the night
 * it is needed, and must not take the place of what can.
 */
static int settings_check_text(const struct lw_settings *settings, const struct lw_strbuf *text,
			       struct lw_error *err)
{
	struct lw_strbuf changes = LW_STRBUF_INIT;
	struct lw_config back;
	int rc = lw_config_parse_printed("as printed", lw_strbuf_text(text), text->len, &back, err);

	if (rc)
		return rc;
	if (lw_config_diff(&settings->config, &back, &changes))
		rc = lw_error_set(err, -EBADMSG, "they read back as others: %s",
				  lw_strbuf_text(&changes));
	lw_strbuf_fini(&changes);
	lw_config_fini(&back);
	return rc;
}

int lw_settings_keep(const struct lw_settings *settings, const char *path, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	lw_config_print(&settings->config, false, &text);
	rc = text.error ? lw_error_set(err, text.error, "out of memory")
			: settings_check_text(settings, &text, err);
	if (!rc)
		rc = lw_savefile_write(path, KIND, VERSION, lw_strbuf_text(&text), text.len, err);
	lw_strbuf_fini(&text);
	return rc;
}

int lw_settings_recall(const char *path, struct lw_settings *ret_settings, struct lw_error *err)
{
	struct lw_settings settings = { .source = "those in force before" };
	char *text;
	size_t size;
	int rc = lw_savefile_read(path, KIND, VERSION, &text, &size, err);

	if (rc)
		return rc;
	rc = lw_config_parse_printed(path, text, size, &settings.config, err);
	free(text);
	if (!rc)
		*ret_settings = settings;
	return rc;
}

bool lw_settings_watch(const struct lw_settings *settings)
{
	return settings->config.sched_mode == LW_MODE_WATCH;
}

void lw_settings_canary(const struct lw_settings *settings, struct lw_canary *ret_canary)
{
	const struct lw_config *config = &settings->config;

	*ret_canary = (struct lw_canary){ 0 };
	if (!lw_settings_watch(settings))
		*ret_canary = (struct lw_canary){ config->sched_partitions, config->sched_who };
}

void lw_settings_house(const struct lw_settings *settings, struct lw_share_house *ret_house)
{
	const struct lw_config *config = &settings->config;

	ret_house->rule = lw_share_rule_default((enum lw_share_mode)config->share_mode);
	ret_house->rule.tenants_max = config->share_tenants;
	ret_house->rule.mem_max = (uint32_t)(1000 * config->share_memory_limit + 0.5);
	ret_house->mem_mib = config->share_memory_mib;
	ret_house->parts = config->share_parts;
	ret_house->always = config->share_when;
	if (lw_settings_watch(settings))
		ret_house->rule.mode = LW_SHARE_OFF;
}

void lw_settings_recover(const struct lw_settings *settings, struct lw_recover_rules *ret_rules)
{
	const struct lw_config *config = &settings->config;

	*ret_rules = (struct lw_recover_rules){ .mode = (enum lw_recover_mode)config->recover_mode,
						.share = config->recover_share,
						.tries = config->recover_tries };
	if (lw_settings_watch(settings))
		ret_rules->mode = LW_RECOVER_OFF;
}

void lw_settings_stop(const struct lw_settings *settings, struct lw_stop_rules *ret_rules)
{
	const struct lw_config *config = &settings->config;

	*ret_rules = (struct lw_stop_rules){ .mode = (enum lw_stop_mode)config->stop_mode,
					     .who = config->stop_who,
					     .for_jobs = (enum lw_stop_for)config->stop_for,
					     .gain = config->stop_gain,
					     .lease_s = config->stop_lease_s,
					     .back_s = config->stop_back_s,
					     .save_s = config->stop_save_s,
					     .per_day = config->stop_per_day,
					     .share = config->stop_share,
					     .widest = config->stop_widest,
					     .grows = lw_settings_sizes(settings) };
	if (lw_settings_watch(settings))
		ret_rules->mode = LW_STOP_OFF;
}

bool lw_settings_sizes(const struct lw_settings *settings)
{
	const struct lw_config *config = &settings->config;

	return config->size_mode && config->stop_mode == LW_STOP_ON && config->sched_predict &&
	       !lw_settings_watch(settings);
}

bool lw_settings_predict(const struct lw_settings *settings)
{
	const struct lw_config *config = &settings->config;

	return config->sched_predict &&
	       (config->sched_deadlines || config->select_type || config->select_energy ||
		(config->stop_mode && (config->stop_for || config->size_mode)) ||
		lw_policy_has((enum lw_policy_kind)config->sched_policy, LW_PREDICTS) ||
		lw_order_needs((enum lw_order)config->sched_order,
			       LW_NEEDS_EXPECT | LW_NEEDS_ATTAINED | LW_NEEDS_SURVIVAL));
}

void lw_settings_policy(const struct lw_settings *settings, struct lw_policy_params *ret_params)
{
	const struct lw_config *config = &settings->config;

	lw_policy_params_default(ret_params);
	ret_params->kind = (enum lw_policy_kind)config->sched_policy;
#define LW_PARAM_FIELD(field, path, member, counts)                                              \
	ret_params->member = (__typeof__(ret_params->member))config->field;
#include "planner/model/params.def"
	if (!lw_params_count(ret_params, LW_COUNTS_ORDERED))
		ret_params->order_age_s = 0;
}

bool lw_settings_by_type(const struct lw_settings *settings)
{
	return settings->config.select_type || settings->config.select_energy;
}

void lw_settings_tell_draw(const struct lw_settings *settings, struct lw_snapshot *snap)
{
	const struct lw_config *config = &settings->config;

	for (uint32_t type = 0; config->select_energy && type < snap->gpu_type_count; type++) {
		struct lw_gpu_watts watts = { .idle_w = config->energy_gpu_idle_w,
					      .busy_w = config->energy_gpu_busy_w };

		(void)lw_gpu_watts_find(config->energy_gpu_types, snap->gpu_types[type], &watts);
		lw_snapshot_set_draw(snap, type, watts.idle_w, watts.busy_w,
				     config->energy_node_w);
	}
}
