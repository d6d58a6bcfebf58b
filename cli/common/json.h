/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what every JSON of the command begins with. */
#ifndef LW_CLI_COMMON_JSON_H
#define LW_CLI_COMMON_JSON_H

#include <jansson.h>

/*
 * Raised when a member is taken out or gets another meaning; a new one raises nothing. Of all
 * schemas together: doc/admin/json.md.
 */
#define LW_JSON_VERSION 1

/*
 * The object ROOT, which is given away, behind the name of its schema, its version, and what it was
 * made with (chart/origin.h). NULL when
 * ROOT is, or out of memory.
 */
json_t *lw_json_named(const char *schema, json_t *root);

#endif
