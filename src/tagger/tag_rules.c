/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the set of rules that tell deep learning, and which of them match a text. */
/*
 * Patterns hang in chains by the letter they begin with, behind a '*' if there is one, so that
 * a text is held against few of the thousand there are.
 */
#include "tagger/tag_judge.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEN_MAX 24
/* Texts are looked at this far. */
#define TEXT_MAX 256
/* Chains of a place: by the low bits of a letter, and one for "*" alone. */
#define LETTERS    64
#define NO_LETTER  LETTERS
#define NO_PATTERN UINT32_MAX

struct tag_pattern {
	const char *text; /* behind the '*' of one that floats */
	uint32_t len;
	uint32_t next; /* of its chain */
	uint32_t rule;
	char second; /* letter, which most texts have not; '*' for none */
};

struct tag_patterns_of {
	uint32_t begins[LETTERS + 1]; /* chains of patterns that begin as the text does */
	uint32_t floats[LETTERS + 1]; /* and of patterns that begin with a '*' */
};

struct lw_tag_rules {
	struct lw_tag_rule *rule;
	struct tag_pattern *pattern;
	uint32_t rules, rule_room, patterns, pattern_room;
	struct tag_patterns_of place[LW_TAG_PLACE_COUNT];
};

static const struct lw_tag_rule builtin[] = {
#define LW_TAG_RULE(name, place, weight, class, patterns)                                        \
	{ name, LW_TAG_##place, weight, LW_TAG_##class, patterns },
#include "tagger/tag_rules.def"
#undef LW_TAG_RULE
};

/* ---- matching ---- */

/* not tolower(): no locale has a say here */
static char tag_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned tag_letter_of(char c)
{
	return (unsigned char)c % LETTERS;
}

/*
 * TEXT is in lower case. Going back to the last '*' alone is enough, so this is at most LEN *
 * pattern steps.
 */
static bool tag_matches(const char *pattern, size_t pattern_len, const char *text, size_t len)
{
	const char *end = pattern + pattern_len, *star = NULL;
	size_t i = 0, retry = 0;

	while (i < len) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			retry = i;
		} else if (pattern < end && tag_lower(*pattern) == text[i]) {
			pattern++;
			i++;
		} else if (star) {
			pattern = star;
			i = ++retry;
		} else {
			return false;
		}
		if (star == end)
			return true;
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

/* Write TEXT, which is not empty, to LOW as far as texts are looked at; its length. */
static size_t tag_lowered(const char *text, size_t len, char low[TEXT_MAX])
{
	size_t i = 0;

	do
		low[i] = tag_lower(text[i]);
	while (++i < len && i < TEXT_MAX);
	return i;
}

static void tag_match_chain(const struct lw_tag_rules *rules, uint32_t chain, const char *text,
			    size_t len, struct lw_tag_fired *fired)
{
	for (uint32_t i = chain; i != NO_PATTERN; i = rules->pattern[i].next) {
		const struct tag_pattern *p = &rules->pattern[i];

		if ((p->second == '*' || (len > 1 && p->second == text[1])) &&
		    tag_matches(p->text, p->len, text, len))
			tag_fire(fired, p->rule);
	}
}

void lw_tag_rules_match(const struct lw_tag_rules *rules, enum lw_tag_place place,
			const char *text, size_t len, struct lw_tag_fired *fired)
{
	const struct tag_patterns_of *in = &rules->place[place];
	char low[TEXT_MAX];

	if (!len)
		return;
	len = tag_lowered(text, len, low);
	tag_match_chain(rules, in->begins[tag_letter_of(*low)], low, len, fired);
	for (size_t at = 0; at < len; at++)
		tag_match_chain(rules, in->floats[tag_letter_of(low[at])], low + at, len - at,
				fired);
	tag_match_chain(rules, in->floats[NO_LETTER], low, len, fired);
}

void lw_tag_rules_match_pair(const struct lw_tag_rules *rules, enum lw_tag_place place,
			     const struct lw_shell_word *first,
			     const struct lw_shell_word *second, struct lw_tag_fired *fired)
{
	char pair[64];

	if (first->len + 1 + second->len > sizeof(pair))
		return;
	memcpy(pair, first->text, first->len);
	pair[first->len] = ' ';
	memcpy(pair + first->len + 1, second->text, second->len);
	lw_tag_rules_match(rules, place, pair, first->len + 1 + second->len, fired);
}

bool lw_tag_rules_may_begin(const struct lw_tag_rules *rules, const struct lw_shell_word *word)
{
	const uint32_t *begins = rules->place[LW_TAG_PROGRAM].begins;
	struct lw_tag_fired fired = { 0 };
	char low[TEXT_MAX];
	size_t len;

	if (!word->len)
		return false;
	len = tag_lowered(word->text, word->len, low);
	for (uint32_t i = begins[tag_letter_of(*low)]; i != NO_PATTERN;
	     i = rules->pattern[i].next) {
		const struct tag_pattern *p = &rules->pattern[i];
		const char *blank = memchr(p->text, ' ', p->len);

		if (blank && tag_matches(p->text, (size_t)(blank - p->text), low, len))
			return true;
	}
	lw_tag_rules_match(rules, LW_TAG_PROGRAM, word->text, word->len, &fired);
	return fired.count;
}

const struct lw_tag_rule *lw_tag_rules_at(const struct lw_tag_rules *rules, uint32_t number)
{
	return number < rules->rules ? &rules->rule[number] : NULL;
}

/* ---- adding ---- */

static int tag_check_name(const char *name, struct lw_error *err)
{
	size_t len = name ? strlen(name) : 0;

	if (!len || len > NAME_LEN_MAX)
		return lw_error_set(err, -EINVAL, "a rule's name has 1 to %d characters",
				    NAME_LEN_MAX);
	if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") < len)
		return lw_error_set(err, -EINVAL, "rule %s: a name has only a-z, 0-9 and '-'",
				    name);
	return 0;
}

/* Whether a pattern of PATTERNS is empty. */
static bool tag_has_empty(const char *patterns)
{
	size_t len = strlen(patterns);

	return !len || *patterns == '|' || patterns[len - 1] == '|' || strstr(patterns, "||");
}

static int tag_check_rule(const struct lw_tag_rule *rule, struct lw_error *err)
{
	const char *wrong = (unsigned)rule->place >= LW_TAG_PLACE_COUNT   ? "no such place"
			    : (unsigned)rule->class >= LW_TAG_CLASS_COUNT ? "no such class"
			    : !rule->patterns                             ? "no pattern"
			    : tag_has_empty(rule->patterns)               ? "an empty pattern"
									  : NULL;
	int rc = tag_check_name(rule->name, err);

	if (rc)
		return rc;
	if (rule->weight < -100 || rule->weight > 100)
		return lw_error_set(err, -EINVAL, "rule %s: %d points are not in -100 .. 100",
				    rule->name, rule->weight);
	return wrong ? lw_error_set(err, -EINVAL, "rule %s: %s", rule->name, wrong) : 0;
}

/* Hang the LEN bytes at TEXT, a pattern of rule NUMBER, where a text leads to it. */
static void tag_hang(struct lw_tag_rules *rules, const char *text, size_t len, uint32_t number)
{
	struct tag_patterns_of *place = &rules->place[rules->rule[number].place];
	const char *end = text + len;
	bool floats = *text == '*';
	uint32_t *chain;

	while (text < end && *text == '*')
		text++;
	chain = &(
		floats ? place->floats
		       : place->begins)[text < end ? tag_letter_of(tag_lower(*text)) : NO_LETTER];
	/* what is left of "*" matches anything when it is one again */
	if (text == end)
		text--;
	rules->pattern[rules->patterns] = (struct tag_pattern){
		.text = text,
		.len = (uint32_t)(end - text),
		.next = *chain,
		.rule = number,
		.second = end - text > 1 && *text != '*' ? tag_lower(text[1]) : '*',
	};
	*chain = rules->patterns++;
}

static uint32_t tag_count_patterns(const char *patterns)
{
	uint32_t count = 1;

	for (; *patterns; patterns++)
		count += *patterns == '|';
	return count;
}

int lw_tag_rules_add(struct lw_tag_rules *rules, const struct lw_tag_rule *rule,
		     struct lw_error *err)
{
	int rc = tag_check_rule(rule, err);

	if (rc)
		return rc;
	if (rules->rules >= LW_TAG_RULES_MAX)
		return lw_error_set(err, -ENOSPC, "rule %s: more than %d rules", rule->name,
				    LW_TAG_RULES_MAX);
	if (lw_grow((void **)&rules->rule, &rules->rule_room, rules->rules + 1,
		    sizeof(*rules->rule)) ||
	    lw_grow((void **)&rules->pattern, &rules->pattern_room,
		    rules->patterns + tag_count_patterns(rule->patterns),
		    sizeof(*rules->pattern)))
		return lw_error_set(err, -ENOMEM, "rule %s: out of memory", rule->name);
	rules->rule[rules->rules] = *rule;
	for (const char *p = rule->patterns; *p; p += *p == '|') {
		size_t len = strcspn(p, "|");

		tag_hang(rules, p, len, rules->rules);
		p += len;
	}
	rules->rules++;
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
	memset(rules->place, 0xff, sizeof(rules->place)); /* NO_PATTERN */
	for (size_t i = 0; !rc && i < sizeof(builtin) / sizeof(builtin[0]); i++)
		rc = lw_tag_rules_add(rules, &builtin[i], NULL);
	if (rc)
		lw_tag_rules_destroy(rules);
	else
		*ret_rules = rules;
	return rc;
}

void lw_tag_rules_destroy(struct lw_tag_rules *rules)
{
	if (!rules)
		return;
	free(rules->rule);
	free(rules->pattern);
	free(rules);
}
