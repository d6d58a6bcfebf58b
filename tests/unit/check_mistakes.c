/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit test of all that is told of a leeway.yaml with mistakes. */
#include "config/config.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *yaml;
	uint32_t rules;
	const char *complaint; /* part of it, or NULL */
} lists[] = {
	{ "tag:\n  rules: []\n", 0, NULL },
	{ "tag:\n  rules:\n  - name: a\n    off: yes\n  - {name: b}\n", 2, NULL },
	{ "tag:\n  rules:\n  - nmae: a\n  - {name: b}\n", 1,
	  "3: \"nmae\" is none of name, place" },
	{ "tag:\n  rules:\n  - {name: b}\n  - torchrun\n", 1,
	  "4: \"-\" wants a mapping" },
	{ "tag:\n  rules:\n  - [a, [b, {c: d}]]\n  - {name: b}\n", 1, "3: " },
	{ "tag:\n  rules:\n  - {name: b, name: c}\n", 0, "\"name\" is given twice" },
	{ "tag:\n  rules:\n  - {name: [b]}\n  - {name: b}\n", 1, "\"name\" wants one word" },
	{ "tag:\n  rules:\n  - {patterns: [a, [b]]}\n", 0, "\"patterns\" wants words" },
	{ "tag:\n  rules:\n  - {patterns: {a: b}, name: c}\n", 0, "\"patterns\" wants one word" },
	{ "tag:\n  rules:\n  - {[a]: b, name: c}\n", 0, "\"?\" is none of name" },
	{ "tag:\n  rules:\n  - {x: {y: [z]}, name: c}\n", 0, "\"x\" is none of name" },
};

/* "LINE: WHAT" of each, "; " between them, with "rule" before that of a rule. */
static void say_mistakes(const struct lw_mistakes *mistakes, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < mistakes->count && len < size; i++) {
		const struct lw_mistake *mistake = &mistakes->mistake[i];

		len += (size_t)snprintf(text + len, size - len, "%s%s%u: %s", i ? "; " : "",
					mistake->rule ? "rule " : "", mistake->line,
					mistake->what);
	}
}

TEST_EACH(broken_rules_are_left_out, LW_COUNT_OF(lists))
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_error err = { "" };
	struct lw_config cfg;
	char said[500];
	int rc = lw_config_parse_all("x", lists[_i].yaml, strlen(lists[_i].yaml), &cfg, &mistakes,
				     &err);

	ck_assert_msg(!rc, "%s", err.text);
	say_mistakes(&mistakes, said, sizeof(said));
	ck_assert_uint_eq(cfg.tag_rules.rules, lists[_i].rules);
	ck_assert_msg(lists[_i].complaint ? strstr(said, lists[_i].complaint) != NULL : !*said,
		      "%s", said);
	lw_mistakes_fini(&mistakes);
	lw_config_fini(&cfg);
}

