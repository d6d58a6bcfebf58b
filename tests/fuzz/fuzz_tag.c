/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: job scripts, and options of sbatch, as job_submit judges them. */
#include "fuzz/fuzz.h"

#include "cli/tag/submit.h"
#include "config/config.h"

#include <stdlib.h>
#include <string.h>

static void ignore(void *arg, unsigned line, const char *text)
{
	(void)arg;
	(void)line;
	(void)text;
}

static void count(void *arg, const struct lw_tag_rule *rule)
{
	(void)rule;
	++*(int *)arg;
}

/* The built-in rules, and some of a site's. */
static struct lw_tag_rules *make_rules(bool with_site)
{
	static const char yaml[] =
		"tag:\n  rules:\n"
		"  - {name: site, place: program, points: 60, kind: training, patterns: 'r*|*x'}\n"
		"  - {name: less, place: argument, points: -90, kind: none, patterns: '*t*'}\n"
		"  - {name: env, place: variable, points: 30, kind: sweep, patterns: 'A*B*'}\n";
	static struct lw_config config;
	struct lw_tag_rules *rules;
	struct lw_error err;

	fuzz_check(!lw_tag_rules_create(&rules));
	if (with_site) {
		fuzz_check(!lw_config_parse("yaml", yaml, strlen(yaml), &config, &err));
		fuzz_check(lw_tag_rules_take(rules, &config.tag_rules, ignore, NULL) == 3);
	}
	return rules;
}

static void judge(const struct lw_tag_request *job, const struct lw_tag_rules *rules)
{
	char text[LW_TAG_TEXT_MAX];
	struct lw_tag tag, again;
	int found = 0;

	lw_tag_recognise(job, rules, &tag);
	fuzz_check(tag.class < LW_TAG_CLASS_COUNT && tag.confidence <= 100);
	fuzz_check(strnlen(tag.evidence, sizeof(tag.evidence)) < sizeof(tag.evidence));
	lw_tag_explain(job, rules, count, &found);
	fuzz_check(lw_tag_encode(&tag, text, sizeof(text)) < sizeof(text));
	fuzz_check(!lw_tag_decode(text, &again) && again.class == tag.class &&
		   again.gang == tag.gang && again.confidence == tag.confidence);
	lw_tag_advice(job, &tag);
	lw_tag_is_wanted(job, &tag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct lw_tag_rules *rules[2];
	uint8_t how = fuzz_take(&data, &size);
	char *script = fuzz_text(data, size);
	char *options = how & 2 ? strstr(script, "\n\n") : NULL;
	struct lw_tag_request job;
	struct lw_submit submit;
	struct lw_tag of_length, of_end;

	if (!rules[how & 1])
		rules[how & 1] = make_rules(how & 1);
	if (options) {
		*options = '\0';
		options += 2;
	}
	lw_submit_read(script, options, how & 4, &submit);
	lw_submit_request(&submit, script, &job);
	judge(&job, rules[how & 1]);
	lw_tag_recognise(&job, rules[how & 1], &of_end);
	job.script_len = strlen(script);
	lw_tag_recognise(&job, rules[how & 1], &of_length);
	/* it makes no difference whether its length was known */
	fuzz_check(of_end.class == of_length.class && !strcmp(of_end.evidence, of_length.evidence));
	if (how & 8) {
		job.command_line = options ? options : script;
		job.script = NULL;
		job.script_len = 0;
		judge(&job, rules[how & 1]);
	}
	free(script);
	return 0;
}
