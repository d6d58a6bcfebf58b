/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of a table as they are written in files. */
#include "base/rule.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[LW_RULE_FIELDS] = {
	[LW_RULE_NAME] = "name", [LW_RULE_PLACE] = "place",       [LW_RULE_POINTS] = "points",
	[LW_RULE_KIND] = "kind", [LW_RULE_PATTERNS] = "patterns", [LW_RULE_OFF] = "off",
};

const char *lw_rule_field_name(enum lw_rule_field field)
{
	return names[field];
}

void lw_rule_list_fini(struct lw_rule_list *list)
{
	for (uint32_t i = 0; i < list->rules; i++)
		for (int k = 0; k < LW_RULE_FIELDS; k++)
			free(list->rule[i].text[k]);
	free(list->rule);
	memset(list, 0, sizeof(*list));
}
