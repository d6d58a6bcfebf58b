/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of tag recognition, indexed for matching; private to tag*.c. */
#include "policy/tag_rules.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A pattern is found by its first character; one that begins with '*' is always tried. */
#define FIRST_COUNT  39
#define FIRST_STAR   37
#define FIRST_OTHER  38
#define NONE         UINT32_MAX
#define TEXT_MAX     256
#define NAME_LEN_MAX 24

struct pattern {
	const char *text; /* ends at '|' or NUL */
	uint32_t rule;
	uint32_t next; /* of the same place and first character */
};

struct lw_tag_rules {
	struct lw_tag_rule *rule;
	struct pattern *pattern;
	uint32_t rules, rule_room;
	uint32_t patterns, pattern_room;
	uint32_t head[LW_TAG_PLACE_COUNT][FIRST_COUNT];
};

static const struct lw_tag_rule builtin[] = {
#define LW_TAG_RULE(name, place, weight, class, patterns)                                \
	{ name, LW_TAG_##place, weight, LW_TAG_##class, patterns },
#include "policy/tag_rules.def"
#undef LW_TAG_RULE
};

/* not tolower(): no locale has a say here */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned first_of(char c)
{
	c = lower(c);
	if (c >= 'a' && c <= 'z')
		return (unsigned)(c - 'a');
	if (c >= '0' && c <= '9')
		return 26 + (unsigned)(c - '0');
	if (c == '-')
		return 36;
	return c == '*' ? FIRST_STAR : FIRST_OTHER;
}

static bool at_end(const char *pattern)
{
	return !*pattern || *pattern == '|';
}

/* Going back to the last '*' alone is enough, so this is at most LEN * pattern steps. */
static bool matches(const char *pattern, const char *text, size_t len)
{
	const char *star = NULL;
	size_t i = 0, retry = 0;

	while (i < len) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = i;
		} else if (!at_end(pattern) && lower(*pattern) == lower(text[i])) {
			pattern++;
			i++;
		} else if (star) {
			pattern = star;
			i = ++retry;
		} else {
			return false;
		}
		if (star && at_end(star))
			return true;
	}
	while (*pattern == '*')
		pattern++;
	return at_end(pattern);
}

static void match_list(const struct lw_tag_rules *rules, uint32_t first, const char *text,
		       size_t len, lw_tag_hit_f hit, void *arg)
{
	for (uint32_t i = first; i != NONE; i = rules->pattern[i].next)
		if (matches(rules->pattern[i].text, text, len))
			hit(arg, rules->pattern[i].rule);
}

void lw_tag_rules_match(const struct lw_tag_rules *rules, enum lw_tag_place place,
			const char *text, size_t len, lw_tag_hit_f hit, void *arg)
{
	if (!len)
		return;
	if (len > TEXT_MAX)
		len = TEXT_MAX;
	if (first_of(*text) != FIRST_STAR)
		match_list(rules, rules->head[place][first_of(*text)], text, len, hit,
			   arg);
	match_list(rules, rules->head[place][FIRST_STAR], text, len, hit, arg);
}

uint32_t lw_tag_rules_count(const struct lw_tag_rules *rules)
{
	return rules->rules;
}

const struct lw_tag_rule *lw_tag_rules_at(const struct lw_tag_rules *rules,
					  uint32_t index)
{
	return &rules->rule[index];
}

static int check_name(const char *name, struct lw_error *err)
{
	size_t len = name ? strlen(name) : 0;

	if (!len || len > NAME_LEN_MAX)
		return lw_error_set(err, -EINVAL, "a rule's name has 1 to %d characters",
				    NAME_LEN_MAX);
	for (size_t i = 0; i < len; i++)
		if (!(name[i] >= 'a' && name[i] <= 'z') &&
		    !(name[i] >= '0' && name[i] <= '9') && name[i] != '-')
			return lw_error_set(err, -EINVAL,
					    "rule %s: a name has only a-z, 0-9 and '-'",
					    name);
	return 0;
}

static int check_rule(const struct lw_tag_rule *rule, struct lw_error *err)
{
	int rc = check_name(rule->name, err);

	if (rc)
		return rc;
	if ((unsigned)rule->place >= LW_TAG_PLACE_COUNT)
		return lw_error_set(err, -EINVAL, "rule %s: no such place", rule->name);
	if ((unsigned)rule->class >= LW_TAG_CLASS_COUNT)
		return lw_error_set(err, -EINVAL, "rule %s: no such class", rule->name);
	if (rule->weight < -100 || rule->weight > 100)
		return lw_error_set(err, -EINVAL,
				    "rule %s: %d points are not in -100 .. 100",
				    rule->name, rule->weight);
	for (const char *p = rule->patterns; p;
	     p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
		if (at_end(p))
			return lw_error_set(err, -EINVAL, "rule %s: an empty pattern",
					    rule->name);
	return rule->patterns
		       ? 0
		       : lw_error_set(err, -EINVAL, "rule %s: no pattern", rule->name);
}

static uint32_t count_patterns(const char *patterns)
{
	uint32_t count = 1;

	for (; *patterns; patterns++)
		count += *patterns == '|';
	return count;
}

static void add_patterns(struct lw_tag_rules *rules, const struct lw_tag_rule *rule)
{
	uint32_t *head;
	const char *p = rule->patterns;

	while (p) {
		head = &rules->head[rule->place][first_of(*p)];
		rules->pattern[rules->patterns] = (struct pattern){ .text = p,
								    .rule = rules->rules,
								    .next = *head };
		*head = rules->patterns++;
		p = strchr(p, '|');
		if (p)
			p++;
	}
}

int lw_tag_rules_add(struct lw_tag_rules *rules, const struct lw_tag_rule *rule,
		     struct lw_error *err)
{
	int rc = check_rule(rule, err);

	if (rc)
		return rc;
	if (rules->rules >= LW_TAG_RULES_MAX)
		return lw_error_set(err, -ENOSPC, "rule %s: more than %d rules",
				    rule->name, LW_TAG_RULES_MAX);
	if (lw_grow((void **)&rules->rule, &rules->rule_room, rules->rules + 1,
		    sizeof(*rules->rule)) ||
	    lw_grow((void **)&rules->pattern, &rules->pattern_room,
		    rules->patterns + count_patterns(rule->patterns),
		    sizeof(*rules->pattern)))
		return lw_error_set(err, -ENOMEM, "rule %s: out of memory", rule->name);
	add_patterns(rules, rule);
	rules->rule[rules->rules++] = *rule;
	return 0;
}

int lw_tag_rules_disable(struct lw_tag_rules *rules, const char *name)
{
	int rc = -ENOENT;

	for (uint32_t i = 0; i < rules->rules; i++)
		if (!strcmp(rules->rule[i].name, name)) {
			rules->rule[i].weight = 0;
			rc = 0;
		}
	return rc;
}

int lw_tag_rules_create(struct lw_tag_rules **ret_rules)
{
	struct lw_tag_rules *rules = calloc(1, sizeof(*rules));
	int rc = rules ? 0 : -ENOMEM;

	if (rc)
		return rc;
	memset(rules->head, 0xff, sizeof(rules->head));
	for (size_t i = 0; !rc && i < sizeof(builtin) / sizeof(builtin[0]); i++)
		rc = lw_tag_rules_add(rules, &builtin[i], NULL);
	if (rc) {
		lw_tag_rules_destroy(rules);
		return rc;
	}
	*ret_rules = rules;
	return 0;
}

void lw_tag_rules_destroy(struct lw_tag_rules *rules)
{
	if (!rules)
		return;
	free(rules->rule);
	free(rules->pattern);
	free(rules);
}
