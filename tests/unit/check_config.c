/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of src/config: what is taken, what is refused, and with which words. */
#include "config/config.h"
#include "config/keys.h"
#include "planner/policies/policy.h"
#include "unit/unit.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Text that is taken, and how it differs from the defaults. */
static const struct {
	const char *yaml;
	const char *diff;
} taken[] = {
	{ "", "" },
	{ "\n\n", "" },
	{ "# nothing but a comment\n", "" },
	{ "---\n", "" },
	{ "---\n...\n", "" },
	{ "{}", "" },
	{ "\xef\xbb\xbf", "" },
	{ "sched:\n", "" },
	{ "sched:\n  # policy: fcfs\nlog:\n", "" },
	{ "sched: {}\n", "" },
	{ "sched:\n  policy: leeway\n", "" },
	{ "sched:\n  policy: relaxed\n", "sched.policy: leeway -> relaxed" },
	{ "sched.policy: relaxed\n", "sched.policy: leeway -> relaxed" },
	{ "sched: {policy: fcfs}\n", "sched.policy: leeway -> fcfs" },
	{ "\"sched\":\n  'policy': \"fcfs\"\n", "sched.policy: leeway -> fcfs" },
	{ "sched:\r\n  policy: fcfs\r\n", "sched.policy: leeway -> fcfs" },
	{ "sched.policy: fcfs", "sched.policy: leeway -> fcfs" },
	{ "sched.policy: &name fcfs", "sched.policy: leeway -> fcfs" },
	{ "sched:\n  policy: fcfs\nsched.relax: 0.5\n",
	  "sched.policy: leeway -> fcfs, sched.relax: 0.1 -> 0.5" },
	{ "sched.relax: 0", "sched.relax: 0.1 -> 0.0" },
	{ "sched.relax: 0.0", "sched.relax: 0.1 -> 0.0" },
	{ "sched.relax: 2", "sched.relax: 0.1 -> 2.0" },
	{ "sched.relax: 2.000000", "sched.relax: 0.1 -> 2.0" },
	{ "sched.relax: 0.100001", "sched.relax: 0.1 -> 0.100001" },
	{ "sched.relax: 00.10", "" },
	{ "sched.relax_cap: 0", "sched.relax_cap: 1d -> 0s" },
	{ "sched.relax_cap: 24h", "" },
	{ "sched.relax_cap: 1-12:00:00", "sched.relax_cap: 1d -> 1d12h" },
	{ "sched.interval: 1s", "sched.interval: 30s -> 1s" },
	{ "sched.interval: 1:30", "sched.interval: 30s -> 1m30s" },
	{ "sched.interval: 1h", "sched.interval: 30s -> 1h" },
	{ "sched.min_interval: 2s", "sched.min_interval: 5s -> 2s" },
	{ "sched.dump_dir: /var/spool/leeway", "sched.dump_dir: '' -> '/var/spool/leeway'" },
	{ "sched.dump_dir: \"/it's here: #1\"", "sched.dump_dir: '' -> '/it''s here: #1'" },
	{ "sched.dump_dir: ''", "" },
	{ "sched.dump_dir:", "" },
	{ "sched.dump_keep: 1", "sched.dump_keep: 100 -> 1" },
	{ "sched.predict: no", "sched.predict: yes -> no" },
	{ "sched.predict: yes", "" },
	{ "select.narrow: no", "select.narrow: yes -> no" },
	{ "select.narrow: false", "select.narrow: yes -> no" },
	{ "select.narrow: OFF", "select.narrow: yes -> no" },
	{ "select.narrow: True", "" },
	{ "select.narrow: on", "" },
	{ "log:\n  level: debug\n", "log.level: info -> debug" },
	{ "topology:\n  domains: []\n", "" },
	/* the outer ones first, whoever was written first */
	{ "topology:\n  domains:\n  - name: r1\n    nodes: n[1-2]\n"
	  "  - {nodes: 'n[1-4],m1', name: row}\n  - {name: r2, nodes: 'n[3,4]'}\n",
	  "topology.domains: [] -> [{name: 'row', nodes: 'n[1-4],m1'}, "
	  "{name: 'r1', nodes: 'n[1-2]'}, {name: 'r2', nodes: 'n[3,4]'}]" },
	/* a switch with one switch below it */
	{ "topology.domains: [{name: a, nodes: n1}, {name: b, nodes: n1}]",
	  "topology.domains: [] -> [{name: 'a', nodes: 'n1'}, {name: 'b', nodes: 'n1'}]" },
	{ "topology.islands: []", "" },
	{ "topology:\n  islands:\n  - gpus: 4\n    nodes: n[3-4],m1\n"
	  "  - {nodes: 'n[1-2]', gpus: 64}\n",
	  "topology.islands: [] -> [{nodes: 'n[3-4],m1', gpus: 4}, {nodes: 'n[1-2]', gpus: 64}]" },
};

