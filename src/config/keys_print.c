/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the values of configuration keys as text. */
#include "config/keys_print.h"

#include "base/duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MILLION INT64_C(1000000) /* of LW_KEY_DECIMALS */

size_t lw_choice_len(const char *p)
{
	return strcspn(p, "|");
}

const char *lw_choice_next(const char *p)
{
	p += lw_choice_len(p);
	return *p ? p + 1 : NULL;
}

static void keys_print_add_choice(const char *choices, int idx, struct lw_strbuf *out)
{
	const char *p = choices;

	while (p && idx-- > 0)
		p = lw_choice_next(p);
	if (p)
		lw_strbuf_add_bytes(out, p, lw_choice_len(p));
}

void lw_choices_print(const char *choices, struct lw_strbuf *out)
{
	for (const char *p = choices; p; p = lw_choice_next(p)) {
		lw_strbuf_add(out, "%s", p == choices ? "" : ", ");
		lw_strbuf_add_bytes(out, p, lw_choice_len(p));
	}
}

/* VALUE as "0.1" or "2.0": at least one decimal, none that say nothing. */
static void keys_print_add_double(double value, struct lw_strbuf *out)
{
	int64_t millionths = llround(value * (double)MILLION);
	char text[48];
	size_t len;

	snprintf(text, sizeof(text), "%" PRId64 ".%0*" PRId64, millionths / MILLION,
		 LW_KEY_DECIMALS, millionths % MILLION);
	len = strlen(text);
	while (text[len - 1] == '0' && text[len - 2] != '.')
		text[--len] = '\0';
	lw_strbuf_add(out, "%s", text);
}

static void keys_print_add_duration(int64_t seconds, struct lw_strbuf *out)
{
	char text[48];

	lw_duration_print_exact(seconds, text, sizeof(text));
	lw_strbuf_add(out, "%s", text);
}

/*
 * In YAML's single quotes everything but the quote itself stands for itself: all that is printed so
 * was found to be plain (base/plain.h) when it was read, else its line breaks would be folded.
 */
static void keys_print_add_path(const char *path, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "'");
	for (const char *p = path ? path : ""; *p; p++)
		lw_strbuf_add(out, *p == '\'' ? "''" : "%c", *p);
	lw_strbuf_add(out, "'");
}

/* In the flow form of YAML: "[{name: 'x', off: 'yes'}]" */
static void keys_print_add_rules(const struct lw_rule_list *list, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "[");
	for (uint32_t i = 0; i < list->rules; i++) {
		const char *separator = "";

		lw_strbuf_add(out, "%s{", i ? ", " : "");
		for (int k = 0; k < LW_RULE_FIELDS; k++) {
			if (!list->rule[i].text[k])
				continue;
			lw_strbuf_add(out, "%s%s: ", separator,
				      lw_rule_field_name((enum lw_rule_field)k));
			keys_print_add_path(list->rule[i].text[k], out);
			separator = ", ";
		}
		lw_strbuf_add(out, "}");
	}
	lw_strbuf_add(out, "]");
}

static void keys_print_add_domains(const struct lw_node_list *list, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "[");
	for (uint32_t i = 0; i < list->lines; i++) {
		lw_strbuf_add(out, "%s{name: ", i ? ", " : "");
		keys_print_add_path(list->line[i].name, out);
		lw_strbuf_add(out, ", nodes: ");
		keys_print_add_path(list->line[i].nodes, out);
		lw_strbuf_add(out, "}");
	}
	lw_strbuf_add(out, "]");
}

static void keys_print_add_islands(const struct lw_node_list *list, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "[");
	for (uint32_t i = 0; i < list->lines; i++) {
		lw_strbuf_add(out, "%s{nodes: ", i ? ", " : "");
		keys_print_add_path(list->line[i].nodes, out);
		lw_strbuf_add(out, ", gpus: %" PRIu32 "}", list->line[i].gpus);
	}
	lw_strbuf_add(out, "]");
}

void lw_key_print_number(const struct lw_key *key, double value, struct lw_strbuf *out)
{
	if (key->type == LW_KEY_TYPE_BOOL)
		lw_strbuf_add(out, "%s", value != 0 ? "yes" : "no");
	else if (key->type == LW_KEY_TYPE_ENUM)
		keys_print_add_choice(key->choices, (int)value, out);
	else if (key->type == LW_KEY_TYPE_DURATION)
		keys_print_add_duration((int64_t)value, out);
	else if (key->type == LW_KEY_TYPE_DOUBLE)
		keys_print_add_double(value, out);
	else
		lw_strbuf_add(out, "%" PRIu32, (uint32_t)value);
}

void lw_key_print(const struct lw_key *key, const struct lw_config *cfg, struct lw_strbuf *out)
{
	const char *field = (const char *)cfg + key->offset;

	if (key->type == LW_KEY_TYPE_PATH || key->type == LW_KEY_TYPE_WORDS)
		keys_print_add_path(*(char *const *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_RULES)
		keys_print_add_rules((const struct lw_rule_list *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_DOMAINS)
		keys_print_add_domains((const struct lw_node_list *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_ISLANDS)
		keys_print_add_islands((const struct lw_node_list *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_BOOL)
		lw_key_print_number(key, *(const bool *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_COUNT)
		lw_key_print_number(key, *(const uint32_t *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_DOUBLE)
		lw_key_print_number(key, *(const double *)(const void *)field, out);
	else if (key->type == LW_KEY_TYPE_DURATION)
		lw_key_print_number(key, (double)*(const int64_t *)(const void *)field, out);
	else
		lw_key_print_number(key, *(const int *)(const void *)field, out);
}

void lw_key_describe(const struct lw_key *key, struct lw_strbuf *out)
{
	if (key->type == LW_KEY_TYPE_PATH) {
		lw_strbuf_add(out, "An absolute path; default empty");
		return;
	}
	if (key->type == LW_KEY_TYPE_WORDS) {
		lw_strbuf_add(out, "Words; default empty");
		return;
	}
	if (key->type == LW_KEY_TYPE_RULES || key->type == LW_KEY_TYPE_DOMAINS ||
	    key->type == LW_KEY_TYPE_ISLANDS) {
		lw_strbuf_add(out, "A list of mappings; default []");
		return;
	}
	if (key->type == LW_KEY_TYPE_BOOL) {
		lw_strbuf_add(out, "yes or no");
	} else if (key->type == LW_KEY_TYPE_ENUM) {
		lw_strbuf_add(out, "One of ");
		lw_choices_print(key->choices, out);
	} else {
		lw_key_print_number(key, key->min, out);
		lw_strbuf_add(out, " to ");
		lw_key_print_number(key, key->max, out);
	}
	lw_strbuf_add(out, "; default ");
	lw_key_print_number(key, key->def, out);
}
