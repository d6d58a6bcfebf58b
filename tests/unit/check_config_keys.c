/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the table of settings: defaults, bounds, sections, the planner's names. */
#include "config/gpumemory.h"
#include "config/keys.h"
#include "config/keys_print.h"
#include "planner/policies/policy.h"
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(defaults_are_ours)
{
	struct lw_config cfg;

	lw_config_default(&cfg);
	ck_assert_int_eq(cfg.sched_policy, LW_SCHED_LEEWAY);
	ck_assert_ptr_null(cfg.sched_dump_dir);
	ck_assert_int_eq(cfg.log_level, LW_LOG_INFO);
	lw_config_fini(&cfg);
	lw_config_fini(&cfg);
}

TEST(every_default_is_in_its_bounds)
{
	size_t count;
	const struct lw_key *keys = lw_keys(&count);
	struct lw_config cfg, back;

	lw_config_default(&cfg);
	for (size_t i = 0; i < count; i++) {
		struct lw_strbuf value = LW_STRBUF_INIT;
		struct lw_error err = { "" };
		char text[64];
		size_t len;

		lw_key_print(&keys[i], &cfg, &value);
		snprintf(text, sizeof(text), "%s", lw_strbuf_text(&value));
		lw_strbuf_fini(&value);
		if (keys[i].type == LW_KEY_TYPE_PATH || keys[i].type == LW_KEY_TYPE_WORDS ||
		    keys[i].type == LW_KEY_TYPE_RULES ||
		    keys[i].type == LW_KEY_TYPE_DOMAINS || keys[i].type == LW_KEY_TYPE_ISLANDS)
			continue;
		lw_config_default(&back);
		ck_assert_msg(!lw_key_parse(&keys[i], text, &back, &err), "%s: %s", keys[i].path,
			      err.text);
		len = strlen(keys[i].sentence);
		ck_assert_msg(len > 10 && keys[i].sentence[len - 1] == '.', "%s: no sentence",
			      keys[i].path);
		lw_config_fini(&back);
	}
	lw_config_fini(&cfg);
}

TEST(every_key_has_its_section)
{
	size_t count, section_count;
	const struct lw_key *keys = lw_keys(&count);
	const struct lw_section *sections = lw_sections(&section_count);

	for (size_t i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(keys[i].path, "."),
			 keys[i].path);
		ck_assert_msg(lw_section_find(name) != NULL, "%s: no section", keys[i].path);
		ck_assert_msg(strlen(keys[i].path) > strlen(name) + 1, "%s: no word",
			      keys[i].path);
		ck_assert_ptr_eq(lw_key_find(keys[i].path), &keys[i]);
		ck_assert_str_eq(lw_key_nearest(keys[i].path), keys[i].path);
	}
	for (size_t i = 0; i < section_count; i++)
		ck_assert_str_eq(lw_key_nearest(sections[i].name), sections[i].name);
}

/* The value of KEY as a file has it. */
static void is_named(const char *key, struct lw_config *cfg, const char *name)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	lw_key_print(lw_key_find(key), cfg, &text);
	ck_assert_str_eq(lw_strbuf_text(&text), name);
	lw_strbuf_fini(&text);
}

TEST(policies_and_orders_are_those_of_the_planner)
{
	struct lw_config cfg;

	lw_config_default(&cfg);
	is_named("sched.policy", &cfg, "leeway");
	is_named("sched.order", &cfg, "given");
	for (int kind = 0; kind < LW_POLICY_COUNT; kind++) {
		cfg.sched_policy = kind;
		is_named("sched.policy", &cfg, lw_policy_kind_name((enum lw_policy_kind)kind));
	}
	for (int order = 0; order < LW_ORDER_COUNT; order++) {
		cfg.sched_order = order;
		is_named("sched.order", &cfg, lw_order_name((enum lw_order)order));
	}
	lw_config_fini(&cfg);
}