/* Text that is refused, and the message behind "leeway.yaml:". */
static const struct {
	const char *yaml;
	const char *message;
} refused[] = {
	/* bounds */
	{ "sched:\n  relax: 3.0\n", "2: sched.relax: 3.0 is above 2.0" },
	{ "sched.relax: 2.000001", "1: sched.relax: 2.000001 is above 2.0" },
	{ "sched.relax: 99999999999999999999",
	  "1: sched.relax: 99999999999999999999 is above 2.0" },
	{ "sched.relax_cap: 366d", "1: sched.relax_cap: 366d is above 365d" },
	{ "sched.interval: 0", "1: sched.interval: 0 is below 1s" },
	{ "sched.interval: 61m", "1: sched.interval: 61m is above 1h" },
	{ "sched.dump_keep: 0", "1: sched.dump_keep: 0 is below 1" },
	{ "sched.dump_keep: 4294967297", "1: sched.dump_keep: 4294967297 is above 100000" },
	/* types */
	{ "sched.relax: -0.1",
	  "1: sched.relax: \"-0.1\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.relax: 0.1234567",
	  "1: sched.relax: \"0.1234567\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.relax: 1e-1",
	  "1: sched.relax: \"1e-1\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.relax: nan",
	  "1: sched.relax: \"nan\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.relax: 1.",
	  "1: sched.relax: \"1.\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.relax: .5",
	  "1: sched.relax: \".5\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.relax: 0,5",
	  "1: sched.relax: \"0,5\" is no number such as 0.25 (at most 6 decimals)" },
	{ "sched.dump_keep: 1.5", "1: sched.dump_keep: \"1.5\" is no whole number" },
	{ "sched.dump_keep: ten", "1: sched.dump_keep: \"ten\" is no whole number" },
	{ "sched.interval: 45",
	  "1: sched.interval: \"45\" has no unit: 45s, which are seconds, or 45m, minutes?" },
	{ "sched.interval: soon",
	  "1: sched.interval: \"soon\" is no duration such as 90s, 15m, 2h30m or 1-00:00:00" },
	{ "sched.relax_cap: 999999999d",
	  "1: sched.relax_cap: \"999999999d\" is longer than any duration" },
#define NO_POLICY "is none of POLICIES"
	{ "sched.policy: eazy", "1: sched.policy: \"eazy\" " NO_POLICY },
	{ "sched.policy: Easy", "1: sched.policy: \"Easy\" " NO_POLICY },
	{ "sched.policy: eas", "1: sched.policy: \"eas\" " NO_POLICY },
	{ "sched.policy: fcfs|easy", "1: sched.policy: \"fcfs|easy\" " NO_POLICY },
	{ "log.level: 2", "1: log.level: \"2\" is none of error, warn, info, debug" },
	{ "select.narrow: maybe", "1: select.narrow: \"maybe\" is neither yes nor no" },
	{ "sched.predict: 0.5", "1: sched.predict: \"0.5\" is neither yes nor no" },
	{ "select.narrow: 1", "1: select.narrow: \"1\" is neither yes nor no" },
	{ "sched.dump_dir: spool", "1: sched.dump_dir: \"spool\" is no absolute path" },
	{ "sched.dump_dir: \"/a\\nb\"",
	  "1: sched.dump_dir: \"/a?b\" is no path: it holds a character that does not print" },
	{ "sched.dump_dir: \"/a\\0b\"", "1: sched.dump_dir: the value holds a NUL byte" },
	{ "sched:\n  policy:\n", "2: sched.policy: has no value" },
	{ "sched:\n  policy: ''\n", "2: sched.policy: has no value" },
	/* settings of an earlier release */
	{ "sched:\n  order: learned\n",
	  "2: sched.order: went to the laboratory: try a trained net by leeway sim --set "
	  "sched.order=learned" },
	{ "sched:\n  model: /a\n",
	  "2: \"sched.model\": went to the laboratory: give the net to leeway sim --model" },
	{ "sched:\n  inspector: /a\n",
	  "2: \"sched.inspector\": went to the laboratory: try an inspector by leeway sim "
	  "--set sim.inspector=learned" },
	{ "sched:\n  inspect_cap: 1h\n",
	  "2: \"sched.inspect_cap\": went to the laboratory: leeway sim "
	  "--set sim.inspect_cap=TIME" },
	/* unknown keys */
	{ "sched:\n  polcy: easy\n",
	  "2: \"sched.polcy\": unknown key (did you mean sched.policy?)" },
	{ "policy: easy", "1: \"policy\": unknown key (did you mean sched.policy?)" },
	{ "select:\n  relax: 1\n",
	  "2: \"select.relax\": unknown key (did you mean sched.relax?)" },
	{ "scheduler:\n  policy: easy\n", "1: \"scheduler\": unknown key (did you mean sched?)" },
	{ "\n\nshced:\n", "3: \"shced\": unknown key (did you mean sched?)" },
	{ "sched-relax: 0.1", "1: \"sched-relax\": unknown key (did you mean sched.relax?)" },
	{ "gibberish: 1", "1: \"gibberish\": unknown key" },
	{ "sched:\n  gibberish: 1\n", "2: \"sched.gibberish\": unknown key" },
	{ "sched.sched.relax: 1",
	  "1: \"sched.sched.relax\": unknown key (did you mean sched.relax?)" },
	{ "sched:\n  sched.gone: 1\n", "2: \"sched.sched.gone\": unknown key" },
	{ "'': 1", "1: \"\": unknown key" },
	{ "sched: {'': 1}", "1: \"sched.\": unknown key (did you mean sched?)" },
	{ "\"a\\nERROR: b\": 1", "1: \"a?ERROR: b\": unknown key" },
	{ "\"sched\\0\": 1", "1: \"\": unknown key" },
	{ "<<: {}", "1: \"<<\": unknown key" },
	/* twice */
	{ "energy:\n  gpu_busy_w: 400\n  gpu_idle_w: 900\n",
	  "3: energy.gpu_idle_w: 900 W is above energy.gpu_busy_w, 400 W; an idle GPU draws no "
	  "more" },
	{ "energy:\n  gpu_busy_w: 40\n",
	  "2: energy.gpu_idle_w: 60 W is above energy.gpu_busy_w, 40 W; an idle GPU draws no "
	  "more" },
	{ "energy.gpu_idle_w: 301\n",
	  "1: energy.gpu_idle_w: 301 W is above energy.gpu_busy_w, 300 W; an idle GPU draws no "
	  "more" },
	{ "energy:\n\n  gpu_types: k80:25-150 a100:400-50\n",
	  "3: energy.gpu_types: \"a100:400-50\" is not TYPE:IDLE-BUSY, in whole watts up to 10000, "
	  "such as a100:50-400" },
	{ "energy:\n  gpu_types: a100:50\n",
	  "2: energy.gpu_types: \"a100:50\" is not TYPE:IDLE-BUSY, in whole watts up to 10000, "
	  "such as a100:50-400" },
	{ "sched:\n  relax: 1\n  relax: 1\n", "3: sched.relax: given twice, first on line 2" },
	{ "sched:\n  relax: 1\nsched.relax: 1\n",
	  "3: sched.relax: given twice, first on line 2" },
	{ "sched:\n  relax: 1\nlog:\nsched:\n  policy: easy\n",
	  "4: sched: given twice, first on line 1" },
	/* shape */
	{ "sched: easy", "1: sched: wants keys below it, not a value" },
	{ "sched:\n  - easy\n", "2: sched: wants keys below it, not a value" },
	{ "sched:\n  policy:\n    easy: 1\n",
	  "3: sched.policy: wants a value, not keys below it" },
	{ "sched:\n  policy: [easy]\n", "2: sched.policy: wants a value, not a list" },
	{ "sched.policy: *other", "1: sched.policy: aliases are not understood" },
	{ "[sched]: 1", "1: a key must be a word" },
	{ "? [sched]\n: 1\n", "1: a key must be a word" },
	{ "? {a: b}\n: 1\n", "1: a key must be a word" },
	{ "*a : 1", "1: a key must be a word" },
	{ "- sched\n", "1: wants keys such as \"sched:\" here" },
	{ "\neasy\n", "2: wants keys such as \"sched:\" here" },
	{ "*a", "1: wants keys such as \"sched:\" here" },
	{ "---\nlog:\n---\nlog:\n", "3: a second document" },
	/* islands */
	{ "topology.islands: 4", "1: topology.islands: wants a list of islands, not a value" },
	{ "topology.islands: {}", "1: topology.islands: wants a value, not keys below it" },
	{ "topology:\n  islands:\n  - 4\n",
	  "3: topology.islands: wants a mapping such as {nodes: 'gpu[1-8]', gpus: 4}" },
	{ "topology:\n  islands:\n  - nodes: n1\n",
	  "3: topology.islands: islands without gpus; add how many one island has" },
	{ "topology:\n  islands:\n  - gpus: 4\n",
	  "3: topology.islands: islands without nodes; add them" },
	{ "topology.islands: [{nodes: n1, gpus: 4, links: 2}]",
	  "1: topology.islands: islands have nodes and gpus, and nothing else" },
	{ "topology.islands: [{nodes: n1, gpus: 1}]",
	  "1: topology.islands: gpus wants a number from 2 to 64" },
	{ "topology.islands: [{nodes: n1, gpus: 65}]",
	  "1: topology.islands: gpus wants a number from 2 to 64" },
	{ "topology.islands: [{nodes: n1, gpus: 99999999999999999999}]",
	  "1: topology.islands: gpus wants a number from 2 to 64" },
	{ "topology.islands: [{nodes: n1, gpus: 4x}]",
	  "1: topology.islands: gpus wants a number from 2 to 64" },
	{ "topology.islands: [{nodes: n1, gpus: -4}]",
	  "1: topology.islands: gpus wants a number from 2 to 64" },
	{ "topology.islands: [{nodes: n1, gpus: [4]}]",
	  "1: topology.islands: gpus wants a number from 2 to 64" },
	{ "topology.islands: [{nodes: n1, gpus: 4, nodes: n2}]",
	  "1: topology.islands: nodes is given twice; keep one" },
	{ "topology.islands: [{nodes: 'n[2-1]', gpus: 4}]",
	  "1: topology.islands: n[2-1] is no list of nodes; write such as gpu[1-8],gpu12" },
	{ "topology.islands: [{nodes: 'n[1-900000],m[1-900000]', gpus: 4}]",
	  "1: topology.islands: these are more than 1000000 nodes" },
	{ "topology:\n  islands:\n  - {nodes: 'n[1-3]', gpus: 4}\n  - {nodes: n2, gpus: 2}\n",
	  "4: topology.islands: node n2 is named twice, first on line 3; take one out" },
	{ "topology.islands: [{nodes: 'n1,n1', gpus: 4}]",
	  "1: topology.islands: node n1 is named twice, first on line 1; take one out" },
	/* domains */
	{ "topology.domains: rack1",
	  "1: topology.domains: wants a list of domains, not a value" },
	{ "topology.domains: {}", "1: topology.domains: wants a value, not keys below it" },
	{ "topology:\n  domains:\n  - rack1\n",
	  "3: topology.domains: wants a mapping such as {name: rack1, nodes: 'gpu[1-8]'}" },
	{ "topology:\n  domains:\n  - name: a\n",
	  "3: topology.domains: a domain without nodes; add them" },
	{ "topology:\n  domains:\n  - nodes: a\n",
	  "3: topology.domains: a domain without name; add one" },
	{ "topology:\n  domains:\n  - name: a\n    switches: b\n",
	  "4: topology.domains: a domain has name and nodes, and nothing else" },
	{ "topology:\n  domains:\n  - name: a\n    name: b\n",
	  "4: topology.domains: name is given twice; keep one" },
	{ "topology.domains: [{name: [a], nodes: n1}]",
	  "1: topology.domains: name wants one word" },
	{ "topology.domains: [{name: 'a b', nodes: n1}]",
	  "1: topology.domains: name wants one word" },
	{ "topology.domains: [{name: a, nodes: [n1]}]",
	  "1: topology.domains: nodes wants a list such as gpu[1-8]; in braces put it in quotes" },
	{ "topology:\n  domains:\n  - name: a\n    nodes: n[2-1]\n",
	  "3: topology.domains: the nodes of a, n[2-1], are no list of nodes; write such as "
	  "gpu[1-8],gpu12" },
	{ "topology:\n  domains:\n  - name: a\n    nodes: n[1-900000],m[1-900000]\n",
	  "3: topology.domains: the domains have more than 1000000 nodes" },
	{ "topology:\n  domains:\n  - {name: a, nodes: n1}\n  - {name: a, nodes: n2}\n",
	  "4: topology.domains: a is given twice, first on line 3; give each domain a name of its "
	  "own" },
	{ "topology:\n  domains:\n  - name: a\n    nodes: n[1-3],n2\n",
	  "3: topology.domains: a names node n2 twice; take one out" },
	{ "topology:\n  domains:\n  - {name: a, nodes: 'n[3-4]'}\n"
	  "  - {name: b, nodes: 'n[1-3]'}\n",
	  "3: topology.domains: a and b share some nodes and neither is inside the other; see to "
	  "it that b has all nodes of a, or none" },
	{ "topology:\n  domains:\n  - {name: a, nodes: 'n[1-4]'}\n"
	  "  - {name: b, nodes: 'm[1-3],n4'}\n",
	  "4: topology.domains: b and a share some nodes and neither is inside the other; see to "
	  "it that a has all nodes of b, or none" },
	/* not YAML at all */
	{ "sched:\n\tpolicy: easy\n", "2: not valid YAML: a tab; YAML is indented with spaces" },
	{ "sched: [\n", "1: sched: wants keys below it, not a value" },
	{ "}", "1: not valid YAML: did not find expected node content" },
	{ "log:\nsched.policy: 'easy\n", "3: not valid YAML: found unexpected end of stream" },
	{ "log:\n\n\xff\n", "3: not valid YAML: invalid leading UTF-8 octet" },
	{ "log:\n\x01\n", "2: not valid YAML: control characters are not allowed" },
	{ "sched: {policy: easy", "2: not valid YAML: did not find expected ',' or '}'" },
};

