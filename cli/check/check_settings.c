/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: leeway.yaml. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "cli/common/origin.h"
#include "cli/common/setting.h"
#include "tagger/tag.h"

static void add_refused(struct lw_check *check, uint32_t line, const char *what)
{
	struct lw_check_place place = { check->yaml_path, line };

	lw_check_add(
		check, LW_CHECK_ERROR, "yaml", place,
		"%s\nnone of the file is taken until this is right; leeway.yaml(5) has all keys",
		what);
}

struct lw_check_place lw_check_at_setting(const struct lw_check *check, const char *key)
{
	char real[PATH_MAX];

	lw_check_path(check, check->yaml_path, real);
	return (struct lw_check_place){ check->yaml_path, lw_setting_line(real, key) };
}

static void check_dump_dir(struct lw_check *check)
{
	struct lw_check_place place = lw_check_at_setting(check, "dump_dir");
	const char *dir = check->config.sched_dump_dir;
	const char *user = lw_check_global(check, "SlurmUser", NULL) ?: "root";
	struct lw_check_obstacle obstacle;
	char real[PATH_MAX];
	struct stat st;

	if (!dir)
		return;
	if (stat(lw_check_path(check, dir, real), &st) || !S_ISDIR(st.st_mode))
		lw_check_add(check, LW_CHECK_WARNING, "dump-dir", place,
			     "sched.dump_dir: %s is not there: no cycle is written\n"
			     "install -d -o %s %s",
			     dir, user, dir);
	else if (!lw_check_allows(check, dir, W_OK | X_OK, &obstacle))
		lw_check_add(
			check, LW_CHECK_WARNING, "dump-dir", place,
			"sched.dump_dir: SlurmUser %s may not write to %s, by owner and mode "
			"of %s: no cycle is written\n%s %s",
			user, dir, obstacle.path, obstacle.remedy, obstacle.path);
}

/* slurmctld then plans by the defaults, or by what it had. */
static void check_readable(struct lw_check *check, struct lw_check_place place)
{
	struct lw_check_obstacle obstacle;

	if (!lw_check_allows(check, place.file, R_OK, &obstacle))
		lw_check_add(check, LW_CHECK_ERROR, "yaml-unreadable", place,
			     "SlurmUser %s may not read it, by owner and mode of %s: none of its "
			     "settings is taken\n%s %s",
			     check->user.name, obstacle.path, obstacle.remedy, obstacle.path);
}

/* A file beside it that may have been meant as leeway.yaml. */
static bool is_misnamed(const struct lw_check *check, const char *path, char *ret_other)
{
	static const char *const suffixes[] = { "yml", "yaml.txt", "conf" };
	char real[PATH_MAX];
	struct stat st;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(ret_other, PATH_MAX, "%.*s%s", (int)(strlen(path) - strlen("yaml")),
			 path, suffixes[i]);
		if (!stat(lw_check_path(check, ret_other, real), &st))
			return true;
	}
	return false;
}

static void report_missing(struct lw_check *check, struct lw_check_place place)
{
	char other[PATH_MAX];

	if (is_misnamed(check, place.file, other))
		lw_check_add(check, LW_CHECK_WARNING, "yaml-name", place,
			     "is not there, and %s is not read: Leeway plans by its defaults\n"
			     "mv %s %s",
			     other, other, place.file);
	else
		lw_check_add(
			check, LW_CHECK_NOTE, "yaml-missing", place,
			"is not there: Leeway plans by its defaults\n"
			"copy the commented example of the documentation here to change that");
}

static void add_unused(struct lw_check *check, const char *path, const char *why)
{
	lw_check_add(check, LW_CHECK_WARNING, "yaml-unused",
		     lw_check_at_setting(check, path),
		     "%s: %s\ntake it out, or change the other", path, why);
}

/* Why nothing is stopped for any job of stop.for; NULL: something may be. */
static const char *stop_for_unused(const struct lw_config *config)
{
	if (!config->stop_mode)
		return "does nothing without stop.mode";
	if (lw_policy_has((enum lw_policy_kind)config->sched_policy, LW_RESERVES_ALL))
		return "does nothing under sched.policy: conservative";
	if (config->stop_for == LW_STOP_FOR_DEADLINE && !config->sched_deadlines)
		return "does nothing without sched.deadlines";
	return config->stop_share > 0 ? NULL : "does nothing with stop.share: 0";
}

