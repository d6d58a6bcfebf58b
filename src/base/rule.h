/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of a table as they are written in files. */
#ifndef LW_BASE_RULE_H
#define LW_BASE_RULE_H

#include <stdint.h>

/* The fields of a rule. */
enum lw_rule_field {
	LW_RULE_NAME,
	LW_RULE_PLACE,
	LW_RULE_POINTS,
	LW_RULE_KIND,
	LW_RULE_PATTERNS,
	LW_RULE_OFF,
	LW_RULE_FIELDS,
};

struct lw_rule_line {
	unsigned line;              /* of the file */
	char *text[LW_RULE_FIELDS]; /* NULL: not given */
};

struct lw_rule_list {
	struct lw_rule_line *rule;
	uint32_t rules, room;
};

/* "name", "place", ... */
const char *lw_rule_field_name(enum lw_rule_field field);

/* Free all it holds; safe on a zeroed or already finished one. */
void lw_rule_list_fini(struct lw_rule_list *list);

#endif