static void diff_of(const struct lw_config *cfg, char *text, size_t size)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_config def;

	lw_config_default(&def);
	lw_config_diff(&def, cfg, &out);
	ck_assert_int_eq(out.error, 0);
	snprintf(text, size, "%s", lw_strbuf_text(&out));
	lw_strbuf_fini(&out);
	lw_config_fini(&def);
}

TEST_EACH(good_text_is_taken, LW_COUNT_OF(taken))
{
	struct lw_error err = { "" };
	struct lw_config cfg;
	char diff[400];
	int rc = lw_config_parse("leeway.yaml", taken[_i].yaml, strlen(taken[_i].yaml), &cfg,
				 &err);

	ck_assert_msg(!rc, "refused: %s", err.text);
	diff_of(&cfg, diff, sizeof(diff));
	ck_assert_str_eq(diff, taken[_i].diff);
	lw_config_fini(&cfg);
}

/* MESSAGE with the planner's policies for POLICIES. */
static void name_policies(const char *message, char *ret_want, size_t size)
{
	static const char names[] =
#define LW_POLICY(id, name, traits, help) ", " #name
#include "planner/model/policies.def"
		;
	const char *at = strstr(message, "POLICIES");
	int before = at ? (int)(at - message) : (int)strlen(message);

	snprintf(ret_want, size, "leeway.yaml:%.*s%s", before, message, at ? names + 2 : "");
}