/* Text with several mistakes, and all that is said of it. */
static const struct {
	const char *yaml, *said;
} several[] = {
	{ "sched:\n  relax: 3\n  relaxx: [a, {b: c}]\n  interval: x\nlgo:\n  level: y\n"
	  "log.level: z\n",
	  "2: sched.relax: 3 is above 2.0; "
	  "3: \"sched.relaxx\": unknown key (did you mean sched.relax?); "
	  "4: sched.interval: \"x\" is no duration such as 90s, 15m, 2h30m or 1-00:00:00; "
	  "5: \"lgo\": unknown key; "
	  "7: log.level: \"z\" is none of error, warn, info, debug" },
	/* what is given twice is read once, and a section all the same */
	{ "sched:\n  relax: 1\n  relax: 9\nsched:\n  slack: {a: [b]}\n",
	  "3: sched.relax: given twice, first on line 2; 4: sched: given twice, first on line 1; "
	  "5: sched.slack: wants a value, not keys below it" },
	{ "sched: [a, [b]]\n? [c, {d: e}]\n: {f: g}\nlog: no\n*x : y\nsched.policy: *z\n",
	  "1: sched: wants keys below it, not a value; 2: a key must be a word; "
	  "4: log: wants keys below it, not a value; 5: a key must be a word; "
	  "6: sched.policy: aliases are not understood" },
	/* rows: of one with a mistake nothing is missing, and then of the list as a whole */
	{ "topology:\n  domains:\n  - {name: [a], nodes: n1}\n  - b\n  - {nmae: {c: d}}\n"
	  "  - name: e\n  - {name: f, nodes: 'n[2-1]'}\n  - {name: g, nodes: n1}\n"
	  "  - {name: g, nodes: n2}\n  islands: [{nodes: 'n[2-1]', gpus: 2}, "
	  "{nodes: n1, gpus: 1}]\n",
	  "3: topology.domains: name wants one word; "
	  "4: topology.domains: wants a mapping such as {name: rack1, nodes: 'gpu[1-8]'}; "
	  "5: topology.domains: a domain has name and nodes, and nothing else; "
	  "6: topology.domains: a domain without nodes; add them; "
	  "7: topology.domains: the nodes of f, n[2-1], are no list of nodes; write such as "
	  "gpu[1-8],gpu12; "
	  "10: topology.islands: n[2-1] is no list of nodes; write such as gpu[1-8],gpu12; "
	  "10: topology.islands: gpus wants a number from 2 to 64" },
	{ "tag:\n  rules:\n  - {nmae: a}\nlog.level: z\n",
	  "rule 3: \"nmae\" is none of name, place, points, kind, patterns, off; "
	  "4: log.level: \"z\" is none of error, warn, info, debug" },
	/* behind what is no YAML, and in a second document, nothing is known */
	{ "log.level: z\nsched: {policy: ]\nlgo: a\n",
	  "1: log.level: \"z\" is none of error, warn, info, debug; "
	  "2: not valid YAML: did not find expected node content" },
	{ "- a\n---\n- b\n", "1: wants keys such as \"sched:\" here; 2: a second document" },
};

TEST_EACH(all_mistakes_are_told, LW_COUNT_OF(several))
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_error err = { "" };
	struct lw_config cfg;
	const char *yaml = several[_i].yaml;
	char said[1000];

	ck_assert_int_eq(
		lw_config_parse_all("x", yaml, strlen(yaml), &cfg, &mistakes, &err), -EINVAL);
	say_mistakes(&mistakes, said, sizeof(said));
	ck_assert_str_eq(said, several[_i].said);
	lw_mistakes_fini(&mistakes);
}

static void note_line(void *arg, enum lw_log_level level, const char *line)
{
	struct lw_strbuf *log = arg;

	ck_assert_int_eq((int)level, LW_LOG_ERROR);
	lw_strbuf_add(log, "%s\n", line);
}

TEST_EACH(the_log_names_some_of_many, 3)
{
	struct lw_strbuf log = LW_STRBUF_INIT, want = LW_STRBUF_INIT;
	const struct lw_log to = { .write = note_line, .arg = &log };
	const struct lw_error first = { "f:1: w1" };
	struct lw_mistakes mistakes = { .count = 0 };
	char what[16];

	lw_strbuf_add(&want, "f:1: w1; nothing is taken\n");
	for (unsigned line = 1; line <= LW_MISTAKES_LOGGED + (unsigned)_i; line++) {
		snprintf(what, sizeof(what), "w%u", line);
		lw_mistakes_add(&mistakes, line, false, what);
		lw_mistakes_add(&mistakes, line, true, "a rule");
		if (line > 1 && line <= LW_MISTAKES_LOGGED)
			lw_strbuf_add(&want, "f:%u: %s\n", line, what);
	}
	if (_i)
		lw_strbuf_add(&want, "f: and %d more; leeway check names them all\n", _i);
	lw_mistakes_log(&mistakes, "f", &first, "nothing is taken", &to);
	ck_assert_str_eq(lw_strbuf_text(&log), lw_strbuf_text(&want));
	lw_mistakes_fini(&mistakes);
	lw_strbuf_fini(&log);
	lw_strbuf_fini(&want);
}
