/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: leeway.yaml, and the rules of tags in it. */
#include "fuzz/fuzz.h"

#include "config/config.h"
#include "tagger/tag.h"

#include <stdlib.h>
#include <string.h>

static void complain(void *arg, unsigned line, const char *text)
{
	(void)arg;
	fuzz_check(line && *text);
}

static void take_rules(const struct lw_rule_list *list)
{
	struct lw_tag_rules *rules;

	if (!list->rules || lw_tag_rules_create(&rules))
		return;
	lw_tag_rules_take(rules, list, complain, NULL);
	lw_tag_rules_destroy(rules);
}

/* What is printed must read back to the same, or the settings in force could not be kept. */
static void print(const struct lw_config *config, bool with_comments)
{
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT, diff = LW_STRBUF_INIT;
	struct lw_config read;
	struct lw_error err = { "" };

	lw_config_print(config, with_comments, &text);
	fuzz_check(!lw_config_parse_printed("printed", lw_strbuf_text(&text), text.len, &read,
					    &err));
	fuzz_check(!lw_config_diff(config, &read, &diff));
	lw_config_print(&read, with_comments, &again);
	fuzz_check(text.len == again.len && !memcmp(text.text, again.text, text.len));
	lw_config_fini(&read);
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
	lw_strbuf_fini(&diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lw_error err = { "" };
	struct lw_config config;
	/* behind it nothing may be read */
	char *text = malloc(size ? size : 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	if (lw_config_parse("leeway.yaml", text, size, &config, &err)) {
		fuzz_check(!strncmp(err.text, "leeway.yaml", 11));
		fuzz_check_told(err.text);
		free(text);
		return 0;
	}
	free(text);
	take_rules(&config.tag_rules);
	print(&config, false);
	print(&config, true);
	lw_config_fini(&config);
	return 0;
}
