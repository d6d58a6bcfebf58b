/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the line of lw-snapshot(5) that says how to plan: policy relaxed relax=0.1
 * cap=86400. */
#ifndef LW_PLANNER_TEXT_POLICY_H
#define LW_PLANNER_TEXT_POLICY_H

#include "base/strbuf.h"
#include "planner/model/params.h"
#include "planner/text/text_scan.h"

/*
 * A snapshot does not contain the policy, but a dumped cycle should replay by itself: the code
 * that dumps it appends this line to the snapshot's text. Failure is in out->error.
 */
void lw_policy_params_print(const struct lw_policy_params *params, struct lw_strbuf *out);

/*
 * Find the policy line in TEXT (NUL-terminated) and read it into *ret_params, which
 * stays as it is when there is none. -EINVAL with ERR as "NAME:LINE: field: ...".
 */
int lw_policy_params_parse(const char *name, const char *text, struct lw_error *err,
			   struct lw_policy_params *ret_params);

/* A share 0 .. 2 with at most 9 decimals, such as 0.1, or false. */
bool lw_text_relax(const struct lw_text_word *word, double *ret_relax);

/* For the snapshot reader: what follows the word "policy" on LINE. */
int lw_text_get_policy(const struct lw_text_in *in, struct lw_text_word *line,
		       struct lw_policy_params *ret_params);

#endif
