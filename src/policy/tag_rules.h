/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of tag recognition, indexed for matching; private to tag*.c. */
#ifndef LW_POLICY_TAG_RULES_H
#define LW_POLICY_TAG_RULES_H

#include "policy/tag.h"

/* Called for every rule of which a pattern matches. */
typedef void (*lw_tag_hit_f)(void *arg, uint32_t rule);

/* Find all rules of PLACE that match TEXT (LEN bytes); a rule may be reported twice. */
void lw_tag_rules_match(const struct lw_tag_rules *rules, enum lw_tag_place place,
			const char *text, size_t len, lw_tag_hit_f hit, void *arg);

uint32_t lw_tag_rules_count(const struct lw_tag_rules *rules);
const struct lw_tag_rule *lw_tag_rules_at(const struct lw_tag_rules *rules,
					  uint32_t index);

#endif
