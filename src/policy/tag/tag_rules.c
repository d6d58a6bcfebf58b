/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of tag recognition, indexed for matching; private to tag*.c. */
#include "policy/tag/tag_rules.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEN_MAX 24

_Static_assert(LW_TAG_RULES_MAX <= LW_TAG_INDEX_IDS, "too few ids");
_Static_assert((int)LW_TAG_SPACE_COUNT <= LW_TAG_INDEX_SPACES, "too few spaces");

static const struct lw_tag_rule builtin[] = {
#define LW_TAG_RULE(name, place, weight, class, patterns)                                \
	{ name, LW_TAG_##place, weight, LW_TAG_##class, patterns },
#include "policy/tag/tag_rules.def"
#undef LW_TAG_RULE
};

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
		if (!*p || *p == '|')
			return lw_error_set(err, -EINVAL, "rule %s: an empty pattern",
					    rule->name);
	return rule->patterns
		       ? 0
		       : lw_error_set(err, -EINVAL, "rule %s: no pattern", rule->name);
}

static uint16_t find_group(const struct lw_tag_rules *rules, const char *name)
{
	for (uint32_t i = 0; i < rules->rules; i++)
		if (!strcmp(rules->rule[i].name, name))
			return (uint16_t)i;
	return (uint16_t)rules->rules;
}

/* On failure those that were added find a rule that is switched off. */
static int add_patterns(struct lw_tag_rules *rules, const struct lw_tag_rule *rule)
{
	const char *p = rule->patterns;
	int rc = 0;

	while (!rc && p) {
		size_t len = strcspn(p, "|");

		rc = lw_tag_index_add(&rules->index, rule->place, p, len,
				      (uint16_t)rules->rules);
		p = p[len] ? p + len + 1 : NULL;
	}
	return rc;
}

static int add_rule(struct lw_tag_rules *rules, const struct lw_tag_rule *rule,
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
	    lw_grow((void **)&rules->group, &rules->group_room, rules->rules + 1,
		    sizeof(*rules->group)))
		return lw_error_set(err, -ENOMEM, "rule %s: out of memory", rule->name);
	rules->group[rules->rules] = find_group(rules, rule->name);
	rules->rule[rules->rules] = *rule;
	rc = add_patterns(rules, rule);
	if (rc)
		rules->rule[rules->rules].weight = 0;
	else if (rule->place == LW_TAG_ENTRY && rule->weight < 0)
		rules->against[rules->rules / 64] |= UINT64_C(1) << rules->rules % 64;
	rules->rules++;
	if (rc == -ENOSPC)
		return lw_error_set(err, rc, "rule %s: too many patterns, or one too long",
				    rule->name);
	return rc ? lw_error_set(err, rc, "rule %s: out of memory", rule->name) : 0;
}

int lw_tag_rules_add(struct lw_tag_rules *rules, const struct lw_tag_rule *rule,
		     struct lw_error *err)
{
	int rc = add_rule(rules, rule, err);

	if (lw_tag_index_seal(&rules->index, LW_TAG_SPACE_VERBS) && !rc)
		rc = lw_error_set(err, -ENOMEM, "rule %s: out of memory", rule->name);
	lw_tag_wish_common(rules, &rules->known);
	return rc;
}

int lw_tag_rules_disable(struct lw_tag_rules *rules, const char *name)
{
	int rc = -ENOENT;

	for (uint32_t i = 0; i < rules->rules; i++)
		if (!strcmp(rules->rule[i].name, name)) {
			rules->rule[i].weight = 0;
			rules->against[i / 64] &= ~(UINT64_C(1) << i % 64);
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
	lw_tag_index_init(&rules->index);
	rc = lw_tag_verbs_add(&rules->index);
	for (size_t i = 0; !rc && i < sizeof(builtin) / sizeof(builtin[0]); i++)
		rc = add_rule(rules, &builtin[i], NULL);
	if (!rc)
		rc = lw_tag_index_seal(&rules->index, LW_TAG_SPACE_VERBS);
	if (rc) {
		lw_tag_rules_destroy(rules);
		return rc;
	}
	lw_tag_wish_common(rules, &rules->known);
	*ret_rules = rules;
	return 0;
}

void lw_tag_rules_destroy(struct lw_tag_rules *rules)
{
	if (!rules)
		return;
	lw_tag_index_fini(&rules->index);
	free(rules->rule);
	free(rules->group);
	free(rules);
}