static void check_unused_stop(struct lw_check *check, const struct lw_config *plain)
{
	const struct lw_config *config = &check->config;
	const char *why = config->stop_for ? stop_for_unused(config) : NULL;

	if (why)
		add_unused(check, "stop.for", why);
	if (config->stop_gain != plain->stop_gain &&
	    !(config->stop_for & (LW_STOP_FOR_SHORT | LW_STOP_FOR_GANG)))
		add_unused(check, "stop.gain", "does nothing without stop.for: short or gang");
	if (config->stop_widest != plain->stop_widest && !(config->stop_for & LW_STOP_FOR_SHORT))
		add_unused(check, "stop.widest", "does nothing without stop.for: short");
	if (config->size_mode && config->stop_mode != LW_STOP_ON)
		add_unused(check, "size.mode", "does nothing without stop.mode: on");
	else if (config->size_mode && !config->sched_predict)
		add_unused(check, "size.mode", "does nothing without sched.predict");
}

/* What was set, and does nothing beside the rest. */
static void check_unused(struct lw_check *check)
{
	const struct lw_config *config = &check->config;
	struct lw_policy_params params;
	struct lw_config plain;

	lw_config_default(&plain);
	params.kind = (enum lw_policy_kind)config->sched_policy;
#define LW_PARAM_FIELD(field, path, member, counts)                                              \
	params.member = (__typeof__(params.member))config->field;
#include "planner/model/params.def"
#define LW_PARAM_FIELD(field, path, member, counts)                                              \
	if (config->field != plain.field &&                                                      \
	    (counts == LW_COUNTS_CHAINS ? !config->sched_chain                                   \
					: !lw_params_count(&params, counts)))                    \
		add_unused(check, path, lw_counts_when(counts));
#include "planner/model/params.def"
	check_unused_stop(check, &plain);
	if (config->sched_min_interval_s > config->sched_interval_s)
		add_unused(check, "sched.min_interval",
			   "is longer than sched.interval, after which a cycle comes anyway");
}

static void add_rule_left_out(void *arg, unsigned line, const char *text)
{
	struct lw_check *check = arg;
	struct lw_check_place place = { check->yaml_path, line };

	lw_check_add(check, LW_CHECK_WARNING, "yaml-rule", place,
		     "tag.rules: %s; this rule is left out\n"
		     "correct it; leeway tag --rules=%s shows what the others make of a script",
		     text, check->yaml_path);
}

/* What is wrong with the file, one by one; ERR where it could not be read at all, as REAL. */
static void add_mistakes(struct lw_check *check, const struct lw_mistakes *mistakes,
			 const char *real, const struct lw_error *err)
{
	size_t len = strlen(real);
	bool named = strncmp(err->text, real, len) == 0 && err->text[len] == ':';

	for (uint32_t i = 0; i < mistakes->count; i++) {
		const struct lw_mistake *mistake = &mistakes->mistake[i];

		if (mistake->rule)
			add_rule_left_out(check, mistake->line, mistake->what);
		else
			add_refused(check, mistake->line, mistake->what);
	}
	if (check->yaml_bad && !mistakes->count)
		add_refused(check, 0, err->text + (named ? len + 2 : 0));
}

/* The site's rules of tags; without one of them the rest of the file stands. */
static void check_rules(struct lw_check *check)
{
	struct lw_tag_rules *rules = NULL;

	if (!check->config.tag_rules.rules)
		return;
	if (lw_tag_rules_create(&rules)) {
		check->error = -ENOMEM;
		return;
	}
	lw_tag_rules_take(rules, &check->config.tag_rules, add_rule_left_out, check);
	lw_tag_rules_destroy(rules);
}

/* What a file says that was taken. */
static void check_taken(struct lw_check *check, struct lw_check_place place)
{
	check_readable(check, place);
	check_dump_dir(check);
	lw_check_metrics(check);
	check_unused(check);
	check_rules(check);
}

void lw_check_settings(struct lw_check *check)
{
	static const char name[] = "/leeway.yaml";
	/* lives in the check, as places do */
	const char *path = check->yaml_path;
	struct lw_check_place place = { path, 0 };
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_error err = { "" };
	char real[PATH_MAX];
	int rc;

	snprintf(check->yaml_path, PATH_MAX, "%.*s%s", (int)(PATH_MAX - sizeof(name)),
		 check->conf_dir, name);
	rc = lw_config_load(lw_check_path(check, path, real), &check->config, &mistakes, &err);
	if (rc == -ENOENT) {
		report_missing(check, place);
		return;
	}
	lw_origin_add_file(real);
	if (rc == -ENOMEM)
		check->error = rc;
	check->yaml_bad = rc != 0;
	add_mistakes(check, &mistakes, real, &err);
	if (!rc)
		check_taken(check, place);
	lw_mistakes_fini(&mistakes);
}