/* Settings unlike the defaults in every key that is no number, so that a lost one shows. */
static const char *const others =
	"sched:\n  partitions: a b\n  who: q\n"
	"  dump_dir: \"/a b/it's: \\u00e9\"\n  metrics: /m.prom\n"
	"select: {gpu_memory: 'k80:11441'}\n"
	"topology:\n  domains:\n  - {name: r, nodes: 'n[1-2]'}\n  - {name: all, nodes: 'n[1-3]'}\n"
	"  islands:\n  - {nodes: 'n[1-3]', gpus: 4}\n"
	"tag:\n  rules:\n  - {name: a, off: yes}\n"
	"  - name: \"it's\"\n    place: program\n    points: -5\n    patterns: [x, y*]\n"
	"energy: {gpu_types: 'k80:25-150'}\n"
	"stop: {who: 'qos:b'}\n"
	"share:\n  where: 'partition:a qos:b'\n  who: account:c\n  gpu_type: a100\n"
	"  opportunistic: scavenger\n  record: /var/x\n";

/* Give KEY, if it is a number, a flag or a choice, another value than its default in CFG. */
static void change_number(const struct lw_key *key, struct lw_config *cfg)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	double other = floor((key->def + key->max) / 2);

	if (key->type >= LW_KEY_TYPE_PATH)
		return;
	if (key->type == LW_KEY_TYPE_BOOL || key->type == LW_KEY_TYPE_ENUM)
		other = key->def > 0 ? 0 : 1;
	else if (key->type == LW_KEY_TYPE_DOUBLE)
		other = key->max - (key->max - key->min) / 4;
	if (other == key->def)
		other = key->min;
	lw_key_print_number(key, other, &text);
	ck_assert_msg(!lw_key_parse(key, lw_strbuf_text(&text), cfg, &err), "%s: %s", key->path,
		      err.text);
	lw_strbuf_fini(&text);
}

TEST_EACH(print_reads_back, 2)
{
	struct lw_strbuf out = LW_STRBUF_INIT, diff = LW_STRBUF_INIT;
	struct lw_config cfg, back, def;
	struct lw_error err = { "" };
	size_t count;
	const struct lw_key *keys = lw_keys(&count);

	lw_config_default(&def);
	ck_assert_int_eq(lw_config_parse("a", others, strlen(others), &cfg, &err), 0);
	for (size_t i = 0; i < count; i++)
		change_number(&keys[i], &cfg);
	ck_assert_uint_eq(lw_config_diff(&def, &cfg, &diff), count);
	lw_config_print(&cfg, _i, &out);
	ck_assert_int_eq(out.error, 0);
	ck_assert_msg(!lw_config_parse("b", lw_strbuf_text(&out), out.len, &back, &err), "%s\n%s",
		      err.text, lw_strbuf_text(&out));
	lw_strbuf_fini(&diff);
	ck_assert_uint_eq(lw_config_diff(&cfg, &back, &diff), 0);
	ck_assert_str_eq(lw_strbuf_text(&diff), "");
	ck_assert((strchr(lw_strbuf_text(&out), '#') != NULL) == (_i == 1));
	lw_config_fini(&back);
	lw_config_fini(&cfg);
	lw_strbuf_fini(&diff);
	lw_strbuf_fini(&out);
}

/* Memory by type: in whatever case, the first, up to a bad word. */
TEST(memory_is_told_by_type)
{
	const char *words = "a100:40960  k80:11441 A100:1 t4:x v100:16384";

	ck_assert_uint_eq(lw_gpu_memory_mib(words, "A100"), 40960);
	ck_assert_uint_eq(lw_gpu_memory_mib(words, "k80"), 11441);
	ck_assert_uint_eq(lw_gpu_memory_mib(words, "v100"), 0);
	ck_assert_uint_eq(lw_gpu_memory_mib(words, "k8"), 0);
	ck_assert_uint_eq(lw_gpu_memory_mib("k80:0", "k80"), 0);
	ck_assert_uint_eq(lw_gpu_memory_mib(NULL, "k80"), 0);
}
