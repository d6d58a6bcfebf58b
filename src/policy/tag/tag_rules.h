/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of tag recognition, indexed for matching; private to tag*.c. */
#ifndef LW_POLICY_TAG_TAG_RULES_H
#define LW_POLICY_TAG_TAG_RULES_H

#include "policy/tag/tag.h"
#include "policy/tag/tag_index.h"

/* Patterns of the rules of PLACE; ids are indices of rules. */
const struct lw_tag_index *lw_tag_rules_index(const struct lw_tag_rules *rules,
					      enum lw_tag_place place);
/* Programs and options that tag_verbs.c knows; ids are indices of its tables. */
const struct lw_tag_index *lw_tag_rules_verbs(const struct lw_tag_rules *rules);
const struct lw_tag_index *lw_tag_rules_flags(const struct lw_tag_rules *rules);

uint32_t lw_tag_rules_count(const struct lw_tag_rules *rules);
const struct lw_tag_rule *lw_tag_rules_at(const struct lw_tag_rules *rules, uint32_t index);
/* The first rule of the same name as rule INDEX: what it is counted under. */
uint32_t lw_tag_rules_group(const struct lw_tag_rules *rules, uint32_t index);

/* Add all programs and options. 0 or -ENOMEM. */
int lw_tag_verbs_add(struct lw_tag_index *verb_index, struct lw_tag_index *flag_index);

#endif
