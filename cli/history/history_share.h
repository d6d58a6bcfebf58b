/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the file of share.record, in tables and JSON. */
#ifndef LW_CLI_HISTORY_HISTORY_SHARE_H
#define LW_CLI_HISTORY_HISTORY_SHARE_H

#include "base/error.h"
#include "share/known.h"

#include <jansson.h>
#include <stdint.h>

/* Read it from PATH, "-" for standard input. -errno with ERR. */
int lw_share_load(const char *path, struct lw_share_known *ret_known, struct lw_error *err);

/* What is known of a user, or of all for UINT32_MAX: 95 % quantiles, and runs. */
void lw_share_print(const struct lw_share_known *known, uint32_t who);
/* The same as a list. */
json_t *lw_share_json(const struct lw_share_known *known, uint32_t who);

#endif
