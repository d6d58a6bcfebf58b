/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lists of rules in leeway.yaml: their form; what they say is read elsewhere. */
/*
 * All other settings are accepted as a whole or not at all. A list of rules is long, and its
 * authors know jobs rather than schedulers. So a mistake in one rule must not disable the other
 * rules, or the scheduler's settings.
 */
#include "config/reader.h"

#include "base/grow.h"
#include "base/plain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WANTS_WORD  "wants one word, without characters that do not print"
#define WANTS_WORDS "wants words, without characters that do not print"

/* The rule that is being read. */
struct rule {
	struct lw_rule_line line;
	bool broken;
};

/* The patterns of a rule, while they are joined. */
struct pattern_list {
	struct rule *rule;
	struct lw_strbuf joined;
};

static void rules_complain(const struct reader *r, struct rule *rule, unsigned line,
			   const char *what, const char *remedy)
{
	char quoted[PATH_BYTES], text[2 * PATH_BYTES];

	rule->broken = true;
	snprintf(text, sizeof(text), "%s %s", lw_key_quote(what, quoted, sizeof(quoted)), remedy);
	lw_mistakes_add(r->mistakes, line, true, text);
}

/* The text of a scalar that may be in logs, and in settings that are kept; else NULL. */
static const char *read_rules_plain_text(const yaml_event_t *event)
{
	const char *text = event->type == YAML_SCALAR_EVENT ? lw_reader_text(event) : NULL;

	return text && lw_plain_is_line(text) ? text : NULL;
}

static int read_rules_find_field(const char *name)
{
	for (int i = 0; name && i < LW_RULE_FIELDS; i++)
		if (!strcmp(name, lw_rule_field_name((enum lw_rule_field)i)))
			return i;
	return -ENOENT;
}

static int read_pattern(struct reader *r, const yaml_event_t *event, void *arg)
{
	struct pattern_list *list = arg;
	const char *text = read_rules_plain_text(event);

	if (text)
		lw_strbuf_add(&list->joined, "%s%s", list->joined.len ? "|" : "", text);
	else
		rules_complain(r, list->rule, lw_reader_line(event), "patterns", WANTS_WORDS);
	return lw_reader_skip(r, event);
}

/* Patterns may be a list: they are joined by '|'. */
static int read_list(struct reader *r, struct rule *rule, char **ret_text)
{
	struct pattern_list list = { .rule = rule, .joined = LW_STRBUF_INIT };
	int rc = lw_reader_each(r, YAML_SEQUENCE_END_EVENT, read_pattern, &list);

	if (!rc && list.joined.error)
		rc = lw_reader_no_memory(r);
	if (rc)
		lw_strbuf_fini(&list.joined);
	else
		*ret_text = list.joined.text;
	return rc;
}

static int read_field(struct reader *r, struct rule *rule, int field)
{
	const char *name = lw_rule_field_name((enum lw_rule_field)field);
	char **text = &rule->line.text[field];
	yaml_event_t event;
	int rc = lw_reader_next(r, &event);

	if (rc)
		return rc;
	if (*text) {
		rules_complain(r, rule, lw_reader_line(&event), name, "is given twice; keep one");
		rc = lw_reader_skip(r, &event);
	} else if (read_rules_plain_text(&event)) {
		*text = strdup(read_rules_plain_text(&event));
		rc = *text ? 0 : lw_reader_no_memory(r);
	} else if (event.type == YAML_SEQUENCE_START_EVENT && field == LW_RULE_PATTERNS) {
		rc = read_list(r, rule, text);
	} else {
		rules_complain(r, rule, lw_reader_line(&event), name, WANTS_WORD);
		rc = lw_reader_skip(r, &event);
	}
	yaml_event_delete(&event);
	return rc;
}

/* One "field: value" of a rule, the field being in EVENT. */
static int read_rules_read_pair(struct reader *r, const yaml_event_t *event, void *arg)
{
	const char *word = event->type == YAML_SCALAR_EVENT ? lw_reader_text(event) : NULL;
	int field = read_rules_find_field(word), rc;

	if (field >= 0)
		return read_field(r, arg, field);
	rules_complain(r, arg, lw_reader_line(event), word ? word : "?",
		       "is none of name, place, points, kind, patterns, off");
	rc = lw_reader_skip(r, event);
	return rc ? rc : lw_reader_skip_value(r);
}

/* Take RULE into LIST unless it is broken. */
static int rules_take(struct reader *r, struct rule *rule, struct lw_rule_list *list, int rc)
{
	if (!rc && !rule->broken) {
		if (lw_grow((void **)&list->rule, &list->room, list->rules + 1,
			    sizeof(*list->rule)))
			rc = lw_reader_no_memory(r);
		else
			list->rule[list->rules++] = rule->line;
	}
	for (int i = 0; (rc || rule->broken) && i < LW_RULE_FIELDS; i++)
		free(rule->line.text[i]);
	return rc;
}

static int read_rules_read_item(struct reader *r, const yaml_event_t *event, void *arg)
{
	struct rule rule = { .line.line = lw_reader_line(event) };

	if (event->type == YAML_MAPPING_START_EVENT)
		return rules_take(
			r, &rule, arg,
			lw_reader_each(r, YAML_MAPPING_END_EVENT, read_rules_read_pair, &rule));
	rules_complain(r, &rule, rule.line.line, "-",
		       "wants a mapping such as {name: x, off: yes}");
	return lw_reader_skip(r, event);
}

int lw_reader_rules(struct reader *r, const struct lw_key *key)
{
	return lw_reader_each(r, YAML_SEQUENCE_END_EVENT, read_rules_read_item,
			      (char *)r->cfg + key->offset);
}