TEST_EACH(bad_text_is_refused, LW_COUNT_OF(refused))
{
	struct lw_config cfg, before;
	struct lw_error err = { "" };
	char want[500];

	memset(&cfg, 0x5a, sizeof(cfg));
	memcpy(&before, &cfg, sizeof(cfg));
	name_policies(refused[_i].message, want, sizeof(want));
	ck_assert_int_eq(lw_config_parse("leeway.yaml", refused[_i].yaml,
					 strlen(refused[_i].yaml), &cfg, &err),
			 -EINVAL);
	ck_assert_str_eq(err.text, want);
	ck_assert_mem_eq(&cfg, &before, sizeof(cfg));
	/* and nobody needs the text */
	ck_assert_int_eq(lw_config_parse("leeway.yaml", refused[_i].yaml,
					 strlen(refused[_i].yaml), &cfg, NULL),
			 -EINVAL);
}

TEST(patterns_are_joined)
{
	static const char yaml[] = "tag.rules: [{patterns: [a, b*, c]}]";
	struct lw_error err = { "" };
	struct lw_config cfg;

	ck_assert_int_eq(lw_config_parse("x", yaml, strlen(yaml), &cfg, &err), 0);
	ck_assert_str_eq(cfg.tag_rules.rule[0].text[LW_RULE_PATTERNS], "a|b*|c");
	lw_config_fini(&cfg);
	ck_assert_int_eq(lw_config_parse("x", "tag.rules: [{a: ", 16, &cfg, &err), -EINVAL);
	ck_assert_int_eq(lw_config_parse("x", "tag.rules: a", 12, &cfg, &err), -EINVAL);
	ck_assert_str_eq(err.text, "x:1: tag.rules: wants a list of rules, not a value");
}

