/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of tag recognition, indexed for matching; private to tag*.c. */
#ifndef LW_POLICY_TAG_TAG_RULES_H
#define LW_POLICY_TAG_TAG_RULES_H

#include "policy/tag/hot.h"
#include "policy/tag/shell.h"
#include "policy/tag/tag.h"
#include "policy/tag/tag_index.h"

/*
 * The spaces of the index: patterns of the rules of each place, whose ids are indices of
 * rules, and programs and options that tag_verbs.c knows, of its tables.
 */
enum {
	LW_TAG_SPACE_VERBS = LW_TAG_PLACE_COUNT,
	LW_TAG_SPACE_FLAGS,
	LW_TAG_SPACE_COUNT,
};

/* Open to this folder: a call to have a pointer to a part of it costs more than the part. */
struct lw_tag_rules {
	struct lw_tag_rule *rule;
	uint16_t *group; /* of each rule, the first of its name: what it is counted under */
	uint32_t rules, rule_room, group_room;
	uint64_t against[LW_TAG_RULES_MAX / 64]; /* those of scripts that take points, as bits */
	struct lw_shell_known known; /* what lw_tag_wish() says of common words */
	struct lw_tag_index index;
};

static inline const struct lw_tag_index *lw_tag_rules_index(const struct lw_tag_rules *rules)
{
	return &rules->index;
}

static inline const struct lw_shell_known *lw_tag_rules_known(const struct lw_tag_rules *rules)
{
	return &rules->known;
}

static inline const struct lw_tag_rule *lw_tag_rules_at(const struct lw_tag_rules *rules,
							uint32_t index)
{
	return &rules->rule[index];
}

static inline uint32_t lw_tag_rules_group(const struct lw_tag_rules *rules, uint32_t index)
{
	return rules->group[index];
}

/* Add all programs and options. 0 or -ENOMEM. */
int lw_tag_verbs_add(struct lw_tag_index *index);
/* Ask for what is known of them. */
void lw_tag_verbs_prefetch(void);

/*
 * What to do with a command that begins with WORD: what is neither known nor the beginning of
 * something known is of no interest.
 */
enum lw_shell_wish lw_tag_wish(const struct lw_tag_rules *rules, const struct lw_shell_word *word);
/* The same, but of no interest is all that does not run a program. */
enum lw_shell_wish lw_tag_wish_program(const struct lw_tag_rules *rules,
				       const struct lw_shell_word *word);
/* Ask lw_tag_wish() for the words that most commands begin with. */
void lw_tag_wish_common(const struct lw_tag_rules *rules, struct lw_shell_known *ret_known);

#endif
