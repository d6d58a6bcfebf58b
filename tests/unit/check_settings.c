/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/settings: what was in force is there when it is needed. */
#include "slurm/agent/settings.h"

#include "base/savefile.h"
#include "slurm/canary.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char dir[64], path[96];

static void make(void)
{
	snprintf(dir, sizeof(dir), "/tmp/lw-settings-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/kept", dir);
}

static void destroy(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

/* Keep what TEXT sets, recall it, and see that it is the same. */
static void survives(const char *text, size_t size)
{
	struct lw_settings settings = { 0 }, back = { 0 };
	struct lw_strbuf changes = LW_STRBUF_INIT;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_config_parse("f", text, size, &settings.config, &err), "%s", err.text);
	ck_assert_msg(!lw_settings_keep(&settings, path, &err), "%s", err.text);
	ck_assert_msg(!lw_settings_recall(path, &back, &err), "%s", err.text);
	ck_assert_msg(!lw_config_diff(&settings.config, &back.config, &changes), "%s",
		      lw_strbuf_text(&changes));
	lw_strbuf_fini(&changes);
	lw_settings_fini(&back);
	lw_settings_fini(&settings);
}

static const char *const files[] = {
	"",
	"sched: {policy: easy, relax: 0.25}\n",
	"tag.rules: [{name: 'it''s', patterns: \"a\\\"b|\xc3\xa9\"}]\n",
	/* characters that YAML has no way to write in single quotes */
	"tag.rules: [{name: \"\\x01\"}]\n",
	"tag.rules: [{name: \"a\\nb\"}]\n",
	"tag.rules: [{name: \"\\n--- \"}]\n",
	"tag.rules: [{name: \"\\x7f\"}, {name: \"\\u0085\"}]\n",
	"tag.rules: [{name: \"\\u2028\"}, {name: \"\\uFFFF\"}]\n",
	"tag:\n  rules:\n    - {name: a, place: argument\n\n\"x*|y\"}\n    - {name: s}\n",
	"tag.rules: [{name: a, patterns: [\"b\\tc\", \"\\x1b[2J\"]}]\n",
	"sched.dump_dir: \"/a b\xc3\xa9'c\"\n",
	"topology: {islands: [{nodes: n1, gpus: 4}], domains: [{name: a, nodes: n1}]}\n",
};

FIXTURE(make, destroy);

TEST_EACH(what_is_kept_is_recalled, LW_COUNT_OF(files))
{
	survives(files[_i], strlen(files[_i]));
}

/* Forms of rules that are longer when they are printed. */
static const char *const rules[] = {
	"{name: r,place: program,points: 1,kind: none,patterns: x},", "{off},", "{},",
	"{off: \"''''''''''''''''''''''''''\"},",
};

/* As large as a file may be. */
TEST_EACH(a_full_file_is_recalled, LW_COUNT_OF(rules))
{
	static const char head[] = "tag.rules: [";
	char *text = malloc(LW_CONFIG_BYTES_MAX + 1);
	size_t len = strlen(rules[_i]), size = sizeof(head) - 1;

	ck_assert_ptr_nonnull(text);
	memcpy(text, head, size);
	for (; size + len + 2 <= LW_CONFIG_BYTES_MAX; size += len)
		memcpy(text + size, rules[_i], len);
	text[size++] = ']';
	text[size++] = '\n';
	survives(text, size);
	free(text);
}

TEST(a_canary_is_what_leeway_yaml_lists_unless_it_only_watches)
{
	static const char text[] = "sched: {partitions: a b, who: q}\n";
	struct lw_settings settings = { 0 };
	struct lw_canary canary;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_config_parse("f", text, strlen(text), &settings.config, &err), 0);
	lw_settings_canary(&settings, &canary);
	ck_assert(lw_canary_is_set(&canary));
	ck_assert_str_eq(canary.partitions, "a b");
	ck_assert_str_eq(canary.qos, "q");
	settings.config.sched_mode = LW_MODE_WATCH;
	lw_settings_canary(&settings, &canary);
	ck_assert(!lw_canary_is_set(&canary));
	lw_settings_fini(&settings);
	lw_settings_default(&settings);
	lw_settings_canary(&settings, &canary);
	ck_assert(!lw_canary_is_set(&canary));
}

/* Rules as no file can set them: what was kept before is worth more. */
TEST(what_does_not_read_back_is_not_kept)
{
	struct lw_settings settings = { 0 };
	struct lw_error err = { "" };
	char *data;
	size_t size;

	ck_assert_int_eq(lw_config_parse("f", "sched.policy: easy\n", 19, &settings.config, &err),
			 0);
	ck_assert_int_eq(lw_settings_keep(&settings, path, &err), 0);
	settings.config.sched_dump_dir = strdup("/a\nb");
	ck_assert_int_lt(lw_settings_keep(&settings, path, &err), 0);
	ck_assert_ptr_null(strchr(err.text, '\n'));
	lw_settings_fini(&settings);
	ck_assert_int_eq(lw_savefile_read(path, "settings", 1, &data, &size, &err), 0);
	ck_assert_ptr_nonnull(strstr(data, "easy"));
	free(data);
}

TEST(nothing_was_kept)
{
	struct lw_settings settings = { 0 };
	struct lw_error err;

	ck_assert_int_eq(lw_settings_recall(path, &settings, &err), -ENOENT);
}

