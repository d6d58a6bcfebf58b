/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lists of rules in leeway.yaml: their form; what they say is read elsewhere. */
/*
 * All other settings are taken as a whole or not at all. A list of rules is long and kept
 * by people who know jobs rather than schedulers, so that one mistake in it must not take
 * the other rules, or the scheduler's settings, with it.
 */
#include "config/reader.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The rule that is being read. */
struct rule {
	struct lw_rule_line line;
	bool broken;
	struct lw_strbuf *complaints;
};

static int out_of_memory(struct reader *r)
{
	return lw_error_set(r->err, -ENOMEM, "%s: out of memory", r->name);
}

static void complain(const struct reader *r, struct rule *rule, unsigned line, const char *what,
		     const char *remedy)
{
	char quoted[PATH_BYTES];

	rule->broken = true;
	lw_strbuf_add(rule->complaints, "%s:%u: tag.rules: %s%s%s\n", r->name, line,
		      lw_key_quote(what, quoted, sizeof(quoted)), *remedy ? " " : "", remedy);
}

/* What is in a list or mapping that EVENT opened, if it did. */
static int skip(struct reader *r, const yaml_event_t *event)
{
	int depth = event->type == YAML_MAPPING_START_EVENT ||
		    event->type == YAML_SEQUENCE_START_EVENT;
	int rc = 0;

	while (!rc && depth > 0) {
		yaml_event_t inner;

		rc = lw_reader_next(r, &inner);
		if (rc)
			break;
		depth += inner.type == YAML_MAPPING_START_EVENT ||
			 inner.type == YAML_SEQUENCE_START_EVENT;
		depth -= inner.type == YAML_MAPPING_END_EVENT ||
			 inner.type == YAML_SEQUENCE_END_EVENT;
		yaml_event_delete(&inner);
	}
	return rc;
}

static int find_field(const char *name)
{
	for (int i = 0; name && i < LW_RULE_FIELDS; i++)
		if (!strcmp(name, lw_rule_field_name((enum lw_rule_field)i)))
			return i;
	return -ENOENT;
}

/* Patterns may be a list: they are joined by '|'. */
static int read_list(struct reader *r, struct rule *rule, char **ret_text)
{
	struct lw_strbuf joined = LW_STRBUF_INIT;
	bool end = false;
	int rc = 0;

	while (!rc && !end) {
		yaml_event_t event;

		rc = lw_reader_next(r, &event);
		if (rc)
			break;
		end = event.type == YAML_SEQUENCE_END_EVENT;
		if (event.type == YAML_SCALAR_EVENT && lw_reader_text(&event))
			lw_strbuf_add(&joined, "%s%s", joined.len ? "|" : "",
				      lw_reader_text(&event));
		else if (!end)
			complain(r, rule, lw_reader_line(&event), "patterns", "wants words");
		if (!end)
			rc = skip(r, &event);
		yaml_event_delete(&event);
	}
	if (!rc && joined.error)
		rc = out_of_memory(r);
	if (rc)
		lw_strbuf_fini(&joined);
	else
		*ret_text = joined.text;
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
		complain(r, rule, lw_reader_line(&event), name, "is given twice; keep one");
		rc = skip(r, &event);
	} else if (event.type == YAML_SCALAR_EVENT && lw_reader_text(&event)) {
		*text = strdup(lw_reader_text(&event));
		rc = *text ? 0 : out_of_memory(r);
	} else if (event.type == YAML_SEQUENCE_START_EVENT && field == LW_RULE_PATTERNS) {
		rc = read_list(r, rule, text);
	} else {
		complain(r, rule, lw_reader_line(&event), name, "wants one word");
		rc = skip(r, &event);
	}
	yaml_event_delete(&event);
	return rc;
}

/* A value that belongs to no field. */
static int read_unknown(struct reader *r)
{
	yaml_event_t event;
	int rc = lw_reader_next(r, &event);

	if (rc)
		return rc;
	rc = skip(r, &event);
	yaml_event_delete(&event);
	return rc;
}

/* The pairs of one rule, up to the end of its mapping. */
static int read_rule(struct reader *r, struct rule *rule)
{
	bool end = false;
	int rc = 0;

	while (!rc && !end) {
		yaml_event_t event;
		int field = -ENOENT;

		rc = lw_reader_next(r, &event);
		if (rc)
			break;
		end = event.type == YAML_MAPPING_END_EVENT;
		if (event.type == YAML_SCALAR_EVENT)
			field = find_field(lw_reader_text(&event));
		if (!end && field < 0) {
			complain(r, rule, lw_reader_line(&event),
				 event.type == YAML_SCALAR_EVENT && lw_reader_text(&event)
					 ? lw_reader_text(&event)
					 : "?",
				 "is none of name, place, points, kind, patterns, off");
			rc = skip(r, &event);
		}
		yaml_event_delete(&event);
		if (!rc && !end)
			rc = field < 0 ? read_unknown(r) : read_field(r, rule, field);
	}
	return rc;
}

/* Take RULE into LIST unless it is broken. */
static int take(struct reader *r, struct rule *rule, struct lw_rule_list *list, int rc)
{
	if (!rc && !rule->broken) {
		if (lw_grow((void **)&list->rule, &list->room, list->rules + 1,
			    sizeof(*list->rule)))
			rc = out_of_memory(r);
		else
			list->rule[list->rules++] = rule->line;
	}
	for (int i = 0; (rc || rule->broken) && i < LW_RULE_FIELDS; i++)
		free(rule->line.text[i]);
	return rc;
}

static int read_item(struct reader *r, const yaml_event_t *event, struct lw_rule_list *list,
		     struct lw_strbuf *complaints)
{
	struct rule rule = { .line.line = lw_reader_line(event), .complaints = complaints };

	if (event->type == YAML_MAPPING_START_EVENT)
		return take(r, &rule, list, read_rule(r, &rule));
	complain(r, &rule, rule.line.line, "-", "wants a mapping such as {name: x, off: yes}");
	return skip(r, event);
}

int lw_reader_rules(struct reader *r, const struct lw_key *key)
{
	struct lw_rule_list *list = (void *)((char *)r->cfg + key->offset);
	struct lw_strbuf complaints = LW_STRBUF_INIT;
	bool end = false;
	int rc = 0;

	while (!rc && !end) {
		yaml_event_t event;

		rc = lw_reader_next(r, &event);
		if (rc)
			break;
		end = event.type == YAML_SEQUENCE_END_EVENT;
		if (!end)
			rc = read_item(r, &event, list, &complaints);
		yaml_event_delete(&event);
	}
	if (!rc && complaints.error)
		rc = out_of_memory(r);
	if (rc)
		lw_strbuf_fini(&complaints);
	else
		list->complaints = complaints.text;
	return rc;
}