TEST(numbers_ignore_the_locale)
{
	static const char *const commas[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR" };
	struct lw_error err = { "" };
	struct lw_config cfg;
	char diff[100];
	bool found = false;

	for (size_t i = 0; !found && i < LW_COUNT_OF(commas); i++)
		found = setlocale(LC_ALL, commas[i]) != NULL;
	ck_assert_int_eq(lw_config_parse("a", "sched.relax: 0.5", 16, &cfg, &err), 0);
	ck_assert(cfg.sched_relax > 0.499 && cfg.sched_relax < 0.501);
	diff_of(&cfg, diff, sizeof(diff));
	ck_assert_str_eq(diff, "sched.relax: 0.1 -> 0.5");
	setlocale(LC_ALL, "C");
	lw_config_fini(&cfg);
}

TEST(load_tells_its_failures_apart)
{
	static char large[LW_CONFIG_BYTES_MAX + 2];
	char dir[] = "/tmp/lw-config-XXXXXX", path[64];
	struct lw_mistakes none = { .count = 0 };
	struct lw_error err = { "" };
	struct lw_config cfg;
	FILE *file;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/leeway.yaml", dir);
	ck_assert_int_eq(lw_config_load(path, &cfg, &none, &err), -ENOENT);
	ck_assert_int_eq(strncmp(err.text, path, strlen(path)), 0);
	ck_assert_int_eq(lw_config_load(dir, &cfg, &none, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, ": not a regular file"));
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(lw_config_load(path, &cfg, &none, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, ": not a regular file"));
	ck_assert_int_eq(unlink(path), 0);
	for (int over = 0; over <= 1; over++) {
		memset(large, '#', LW_CONFIG_BYTES_MAX + (size_t)over);
		file = fopen(path, "w");
		ck_assert_ptr_nonnull(file);
		ck_assert_int_ge(fputs(large, file), 0);
		ck_assert_int_eq(fclose(file), 0);
		ck_assert_int_eq(lw_config_load(path, &cfg, &none, &err),
				 over ? -EFBIG : 0);
		if (!over)
			lw_config_fini(&cfg);
	}
	ck_assert_ptr_nonnull(strstr(err.text, ": larger than 65536 bytes"));
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
	ck_assert_uint_eq(none.count, 0);
}

TEST(an_unreadable_file_is_reported)
{
	char path[] = "/tmp/lw-config-XXXXXX";
	struct lw_mistakes none = { .count = 0 };
	struct lw_error err = { "" };
	struct lw_config cfg;
	int fd = mkstemp(path), rc;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fchmod(fd, 0), 0);
	close(fd);
	rc = lw_config_load(path, &cfg, &none, &err);
	unlink(path);
	/* root reads everything */
	if (geteuid() == 0) {
		ck_assert_int_eq(rc, 0);
		lw_config_fini(&cfg);
		return;
	}
	ck_assert_int_eq(rc, -EACCES);
	ck_assert_ptr_nonnull(strstr(err.text, ": cannot open: Permission denied"));
}