/* settings; order, its age; are run times predicted? */
static const struct {
	const char *text;
	enum lw_order order;
	int64_t age_s;
	bool predict;
} orders[] = {
	{ "", LW_ORDER_GIVEN, 0, true },
	{ "sched: {policy: easy, order_age: 2h}\n", LW_ORDER_GIVEN, 0, false },
	{ "sched: {policy: easy, order: wfp3}\n", LW_ORDER_WFP3, 86400, false },
	{ "sched: {policy: easy, order: wfp3, order_age: 2h}\n", LW_ORDER_WFP3, 7200, false },
	/* an order that needs them has them under any policy */
	{ "sched: {policy: easy, order: sjf}\n", LW_ORDER_SJF, 86400, true },
	{ "sched: {policy: easy, order: las2d, las_threshold: 2h}\n", LW_ORDER_LAS2D, 86400, true },
	{ "sched: {policy: easy, order: sjf, predict: no}\n", LW_ORDER_SJF, 86400, false },
};

TEST_EACH(an_order_is_told_to_the_planner, LW_COUNT_OF(orders))
{
	const char *text = orders[_i].text;
	struct lw_settings settings = { 0 };
	struct lw_policy_params params;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_config_parse("f", text, strlen(text), &settings.config, &err), "%s",
		      err.text);
	lw_settings_policy(&settings, &params);
	ck_assert_int_eq(params.order, orders[_i].order);
	ck_assert_int_eq(params.order_age_s, orders[_i].age_s);
	ck_assert_int_eq(params.las_threshold_s,
			 params.order == LW_ORDER_LAS2D ? 7200 : 3200);
	ck_assert_int_eq(params.deadlines, LW_DEADLINES_OFF);
	ck_assert_int_eq(lw_settings_predict(&settings), orders[_i].predict);
	lw_settings_fini(&settings);
}

/* Who can meet a deadline is told by predictions, under any policy. */
TEST(deadlines_are_told_to_the_planner)
{
	const char *text = "sched: {policy: easy, deadlines: guard}\n";
	struct lw_settings settings = { 0 };
	struct lw_policy_params params;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_config_parse("f", text, strlen(text), &settings.config, &err), "%s",
		      err.text);
	lw_settings_policy(&settings, &params);
	ck_assert_int_eq(params.deadlines, LW_DEADLINES_GUARD);
	ck_assert(lw_settings_predict(&settings));
	lw_settings_fini(&settings);
}

/* So are ends by GPU type. */
TEST(types_are_told_to_the_planner)
{
	const char *text = "sched: {policy: easy}\nselect: {type: fair}\n";
	struct lw_settings settings = { 0 };
	struct lw_policy_params params;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_config_parse("f", text, strlen(text), &settings.config, &err), "%s",
		      err.text);
	lw_settings_policy(&settings, &params);
	ck_assert_int_eq(params.types, LW_TYPES_FAIR);
	ck_assert(lw_settings_predict(&settings));
	lw_settings_fini(&settings);
}

/* Which jobs are short is predicted; in watch mode none is stopped. */
TEST(stops_for_short_jobs_are_told)
{
	const char *text = "sched: {policy: easy}\nstop: {mode: on, for: short, gain: 20}\n";
	const char *watch = "sched: {mode: watch}\nstop: {mode: on, for: short}\n";
	struct lw_settings settings = { 0 };
	struct lw_stop_rules stop;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_config_parse("f", text, strlen(text), &settings.config, &err), "%s",
		      err.text);
	lw_settings_stop(&settings, &stop);
	ck_assert_int_eq(stop.mode, LW_STOP_ON);
	ck_assert_int_eq(stop.for_jobs, LW_STOP_FOR_SHORT);
	ck_assert_double_eq(stop.gain, 20);
	ck_assert(lw_settings_predict(&settings));
	lw_settings_fini(&settings);
	ck_assert_msg(!lw_config_parse("f", watch, strlen(watch), &settings.config, &err), "%s",
		      err.text);
	lw_settings_stop(&settings, &stop);
	ck_assert_int_eq(stop.mode, LW_STOP_OFF);
	lw_settings_fini(&settings);
}

TEST(what_chains_may_hold_is_told_to_the_planner)
{
	static const char text[] = "sched: {chain_share: 0.5, chain_total: 0.75, chain_min: 6h}\n";
	struct lw_settings settings = { 0 };
	struct lw_policy_params params, plain;
	struct lw_error err = { "" };

	lw_policy_params_default(&plain);
	ck_assert_int_eq(lw_config_parse("f", "", 0, &settings.config, &err), 0);
	lw_settings_policy(&settings, &params);
	ck_assert_double_eq(params.chain_share, plain.chain_share);
	ck_assert_double_eq(params.chain_total, plain.chain_total);
	ck_assert_int_eq(params.chain_min_s, plain.chain_min_s);
	lw_settings_fini(&settings);
	ck_assert_int_eq(lw_config_parse("f", text, strlen(text), &settings.config, &err), 0);
	lw_settings_policy(&settings, &params);
	ck_assert_double_eq(params.chain_share, 0.5);
	ck_assert_double_eq(params.chain_total, 0.75);
	ck_assert_int_eq(params.chain_min_s, 6 * 3600);
	lw_settings_fini(&settings);
}

/* In a snapshot that says nothing there is no patience; slurmctld has some. */
TEST(when_starts_are_promised_is_told_to_the_planner)
{
	static const char text[] = "sched: {patience: 1.5, keep_promises: no}\n";
	struct lw_settings settings = { 0 };
	struct lw_policy_params params;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_config_parse("f", "", 0, &settings.config, &err), 0);
	lw_settings_policy(&settings, &params);
	ck_assert_double_eq(params.patience, 0.5);
	ck_assert(params.keep_promises);
	lw_settings_fini(&settings);
	ck_assert_int_eq(lw_config_parse("f", text, strlen(text), &settings.config, &err), 0);
	lw_settings_policy(&settings, &params);
	ck_assert_double_eq(params.patience, 1.5);
	ck_assert(!params.keep_promises);
	lw_settings_fini(&settings);
}
