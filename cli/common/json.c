/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what every JSON of the command begins with. */
#include "cli/common/json.h"

#include "cli/common/origin.h"

json_t *lw_json_named(const char *schema, json_t *root)
{
	json_t *named = root ? json_pack("{s:s, s:i, s:o}", "schema", schema,
					 "schema_version", LW_JSON_VERSION, "made_with",
					 lw_origin_json())
			     : NULL;

	if (named && json_object_update(named, root)) {
		json_decref(named);
		named = NULL;
	}
	json_decref(root);
	return named;
}
