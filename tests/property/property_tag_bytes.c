/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the rules that match a text are those whose patterns do. */
#include "tagger/tag_judge.h"
#include "property/prng.h"
#include "property/tap.h"

#include <string.h>

/* ---- patterns ---- */

static char low(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* As slow and plain as can be. */
static bool matches(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
	if (!*pattern || !*text)
		return !*pattern && !*text;
	return low(*pattern) == low(*text) && matches(pattern + 1, text + 1);
}

static void make_word(struct prng *prng, bool pattern, char *word)
{
	uint32_t len = prng_between(prng, 1, pattern ? 7 : 12);

	for (uint32_t i = 0; i < len; i++)
		word[i] = pattern && prng_chance(prng, 25) ? '*'
							   : "abAB-_ "[prng_between(prng, 0, 6)];
	word[len] = '\0';
}

#define PATTERNS 40

/* Of a rule with one pattern, and of others that are not of its place. */
static int rules_match(uint64_t seed, struct lw_strbuf *why)
{
	char pattern[PATTERNS][8], word[16];
	struct prng prng = { seed };
	struct lw_shell_word text;
	struct lw_tag_rules *rules = NULL;
	uint32_t first = 0;
	int rc = lw_tag_rules_create(&rules);

	while (!rc && lw_tag_rules_at(rules, first))
		first++;
	for (int i = 0; !rc && i < PATTERNS; i++) {
		struct lw_tag_rule rule = { "own", LW_TAG_PARTITION, 1, LW_TAG_NONE, pattern[i] };

		make_word(&prng, true, pattern[i]);
		rule.place = i % 2 ? LW_TAG_PARTITION : LW_TAG_PROGRAM;
		rc = lw_tag_rules_add(rules, &rule, NULL);
	}
	for (int round = 0; !rc && round < 50; round++) {
		enum lw_tag_place place = round % 2 ? LW_TAG_PARTITION : LW_TAG_PROGRAM;
		struct lw_tag_fired fired = { 0 };

		make_word(&prng, false, word);
		text = tag_word(word, word + strlen(word));
		lw_tag_rules_match(rules, place, word, strlen(word), &fired);
		for (int i = 0; !rc && i < PATTERNS; i++) {
			bool found = fired.rule[first + (uint32_t)i];

			if (found != (i % 2 == round % 2 && matches(pattern[i], word)))
				rc = BROKEN(why, "%s and %s: found %d\n", pattern[i], word,
					    found);
			else if (found && round % 2 == 0 &&
				 !lw_tag_rules_may_begin(rules, &text))
				rc = BROKEN(why, "%s may begin %s\n", word, pattern[i]);
		}
	}
	lw_tag_rules_destroy(rules);
	return rc;
}

static const struct property properties[] = {
	{ "rules are found whose patterns match, and no others", rules_match, 2000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
